import { parseArgs } from "node:util";
import { printable } from "../cli/terminal/printable.ts";

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
    const given = parse(takesWords, { ...options, ...help });
    const { help: asks } = given.values as { readonly help?: boolean };
    if (asks === true || (needsArguments && process.argv.length <= 2)) process.stdout.write(usage);
    else await run(given as unknown as Parameters<typeof run>[0]);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), process.stderr);
    process.exitCode = 1;
  }
}

function parse(allowPositionals: boolean, options: ProgramOptions) {
  try {
    return parseArgs({ allowPositionals, options });
  } catch (error) {
    // Node's other sentences are for programmers.
    const [sentence = ""] = (error as Error).message.split(". ");
    throw new Error(`${sentence.replace(/\.$/, "")}; see --help`);
  }
}

/** Lines and tabs are the program's own. */
export function say(line: string, to: Pick<NodeJS.WriteStream, "write"> = process.stdout): void {
  to.write(`${printable(line, { keepsLines: true })}\n`);
}
