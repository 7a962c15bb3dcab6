import type { QueueEntry } from "../../../shared/domain/matching/queue-entry.ts";
import { queuePartition, stoppedChainKey } from "../../../shared/storage/table/keys.ts";
import { Violation } from "./step-invariants.ts";
import type { View } from "./view.ts";

interface Known {
  readonly entry: QueueEntry;
  /** When its row came about, by the count of writes. */
  readonly since: number;
}

/**
 * Of each queue, who came first begins first: asked only where one matcher is told of one thing at a time, since two
 * may each hold a run while the other one's machine vanishes.
 */
export class QueueOrder {
  readonly #view: View;
  readonly #known = new Map<string, Known>();
  #count = 0;

  constructor(view: View) {
    this.#view = view;
  }

  /** After each write; the view has seen it. */
  check(): void {
    this.#count += 1;
    for (const [row, known] of this.#known) {
      if (this.#view.queue.has(row)) continue;
      this.#known.delete(row);
      const { waiting } = known.entry;
      const run = waiting.kind === "run" ? this.#view.runs.get(waiting.runId) : undefined;
      if (run?.status === "running") this.#requireFirst(row, known);
    }
    for (const [row, entry] of this.#view.queue) {
      if (!this.#known.has(row)) this.#known.set(row, { entry, since: this.#count });
    }
  }

  #requireFirst(row: string, begun: Known): void {
    for (const [other, { entry, since }] of this.#known) {
      if (since >= begun.since || other >= row || partitionOf(entry) !== partitionOf(begun.entry)) continue;
      if (entry.waiting.kind !== "run" || this.#isStopped(entry)) continue;
      // Passed over while the organization is full.
      if (entry.waiting.executor === "service" && !isExecuted(begun.entry)) continue;
      throw new Violation(`${row} began before ${other}, which is older and was there before it`);
    }
  }

  /** Steps behind one that failed are passed over until they are cancelled. */
  #isStopped({ organizationId, target, waiting }: QueueEntry): boolean {
    if (target.kind !== "session" || waiting.kind !== "run" || waiting.chainId === null) return false;
    const { pk, sk } = stoppedChainKey(organizationId, target.sessionId, waiting.chainId);
    return this.#view.stoppedChains.has(`${pk} ${sk}`);
  }
}

function isExecuted({ waiting }: QueueEntry): boolean {
  return waiting.kind === "run" && waiting.executor === "service";
}

function partitionOf({ organizationId, target }: QueueEntry): string {
  return queuePartition(organizationId, target);
}
