import { show } from "../output/show.ts";
import type { Command } from "../program/command.ts";

export const whoamiCommand: Command = {
  noun: "",
  verb: "whoami",
  summary: "Shows whose key is used, and where it comes from",
  examples: ["das whoami"],
  operations: ["getCaller"],
  run: async (context) => {
    const { client, url, source } = await context.connect();
    const caller = await client.call("getCaller", { signal: context.signal });
    show(context, { ...caller, url, key_from: source });
    return undefined;
  },
};
