import type { Terminal } from "../../../infra/cli/terminal/terminal.ts";

interface MemoryTerminal extends Terminal {
  readonly shown: () => string;
  readonly shownBytes: () => readonly Uint8Array[];
  readonly errors: () => string;
}

interface MemoryTerminalOptions extends Partial<Pick<Terminal, "columns" | "isInteractive" | "hasColour">> {
  readonly environment?: Terminal["environment"];
  readonly input?: string;
  readonly nowMs?: number;
  /** Each is read once as a line; where there is none, reading waits. */
  readonly lines?: string[];
  /** What the terminal itself responds, by the question. */
  readonly responses?: Readonly<Record<string, string>>;
}

/** By default standard output is no terminal. What is asked for is answered by `input`. */
export function memoryTerminal({
  columns,
  isInteractive = false,
  hasColour = false,
  environment = {},
  input = "",
  nowMs = Date.UTC(2026, 10, 27, 12),
  lines = [],
  responses = {},
}: MemoryTerminalOptions = {}): MemoryTerminal {
  const out: string[] = [];
  const bytes: Uint8Array[] = [];
  const err: string[] = [];
  return {
    columns,
    isInteractive,
    hasColour,
    errorHasColour: hasColour,
    environment,
    now: () => nowMs,
    out: (text) => void out.push(text),
    outBytes: (some) => void bytes.push(some),
    err: (text) => void err.push(text),
    readInput: async () => new TextEncoder().encode(input),
    askSecret: async () => input,
    readLine: async (signal) => {
      if (signal.aborted) return undefined;
      const line = lines.shift();
      if (line !== undefined) return line;
      return await new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(undefined));
      });
    },
    lines: async function* () {
      yield* input.split("\n");
    },
    askTerminal: async ({ text }) => responses[text] ?? "",
    shown: () => out.join(""),
    shownBytes: () => bytes,
    errors: () => err.join(""),
  };
}
