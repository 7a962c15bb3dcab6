import { parseArgs } from "node:util";
import { unprintable } from "../../shared/vocabulary/unprintable.ts";

type ProgramOptions = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

const help = { help: { type: "boolean", short: "h" } } as const;

export interface Program<Options extends ProgramOptions> {
  readonly usage: string;
  readonly options: Options;
  /** @default false */
  readonly takesWords?: boolean;
  /** Without arguments the program shows how it is used. @default true */
  readonly needsArguments?: boolean;
  readonly run: (given: {
    readonly values: ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>["values"];
    readonly positionals: readonly string[];
  }) => Promise<void>;
}

/** Errors are one sentence for people, and the process ends with 1. */
export async function runProgram<const Options extends ProgramOptions>({
  usage,
  options,
  takesWords = false,
  needsArguments = true,
  run,
}: Program<Options>): Promise<void> {
  try {
    const given = parseArgs({ allowPositionals: takesWords, options: { ...options, ...help } });
    const { help: asks } = given.values as { readonly help?: boolean };
    if (asks === true || (needsArguments && process.argv.length <= 2)) process.stdout.write(usage);
    else await run(given as Parameters<typeof run>[0]);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), process.stderr);
    process.exitCode = 1;
  }
}

/** Lines and tabs are the program's own. */
const unprintables = new RegExp(`(?![\\n\\t])[${unprintable}]`, "gu");

/** A name that somebody has given must not steer the terminal. */
export function say(line: string, to: Pick<NodeJS.WriteStream, "write"> = process.stdout): void {
  const shown = line.replace(unprintables, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  to.write(`${shown}\n`);
}
