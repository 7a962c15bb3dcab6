import type { Machine } from "../../../shared/domain/machine/machine.ts";
import { idOf, mayTake, type QueueEntry } from "../../../shared/domain/run/waiting/queue-entry.ts";
import { queuePartition, stoppedChainKey } from "../../../shared/storage/table/keys.ts";
import { Violation } from "./step-invariants.ts";
import { isServedBy, type View } from "./view.ts";

interface Known {
  readonly entry: QueueEntry;
  readonly since: number;
}

/**
 * Checks that of what a machine may take the first in each queue begins first, and that priority goes first in all of
 * its queues. It is used only where one matcher handles one event at a time, since two may each hold a run while the
 * other's machine vanishes.
 */
export class QueueOrder {
  readonly #view: View;
  readonly #known = new Map<string, Known>();
  #count = 0;
  #round = 0;

  constructor(view: View) {
    this.#view = view;
  }

  beginRound(): void {
    this.#round = this.#count;
  }

  /** Must be called after each write, once the view has seen it. */
  check(): void {
    this.#count += 1;
    for (const [row, known] of this.#known) {
      if (this.#view.queue.has(row)) continue;
      this.#known.delete(row);
      const { waiting } = known.entry;
      const run = waiting.kind === "run" ? this.#view.runs.get(waiting.runId) : undefined;
      if (run?.status !== "running") continue;
      const machineId = run.machineId ?? "";
      this.#requireFirst(row, known, machineId);
      this.#requireNoPriority(known.entry, this.#view.machines.get(machineId));
    }
    for (const [row, entry] of this.#view.queue) {
      if (!this.#known.has(row)) this.#known.set(row, { entry, since: this.#count });
    }
  }

  #requireFirst(row: string, begun: Known, machineId: string): void {
    for (const [other, { entry, since }] of this.#known) {
      if (since >= begun.since || other >= row || partitionOf(entry) !== partitionOf(begun.entry)) continue;
      if (entry.waiting.kind !== "run" || this.#isStopped(entry) || !mayTake(machineId, entry)) continue;
      if (this.#isPassedOver(other, entry, begun.entry) || this.#wasNeeded(begun.entry, other)) continue;
      throw new Violation(`${row} began before ${other}, which is older and was there before it`);
    }
  }

  /** Whether a step was started again in the place of one that needs its output. */
  #wasNeeded(begun: QueueEntry, by: string): boolean {
    return [...this.#known].some(([row, { entry }]) => row <= by && needs(entry, begun));
  }

  /** True if an entry, or an earlier step of its chain, is passed over because a limit is reached. */
  #isPassedOver(row: string, entry: QueueEntry, begun: QueueEntry): boolean {
    const earlier = [...this.#known].filter(
      ([other, known]) => other < row && isSameChain(known.entry, entry),
    );
    return [entry, ...earlier.map(([, known]) => known.entry)].some(
      (one) => isExecuted(one) && !isExecuted(begun),
    );
  }

  #requireNoPriority(begun: QueueEntry, machine: Machine | undefined): void {
    if (begun.isPriority || begun.target.kind === "session" || machine === undefined) return;
    for (const [other, { entry, since }] of this.#known) {
      if (!entry.isPriority || since > this.#round || entry.waiting.kind !== "run") continue;
      if (!isServedBy(entry.target, machine) || !mayTake(machine.id, entry)) continue;
      if (this.#isPassedOver(other, entry, begun)) continue;
      throw new Violation(
        `${idOf(begun)} began before ${other}, which has priority and was there before the round`,
      );
    }
  }

  #isStopped({ organizationId, target, waiting }: QueueEntry): boolean {
    if (target.kind !== "session" || waiting.kind !== "run" || waiting.chainId === null) return false;
    const { pk, sk } = stoppedChainKey(organizationId, target.sessionId, waiting.chainId);
    return this.#view.stoppedChains.has(`${pk} ${sk}`);
  }
}

function needs({ waiting }: QueueEntry, begun: QueueEntry): boolean {
  return waiting.kind === "run" && waiting.earlierRunIds.includes(idOf(begun));
}

function isSameChain({ waiting: one }: QueueEntry, { waiting: other }: QueueEntry): boolean {
  return one.kind === "run" && other.kind === "run" && one.chainId !== null && one.chainId === other.chainId;
}

function isExecuted({ waiting }: QueueEntry): boolean {
  return waiting.kind === "run" && waiting.executor === "service";
}

function partitionOf({ organizationId, target }: QueueEntry): string {
  return queuePartition(organizationId, target);
}
