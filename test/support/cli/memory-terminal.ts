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
}

/** By default standard output is no terminal. What is asked for is answered by `input`. */
export function memoryTerminal({
  columns,
  isInteractive = false,
  hasColour = false,
  environment = {},
  input = "",
  nowMs = Date.UTC(2026, 10, 27, 12),
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
    shown: () => out.join(""),
    shownBytes: () => bytes,
    errors: () => err.join(""),
  };
}
