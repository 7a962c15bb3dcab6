import { Buffer } from "node:buffer";
import type { TerminalQuestion } from "./ask-terminal.ts";
import { linesOf } from "./lines.ts";

/** What a command writes to and reads from; a test has one in memory. */
export interface Terminal {
  /** Widths are counted in columns; undefined where standard output is no terminal. */
  readonly columns: number | undefined;
  /** Standard input is a terminal: a person can be asked. */
  readonly isInteractive: boolean;
  readonly hasColour: boolean;
  readonly errorHasColour: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  out(text: string): void;
  /** A picture, or a file's bytes. */
  outBytes(bytes: Uint8Array): void;
  err(text: string): void;
  /** The whole of standard input. */
  readInput(): Promise<Uint8Array>;
  /** Asks for one line without showing what is typed. Only where `isInteractive`. */
  askSecret(question: string): Promise<string>;
  /** Waits for a line of standard input; undefined once the signal is aborted, or when the input ends. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
  /** Standard input, line by line, until it ends or the signal is aborted. */
  lines(signal: AbortSignal): AsyncIterable<string>;
  /** Asks the terminal itself. Only where `isInteractive`. */
  askTerminal(question: TerminalQuestion): Promise<string>;
}

type Environment = Terminal["environment"];

/** https://no-color.org and https://force-color.org: any text but an empty one turns colours off or on. */
export function hasColour(environment: Environment, isTerminal: boolean): boolean {
  if (given(environment.NO_COLOR)) return false;
  if (given(environment.FORCE_COLOR)) return environment.FORCE_COLOR !== "0";
  return isTerminal && environment.TERM !== "dumb";
}

function given(text: string | undefined): boolean {
  return text !== undefined && text !== "";
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return {
    // A terminal that does not know its width says 0.
    columns: stdout.isTTY ? stdout.columns || 80 : undefined,
    isInteractive: stdin.isTTY,
    hasColour: hasColour(env, stdout.isTTY),
    errorHasColour: hasColour(env, stderr.isTTY),
    environment: env,
    now: Date.now,
    out: (text) => void stdout.write(text),
    outBytes: (bytes) => void stdout.write(bytes),
    err: (text) => void stderr.write(text),
    readInput: async () => {
      const parts: Uint8Array[] = [];
      for await (const part of stdin) parts.push(part as Uint8Array);
      return Buffer.concat(parts);
    },
    askSecret: async (question) => {
      const { askSecret } = await import("./ask-secret.ts");
      return await askSecret(question, stdin, stderr);
    },
    readLine: async (signal) => {
      const { readLine } = await import("./read-line.ts");
      return await readLine(stdin, signal);
    },
    lines: (signal) => linesOf(stdin, signal),
    askTerminal: async (question) => {
      const { askTerminal } = await import("./ask-terminal.ts");
      return await askTerminal(question, stdin, stdout);
    },
  };
}
