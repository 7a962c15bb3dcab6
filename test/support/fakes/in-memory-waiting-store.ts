import { isoMoment } from "../../../shared/domain/clock.ts";
import type { QueueEntry, WaitingRunEntry } from "../../../shared/domain/matching/queue-entry.ts";
import type { Target } from "../../../shared/domain/matching/target.ts";
import type { WaitingEnd, WaitingStore } from "../../../shared/domain/run/waiting/waiting-store.ts";
import type { InMemoryRunStore } from "./in-memory-run-store.ts";

/** The queues of the runs in memory. */
export class InMemoryWaitingStore implements WaitingStore {
  readonly #runs: InMemoryRunStore;

  constructor(runs: InMemoryRunStore) {
    this.#runs = runs;
  }

  async oldest(
    organizationId: string,
    target: Target,
    limit: number,
    after?: QueueEntry,
  ): Promise<readonly QueueEntry[]> {
    const isBehind = (entry: QueueEntry) => after === undefined || order(entry) > order(after);
    return this.#runs.queueOf(organizationId, target).filter(isBehind).slice(0, limit);
  }

  async endRuns(
    entries: readonly WaitingRunEntry[],
    { status, reason, endedAt }: WaitingEnd & { readonly endedAt: string },
  ): Promise<void> {
    for (const { organizationId, waiting, queuedAtMs } of entries) {
      const run = await this.#runs.find(organizationId, waiting.runId);
      if (run?.status !== "scheduling" || run.queuedAt !== isoMoment(queuedAtMs)) continue;
      this.#runs.write({ ...run, status, error: [reason], endedAt, revision: run.revision + 1 });
    }
  }

  async poolSetsWith(organizationId: string, poolId: string): Promise<readonly (readonly string[])[]> {
    return this.#runs.knownPoolSets(organizationId).filter((poolIds) => poolIds.includes(poolId));
  }
}

function order({ queuedAtMs, waiting }: QueueEntry): string {
  return `${String(queuedAtMs).padStart(15, "0")} ${waiting.kind === "run" ? waiting.runId : waiting.sessionId}`;
}
