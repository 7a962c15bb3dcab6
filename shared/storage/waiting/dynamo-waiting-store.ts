import { forEachBounded } from "../../domain/bounded-parallel.ts";
import { isoTimestamp } from "../../domain/clock.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { QueueEntry, WaitingRunEntry } from "../../domain/run/waiting/queue-entry.ts";
import type { Target } from "../../domain/run/waiting/target.ts";
import type { WaitingEnd, WaitingStore } from "../../domain/run/waiting/waiting-store.ts";
import { readQueue } from "../queue/queue-reads.ts";
import { dequeueWrite, parsePoolSet, parseQueueEntry } from "../queue/queue-rows.ts";
import { endedDue } from "../run/run-end.ts";
import { DynamoStore } from "../table/dynamo-store.ts";

import { type Condition, check, isLiving, update, type Write } from "../table/expression.ts";
import { filterPartitions } from "../table/index-keys.ts";
import { poolSetPartition, runKey } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";

type End = WaitingEnd & { readonly endedAt: string };

export class DynamoWaitingStore extends DynamoStore implements WaitingStore {
  async oldest(
    organizationId: OrganizationId,
    target: Target,
    limit: number,
    after?: QueueEntry,
  ): Promise<readonly QueueEntry[]> {
    return (await readQueue(this.table, organizationId, { target, limit, after })).map(parseQueueEntry);
  }

  async endRuns(entries: readonly WaitingRunEntry[], end: End): Promise<void> {
    const runs = entries.flatMap((entry) => endWrites(entry, end));
    const { failed } = await this.table.transact({ runs });
    if (failed === undefined) return;
    await forEachBounded(entries, (entry) => this.#endRun(entry, end));
  }

  async #endRun(entry: WaitingRunEntry, end: End): Promise<void> {
    const { failed } = await this.table.transact({ run: endWrites(entry, end) });
    if (failed === undefined) return;
    // The writer that changed the run's state has usually removed the entry, too.
    const { expression, values } = isWaitingSince(entry);
    const isElsewhere = { expression: `NOT (${expression})`, ...(values && { values }) };
    await this.table.transact({ run: check(keyOf(entry), isElsewhere), place: dequeueWrite(entry) });
  }

  async poolSetsWith(
    organizationId: OrganizationId,
    poolId: string,
  ): Promise<readonly (readonly string[])[]> {
    const items = await queryItems(this.table, { partition: poolSetPartition(organizationId) });
    return items.map((item) => parsePoolSet(item).poolIds).filter((poolIds) => poolIds.includes(poolId));
  }
}

function endWrites(entry: WaitingRunEntry, { status, reason, endedAt }: End): readonly Write[] {
  const { runId, hasSecret = false } = entry.waiting;
  const filter4_pk = filterPartitions.runsByStatus(entry.organizationId, status);
  const due = endedDue(runId, endedAt, hasSecret);
  const set = { status, filter4_pk, error: [reason], ended_at: endedAt, ...due };
  return [update(keyOf(entry), { set, add: { revision: 1 } }, isWaitingSince(entry)), dequeueWrite(entry)];
}

/** A run that was restarted meanwhile has another place. */
function isWaitingSince({ queuedAtMs }: WaitingRunEntry): Condition {
  return {
    expression: `${isLiving} AND status = :scheduling AND queued_at = :queued`,
    values: { scheduling: "scheduling", queued: isoTimestamp(queuedAtMs) },
  };
}

function keyOf({ organizationId, waiting }: WaitingRunEntry) {
  return runKey(organizationId, waiting.runId);
}
