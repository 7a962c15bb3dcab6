import { show, showItems } from "../output/show.ts";
import type { Command } from "../program/command.ts";
import { profilesFile, readProfiles } from "../service/profiles.ts";

export const profilesCommand: Command = {
  noun: "",
  verb: "profiles",
  summary: "Lists the saved keys, without the keys",
  examples: ["das profiles"],
  run: async (context) => {
    const { current, profiles } = await readProfiles(profilesFile(context.terminal.environment));
    const items = Object.entries(profiles).map(([name, { url }]) => ({
      name,
      url,
      is_current: name === current,
    }));
    if (context.form === "table") showItems(context, items, ["name", "url", "is_current"]);
    else show(context, items);
    return undefined;
  },
};
