import type { CommandOption } from "./command.ts";

/** Options that every command has. */
export const commonOptions: readonly CommandOption[] = [
  { flags: "--profile <name>", text: "The saved key to use; else DAS_PROFILE, or the last login." },
  {
    flags: "--json",
    text: "Shows the whole response as JSON; with BODY, sends it, too: --json '{…}', @FILE or -.",
  },
  { flags: "--jsonl", text: "Shows each item as one line of JSON." },
];
