import type { QueueEntry } from "../run/waiting/queue-entry.ts";

/** The steps of a chain begin in their order; a step that was passed over keeps back those behind it. */
export class StepOrder {
  readonly #passedOver = new Set<string>();

  passOver({ waiting }: QueueEntry): void {
    if (waiting.kind === "run" && waiting.chainId !== null) this.#passedOver.add(waiting.chainId);
  }

  isBehind({ waiting }: QueueEntry): boolean {
    return waiting.kind === "run" && waiting.chainId !== null && this.#passedOver.has(waiting.chainId);
  }
}
