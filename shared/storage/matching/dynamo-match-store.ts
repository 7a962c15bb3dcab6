import type { Machine } from "../../domain/machine/machine.ts";
import type {
  Assignment,
  AssignOutcome,
  Candidate,
  IdlePage,
  MachineQueue,
  MatchStore,
  PoolSet,
  QueuedEntry,
  SessionQueue,
} from "../../domain/matching/match-store.ts";
import type { MatchChange } from "../../domain/matching/match-trigger.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { QueueEntry, WaitingRunEntry } from "../../domain/run/waiting/queue-entry.ts";
import type { Target } from "../../domain/run/waiting/target.ts";
import { hindranceOf } from "../../domain/run/waiting/waiting-reason.ts";
import { refusedAdded } from "../execution/executions-under-way.ts";
import { parseMachine } from "../machine/machine-item.ts";
import { parsePool } from "../pool/pool-item.ts";
import { leftItem } from "../queue/left-row.ts";
import { readQueue } from "../queue/queue-reads.ts";
import {
  entryKey,
  idleItems,
  idleKeys,
  isFreeAsRead,
  isNotIdle,
  parseIdle,
  parsePoolSet,
  parseQueueEntry,
} from "../queue/queue-rows.ts";
import { parseSession } from "../session/session-item.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { check, hasValue, put, remove } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import {
  idleKey,
  idlePartition,
  machineKey,
  poolKey,
  poolSetKey,
  poolSetPartition,
  queueRange,
  sessionKey,
  stoppedChainKey,
} from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { assignOutcome, assignParts } from "./assign-run-writes.ts";
import type { DynamoServicePlaces } from "./dynamo-service-places.ts";
import { readCandidate } from "./read-candidate.ts";

export interface MatchStoreDeps {
  readonly table: DynamoTable;
  readonly organizationExecutionsMax: number;
  /** @default none: the executions of all organizations have no limit */
  readonly servicePlaces?: DynamoServicePlaces | undefined;
}

/** Others may take the last place of a shard before this one, which then waits in the line. */
const shardsTriedMax = 4;

export class DynamoMatchStore extends DynamoStore<MatchStoreDeps> implements MatchStore {
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

  /** The entries of a queue sort right behind their item. */
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

  async poolSets(organizationId: OrganizationId): Promise<readonly PoolSet[]> {
    const items = await queryItems(this.table, { partition: poolSetPartition(organizationId) });
    return items.map(parsePoolSet);
  }

  async smallestPool(
    organizationId: OrganizationId,
    poolIds: readonly string[],
  ): Promise<string | undefined> {
    if (poolIds.length < 2) return poolIds[0];
    const pools = await this.table.batchGet(poolIds.map((poolId) => poolKey(organizationId, poolId)));
    const bySize = pools.map(parsePool).sort((left, right) => left.machineCount - right.machineCount);
    return bySize[0]?.id ?? poolIds[0];
  }

  async idlePage(
    organizationId: OrganizationId,
    poolId: string | undefined,
    limit: number,
    after?: string,
  ): Promise<IdlePage> {
    const rows = {
      partition: idlePartition(organizationId, poolId),
      ...(after && { from: `${after}\u0001` }),
    };
    const items = await queryItems(this.table, rows, limit);
    const machines = items.map(parseIdle);
    return { machines, next: items.length < limit ? undefined : machines.at(-1)?.machineId };
  }

  async candidate(entry: WaitingRunEntry, machineId?: string): Promise<Candidate | undefined> {
    return await readCandidate(this.table, entry, machineId);
  }

  async assign(assignment: Assignment, isTurn = false): Promise<AssignOutcome> {
    // A condition of the transaction would fail.
    if (hindranceOf(assignment.machine) !== undefined) return { kind: "machine_gone" };
    const { organizationExecutionsMax, servicePlaces } = this.deps;
    const { run, assignmentId } = assignment;
    if (servicePlaces === undefined || run.executor !== "service") {
      return assignOutcome(await this.table.transact(assignParts(assignment, organizationExecutionsMax)));
    }
    let shard: number | undefined = servicePlaces.firstShard(assignmentId);
    for (let tried = 0; shard !== undefined && tried < shardsTriedMax; tried += 1) {
      const place = { shard, max: servicePlaces.max, isTurn };
      const parts = assignParts(assignment, organizationExecutionsMax, place);
      const outcome = assignOutcome(await this.table.transact(parts));
      if (outcome.kind !== "service_full") return outcome;
      shard = await servicePlaces.freeShard(assignmentId, isTurn);
    }
    return { kind: "service_full" };
  }

  async noteRefused(organizationId: OrganizationId, refused: readonly string[]): Promise<boolean> {
    const max = this.deps.organizationExecutionsMax;
    const { key, change, condition } = refusedAdded(organizationId, refused, max);
    return (await this.table.update(key, change, condition)).kind === "updated";
  }

  async markIdle(machine: Machine): Promise<boolean> {
    const { organizationId, id: machineId, poolIds } = machine;
    const { failed } = await this.table.transact({
      machine: check(
        machineKey(organizationId, machineId),
        isFreeAsRead({ poolIds, reservedSessionId: null }),
      ),
      idle: idleItems({ organizationId, machineId, poolIds }).map((item) => put(item)),
    });
    return failed === undefined;
  }

  async unmarkIdle(machine: Pick<Machine, "organizationId" | "id" | "poolIds">): Promise<boolean> {
    const { organizationId, id } = machine;
    const { failed } = await this.table.transact({
      machine: check(machineKey(organizationId, id), isNotIdle(machine)),
      idle: idleKeys(machine).map((key) => remove(key)),
    });
    return failed === undefined;
  }

  async unmarkLeftPool(organizationId: OrganizationId, machineId: string, poolId: string): Promise<void> {
    await this.table.transact({
      machine: check(machineKey(organizationId, machineId), isNotIdle({ poolId })),
      idle: remove(idleKey(organizationId, poolId, machineId)),
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
    await this.table.delete(entryKey(entry), hasValue("write_id", entry.writeId ?? ""));
  }

  async removeEmptySet(organizationId: OrganizationId, { poolIds, writeId }: PoolSet): Promise<void> {
    await this.table.delete(poolSetKey(organizationId, poolIds), hasValue("write_id", writeId));
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
