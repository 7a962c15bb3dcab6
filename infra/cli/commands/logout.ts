import type { Command } from "../program/command.ts";
import { UsageError } from "../program/failures.ts";
import { profilesFile, readProfiles, writeProfiles } from "../service/profiles.ts";

export const logoutCommand: Command = {
  noun: "",
  verb: "logout",
  summary: "Removes a saved API key",
  description: 'The key itself stays valid: "das keys delete" revokes it',
  examples: ["das logout", "das logout --profile nightly"],
  run: async ({ terminal, profile }) => {
    const file = profilesFile(terminal.environment);
    const { current, profiles } = await readProfiles(file);
    const name = profile ?? current;
    if (name === undefined || profiles[name] === undefined) {
      throw new UsageError(name === undefined ? "nobody is logged in" : `there is no profile ${name}`);
    }
    const { [name]: _removed, ...others } = profiles;
    await writeProfiles(file, {
      current: current === name ? Object.keys(others)[0] : current,
      profiles: others,
    });
    terminal.err(`removed the profile ${name}\n`);
    return undefined;
  },
};
