import type { Machine } from "../../domain/machine/machine.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type {
  ExecutionLimit,
  QueuePlace,
  SomeMachines,
  WaitingView,
} from "../../domain/run/waiting/waiting-view.ts";
import type { Session } from "../../domain/session/session.ts";
import type { MachineStatus } from "../../vocabulary/machines.ts";
import { runningIn } from "../execution/executions-under-way.ts";
import { allShards, parseShards } from "../execution/service-executions.ts";
import { parseMachine } from "../machine/machine-item.ts";
import { parsePool } from "../pool/pool-item.ts";
import { parseSession } from "../session/session-item.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { filterPartitions } from "../table/index-keys.ts";
import type { Key } from "../table/item.ts";
import {
  executionsKey,
  machineKey,
  memberRange,
  poolKey,
  queueKey,
  queueRange,
  serviceExecutionsKey,
  sessionKey,
} from "../table/keys.ts";
import { countRows, queryItems, queryKeys } from "../table/query.ts";

/** A queue's sort keys have one length, so nothing sorts between this and the key itself. */
function justBelow(sortKey: string): string {
  const last = sortKey.charCodeAt(sortKey.length - 1);
  return `${sortKey.slice(0, -1)}${String.fromCharCode(last - 1)}~`;
}

interface WaitingViewDeps {
  readonly table: DynamoTable;
  readonly organizationExecutionsMax: number;
  /** @default none: the executions of all organizations have no limit */
  readonly serviceExecutionsMax?: number | undefined;
}

export class DynamoWaitingView extends DynamoStore<WaitingViewDeps> implements WaitingView {
  async machine(organizationId: OrganizationId, machineId: string): Promise<Machine | undefined> {
    const item = await this.table.get(machineKey(organizationId, machineId));
    const machine = item && parseMachine(item);
    return machine?.deletedAt === null ? machine : undefined;
  }

  async session(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined> {
    const item = await this.table.get(sessionKey(organizationId, sessionId));
    return item && parseSession(item);
  }

  async members(
    organizationId: OrganizationId,
    poolIds: readonly string[],
    readMax: number,
  ): Promise<SomeMachines> {
    const pools = await this.table.batchGet(poolIds.map((poolId) => poolKey(organizationId, poolId)));
    const living = pools.map(parsePool).filter(({ deletedAt }) => deletedAt === null);
    const [smallest] = living.toSorted((left, right) => left.machineCount - right.machineCount);
    // A deleted pool has no machines.
    if (smallest === undefined || living.length < poolIds.length) return { machines: [], isCut: false };
    const rows = { partition: poolKey(organizationId, smallest.id).pk, ...memberRange, isDescending: true };
    const members = await queryItems(this.table, rows, readMax);
    const machines = await this.#machines(
      members.map((row) => machineKey(organizationId, String(row.machine_id))),
    );
    return {
      machines: machines.filter((machine) => poolIds.every((poolId) => machine.poolIds.includes(poolId))),
      isCut: members.length === readMax,
    };
  }

  async ofStatus(organizationId: OrganizationId, status: MachineStatus, max: number): Promise<SomeMachines> {
    const partition = filterPartitions.machinesByStatus(organizationId, status);
    const rows = { index: "filter1", partition, isDescending: true } as const;
    const keys = await queryKeys(this.table, rows, { skip: 0, limit: max });
    return { machines: await this.#machines(keys), isCut: keys.length === max };
  }

  async ahead(place: QueuePlace, max: number): Promise<number> {
    const { pk: partition, sk } = queueKey(place, place.runId);
    return await countRows(this.table, { partition, from: queueRange.from, to: justBelow(sk) }, max);
  }

  async limitReached(organizationId: OrganizationId): Promise<ExecutionLimit | undefined> {
    const { organizationExecutionsMax, serviceExecutionsMax } = this.deps;
    const own = executionsKey(organizationId);
    const shards = serviceExecutionsMax === undefined ? [] : allShards.map(serviceExecutionsKey);
    const items = await this.table.batchGet([own, ...shards]);
    const running = runningIn(items.find(({ pk }) => pk === own.pk));
    if (running.size >= organizationExecutionsMax) return "organization_limit";
    if (serviceExecutionsMax === undefined) return undefined;
    const isOpen = parseShards(items, serviceExecutionsMax).some(({ free, isKept }) => free > 0 && !isKept);
    return isOpen ? undefined : "service_limit";
  }

  async #machines(keys: readonly Key[]): Promise<readonly Machine[]> {
    const machines = (await this.table.batchGet(keys)).map(parseMachine);
    return machines.filter(({ deletedAt }) => deletedAt === null);
  }
}
