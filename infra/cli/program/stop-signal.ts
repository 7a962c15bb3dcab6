import type { Context } from "./context.ts";

export interface StopSignal {
  /** Aborted by the first ctrl-C, or when the process is to end; a second one ends the command as it is. */
  readonly signal: AbortSignal;
  release(): void;
}

/** For commands that have to clean up: one that heeds `context.signal` is left behind once that is aborted. */
export function stopSignal({ onInterrupt }: Pick<Context, "onInterrupt">): StopSignal {
  const stopping = new AbortController();
  const release = onInterrupt(() => {
    release();
    stopping.abort();
  });
  return { signal: stopping.signal, release };
}
