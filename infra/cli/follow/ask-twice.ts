import type { Context } from "../program/context.ts";
import { sentenceOf } from "../program/failures.ts";

export interface AskedTwice {
  readonly question: string;
  readonly view: { pause(): void; resume(): void };
  /** What is answered yes to. Its failure is shown, and the command goes on. */
  readonly onYes: () => Promise<void>;
  /** The second ctrl-C, or the first one where nobody can be asked. */
  readonly onLeave: () => void;
}

/** Ctrl-C asks a question; another one before it is answered leaves. @returns a function that ends this. */
export function askTwice(
  { terminal, onInterrupt, signal }: Pick<Context, "terminal" | "onInterrupt" | "signal">,
  { question, view, onYes, onLeave }: AskedTwice,
): () => void {
  const ending = new AbortController();
  let isAsking = false;
  const leave = () => {
    ending.abort();
    onLeave();
  };
  const ask = async () => {
    isAsking = true;
    view.pause();
    terminal.err(question);
    const line = await terminal.readLine(AbortSignal.any([signal, ending.signal]));
    isAsking = false;
    if (ending.signal.aborted) return;
    try {
      if (/^\s*y(es)?\s*$/i.test(line ?? "")) await onYes();
    } catch (failure) {
      terminal.err(`das: ${sentenceOf(failure)}\n`);
    }
    if (!ending.signal.aborted) view.resume();
  };
  const stop = onInterrupt((isFinal) => {
    if (isAsking) terminal.err("\n");
    if (isAsking || isFinal || !terminal.isInteractive) leave();
    else void ask();
  });
  return () => {
    ending.abort();
    stop();
  };
}
