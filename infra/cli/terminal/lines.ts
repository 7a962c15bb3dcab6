import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Ends with the input, or when the signal is aborted. */
export async function* linesOf(input: Readable, signal: AbortSignal): AsyncGenerator<string> {
  const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const close = () => reader.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    yield* reader;
  } finally {
    signal.removeEventListener("abort", close);
    reader.close();
  }
}
