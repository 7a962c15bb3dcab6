import type { Context } from "./context.ts";
import type { ExitCode } from "./failures.ts";

export interface CommandArgument {
  readonly name: string;
  readonly text: string;
  readonly isOptional?: boolean;
  /** Words that completion knows. */
  readonly values?: readonly string[];
  /** Takes all that is left. */
  readonly isVariadic?: boolean;
}

export interface CommandOption {
  /** As commander writes it: `--wait`, `-o, --output <file>`, `--no-wait`. */
  readonly flags: string;
  readonly text: string;
  readonly choices?: readonly string[];
  /** Words that completion knows, where the command itself checks what is given. */
  readonly hints?: readonly string[];
  /** Told in the help; the service, or the command, has it. */
  readonly preset?: string;
  readonly isRepeatable?: boolean;
  readonly isRequired?: boolean;
  /** Shown in no help. */
  readonly isHidden?: boolean;
}

/** What was given on the line. Options have commander's names: `maxSteps` of `--max-steps`. */
export interface Given {
  readonly words: readonly (string | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** A command of a noun (`runs watch`), or with an empty noun a command by itself (`login`). */
export interface Command {
  readonly noun: string;
  readonly verb: string;
  readonly summary: string;
  /** More, for its own help. */
  readonly description?: string;
  readonly arguments?: readonly CommandArgument[];
  readonly options?: readonly CommandOption[];
  /** Whole lines, from `das` on; at least one, which is shown by `--help`. */
  readonly examples: readonly string[];
  /** Operations of the contract that it stands for, beside those that its name already replaces. */
  readonly operations?: readonly string[];
  /** @returns nothing for success. */
  readonly run: (context: Context, given: Given) => Promise<ExitCode | undefined>;
}
