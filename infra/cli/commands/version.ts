import type { Command } from "../program/command.ts";
import { version } from "../version.ts";

/** It is no option of all commands: a machine has a version, too. */
export const versionCommand: Command = {
  noun: "",
  verb: "version",
  summary: "Shows the version of this program",
  examples: ["das version"],
  run: async ({ terminal }) => {
    terminal.out(`${version}\n`);
    return undefined;
  },
};
