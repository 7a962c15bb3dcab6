import { completionScripts } from "../completion/scripts.ts";
import type { Command } from "../program/command.ts";
import { UsageError } from "../program/failures.ts";

const shells = Object.keys(completionScripts);

export const completionCommand: Command = {
  noun: "",
  verb: "completion",
  summary: "Prints what a shell loads to complete the words of das",
  arguments: [{ name: "shell", text: `One of ${shells.join(", ")}.`, values: shells }],
  examples: [
    "das completion bash > ~/.local/share/bash-completion/completions/das",
    "das completion zsh > ~/.zfunc/_das",
    "das completion fish > ~/.config/fish/completions/das.fish",
  ],
  run: async ({ terminal }, { words: [shell = ""] }) => {
    const script = completionScripts[shell];
    if (script === undefined)
      throw new UsageError(`there is no completion for ${shell}; there is for ${shells.join(", ")}`);
    terminal.out(script);
    return undefined;
  },
};
