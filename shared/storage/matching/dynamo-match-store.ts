import type { OrganizationId } from "../../domain/access/organization-id.ts";
import { hindranceOf } from "../../domain/matching/eligibility.ts";
import type {
  Assignment,
  AssignOutcome,
  Candidate,
  IdlePage,
  MachineQueue,
  MatchStore,
  PoolSet,
  QueuedEntry,
  QueuedRun,
  SessionQueue,
} from "../../domain/matching/match-store.ts";
import type { MatchChange } from "../../domain/matching/match-trigger.ts";
import type { IdleMachine, QueueEntry } from "../../domain/matching/queue-entry.ts";
import type { Target } from "../../domain/matching/target.ts";
import { parseMachine } from "../machine/machine-item.ts";
import { readIdlePage } from "../queue/idle-page.ts";
import { leftItem } from "../queue/left-row.ts";
import { readQueue } from "../queue/queue-reads.ts";
import { entryKey, idleItem, parsePoolSet, parseQueueEntry } from "../queue/queue-rows.ts";
import { parseSession } from "../session/session-item.ts";
import { DynamoStore } from "../table/dynamo-store.ts";

import type { Item } from "../table/item.ts";
import {
  idleKey,
  machineKey,
  poolSetKey,
  poolSetPartition,
  queueRange,
  sessionKey,
  stoppedChainKey,
} from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { assignRefusal, assignWrites } from "./assign-run-writes.ts";
import { readCandidate } from "./read-candidate.ts";

export class DynamoMatchStore extends DynamoStore implements MatchStore {
  async machineQueue(
    organizationId: OrganizationId,
    machineId: string,
    limit: number,
  ): Promise<MachineQueue> {
    const rows = await this.#beside(machineKey(organizationId, machineId), limit);
    return { machine: rows.alone && parseMachine(rows.alone), entries: rows.entries };
  }

  async sessionQueue(
    organizationId: OrganizationId,
    sessionId: string,
    limit: number,
  ): Promise<SessionQueue> {
    const rows = await this.#beside(sessionKey(organizationId, sessionId), limit);
    return { session: rows.alone && parseSession(rows.alone), entries: rows.entries };
  }

  /** The item and the oldest entries of its queue, which sort right behind it. */
  async #beside({ pk, sk }: { readonly pk: string; readonly sk: string }, limit: number) {
    const items = await queryItems(this.table, { partition: pk, from: sk, to: queueRange.to }, limit + 1);
    const alone = items.find((item) => item.sk === sk);
    return { alone, entries: items.filter((item) => item.sk !== sk).map(parseQueued) };
  }

  async queue(
    organizationId: OrganizationId,
    target: Target,
    limit: number,
    after?: QueueEntry,
  ): Promise<readonly QueuedEntry[]> {
    return (await readQueue(this.table, organizationId, { target, limit, after })).map(parseQueued);
  }

  async poolSetsWithin(
    organizationId: OrganizationId,
    poolIds: readonly string[],
  ): Promise<readonly PoolSet[]> {
    const items = await queryItems(this.table, { partition: poolSetPartition(organizationId) });
    const own = new Set(poolIds);
    return items.map(parsePoolSet).filter((set) => set.poolIds.every((poolId) => own.has(poolId)));
  }

  async idlePage(
    organizationId: OrganizationId,
    poolIds: readonly string[],
    after?: string,
  ): Promise<IdlePage> {
    return await readIdlePage(this.table, organizationId, poolIds, after);
  }

  async candidate(entry: QueuedRun, machineId: string): Promise<Candidate | undefined> {
    return await readCandidate(this.table, entry, machineId);
  }

  async assign(assignment: Assignment): Promise<AssignOutcome> {
    // Saves the transaction, whose condition would fail.
    if (hindranceOf(assignment.machine) !== undefined) return { kind: "machine_gone" };
    const outcome = await this.table.transact(assignWrites(assignment));
    return outcome.kind === "written" ? { kind: "assigned" } : assignRefusal(assignment, outcome.failed);
  }

  async markIdle(idle: IdleMachine): Promise<void> {
    await this.table.put(idleItem(idle), {
      expression: "attribute_not_exists(pk) OR machine_revision < :revision",
      values: { revision: idle.machineRevision },
    });
  }

  async unmarkIdle(organizationId: OrganizationId, machineId: string, revision: number): Promise<void> {
    await this.table.delete(idleKey(organizationId, machineId), {
      expression: "attribute_not_exists(pk) OR machine_revision <= :revision",
      values: { revision },
    });
  }

  async releaseReservation(
    organizationId: OrganizationId,
    machineId: string,
    sessionId: string,
  ): Promise<void> {
    await this.table.update(
      machineKey(organizationId, machineId),
      { remove: ["reserved_session_id"], add: { revision: 1 } },
      {
        expression: "reserved_session_id = :session AND attribute_not_exists(current_run_id)",
        values: { session: sessionId },
      },
    );
  }

  async leave(organizationId: OrganizationId, changes: readonly MatchChange[]): Promise<void> {
    await this.table.put(leftItem(organizationId, changes));
  }

  async removeEntry(entry: QueueEntry): Promise<void> {
    await this.table.delete(entryKey(entry));
  }

  async removeEmptyPlace(entry: QueuedEntry): Promise<void> {
    await this.table.delete(entryKey(entry), {
      expression: "write_id = :seen",
      values: { seen: entry.writeId ?? "" },
    });
  }

  async removeEmptySet(organizationId: OrganizationId, { poolIds, writeId }: PoolSet): Promise<void> {
    await this.table.delete(poolSetKey(organizationId, poolIds), {
      expression: "write_id = :seen",
      values: { seen: writeId },
    });
  }

  async removeStoppedChain(
    organizationId: OrganizationId,
    sessionId: string,
    chainId: string,
  ): Promise<void> {
    await this.table.delete(stoppedChainKey(organizationId, sessionId, chainId));
  }
}

function parseQueued(item: Item): QueuedEntry {
  return { ...parseQueueEntry(item), writeId: typeof item.write_id === "string" ? item.write_id : null };
}
