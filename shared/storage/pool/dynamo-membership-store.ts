import { type Edit, requireEdition } from "../../domain/entity/edition.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { Machine } from "../../domain/machine/machine.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type {
  AddMachinesOutcome,
  MembershipStore,
  RemoveMachinesOutcome,
  SetPoolsOutcome,
} from "../../domain/pool/membership-store.ts";
import type { Pool } from "../../domain/pool/pool.ts";
import { poolsOfMachineMax } from "../../vocabulary/machines.ts";
import { type Attempt, writeAsRead } from "../entity/update-entity.ts";
import { parseMachine } from "../machine/machine-item.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import type { Write } from "../table/expression.ts";
import { machineKey, memberRange, poolKey } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { joinWrite, leaveWrite, memberCountWrite, memberId, poolIdsWrite } from "./membership-writes.ts";
import { parsePool } from "./pool-item.ts";

/** Each member takes two items of a transaction. */
const dissolvedAtOnce = 40;

export class DynamoMembershipStore extends DynamoStore<StoreDeps> implements MembershipStore {
  async addMachines(
    organizationId: OrganizationId,
    poolId: string,
    machineIds: readonly string[],
    idempotency?: Idempotency,
    edit: Edit = {},
  ): Promise<AddMachinesOutcome> {
    return await this.#write<AddMachinesOutcome>(idempotency, async () => {
      const { pool, machines } = await this.#poolAndMachines(organizationId, poolId, machineIds);
      if (!pool) return { refused: { kind: "pool_not_found" } };
      requireEdition(pool, edit);
      const unknown = machineIds.find((machineId) => !machines.has(machineId));
      if (unknown !== undefined) return { refused: { kind: "machine_not_found", machineId: unknown } };
      const joining = [...machines.values()].filter(({ poolIds }) => !poolIds.includes(poolId));
      const kept = await this.#keptPools(organizationId, joining);
      const full = joining.find(({ id }) => (kept.get(id) ?? []).length >= poolsOfMachineMax);
      if (full) return { refused: { kind: "too_many_pools", machineId: full.id } };
      const after = { ...pool, machineCount: pool.machineCount + joining.length };
      return {
        parts: {
          pool: memberCountWrite(organizationId, poolId, joining.length, edit),
          machines: joining.flatMap((machine) => [
            poolIdsWrite(machine, [...(kept.get(machine.id) ?? []), poolId], {}),
            joinWrite(organizationId, poolId, machine.id),
          ]),
        },
        outcome: { kind: "added", pool: after },
        result: after,
      };
    });
  }

  async removeMachines(
    organizationId: OrganizationId,
    poolId: string,
    machineIds: readonly string[],
    idempotency?: Idempotency,
    edit: Edit = {},
  ): Promise<RemoveMachinesOutcome> {
    return await this.#write<RemoveMachinesOutcome>(idempotency, async () => {
      const { pool, machines } = await this.#poolAndMachines(organizationId, poolId, machineIds);
      if (!pool) return { refused: { kind: "pool_not_found" } };
      requireEdition(pool, edit);
      const leaving = [...machines.values()].filter(({ poolIds }) => poolIds.includes(poolId));
      return {
        parts: {
          pool: memberCountWrite(organizationId, poolId, -leaving.length, edit),
          machines: leaving.flatMap((machine) => [
            poolIdsWrite(machine, without(machine.poolIds, poolId), {}),
            leaveWrite(organizationId, poolId, machine.id),
          ]),
        },
        outcome: { kind: "removed" },
        result: null,
      };
    });
  }

  async setPools(
    organizationId: OrganizationId,
    machineId: string,
    poolIds: readonly string[],
    idempotency?: Idempotency,
    edit: Edit = {},
  ): Promise<SetPoolsOutcome> {
    return await this.#write<SetPoolsOutcome>(idempotency, async () => {
      const machine = await this.#machine(organizationId, machineId);
      if (!machine || machine.deletedAt !== null) return { refused: { kind: "machine_not_found" } };
      requireEdition(machine, edit);
      const before = machine.poolIds;
      const living = await this.#livingPools(organizationId, [...before, ...poolIds]);
      const unknown = poolIds.find((poolId) => !living.has(poolId));
      if (unknown !== undefined) return { refused: { kind: "pool_not_found", poolId: unknown } };
      const joined = poolIds.filter((poolId) => !before.includes(poolId));
      return {
        parts: {
          machine: poolIdsWrite(machine, poolIds, edit),
          joined: joined.flatMap((poolId) => [
            memberCountWrite(organizationId, poolId, 1, {}),
            joinWrite(organizationId, poolId, machineId),
          ]),
          left: leavingWrites(
            machine,
            before.filter((poolId) => !poolIds.includes(poolId)),
            living,
            {},
          ),
        },
        outcome: { kind: "set" },
        result: poolIds,
      };
    });
  }

  async machineIds(organizationId: OrganizationId, poolId: string): Promise<readonly string[]> {
    const partition = poolKey(organizationId, poolId).pk;
    const rows = await queryItems(this.table, { partition, ...memberRange, isDescending: true });
    return rows.map(memberId);
  }

  async leaveAllPools(organizationId: OrganizationId, machineId: string): Promise<void> {
    await this.#write<undefined>(undefined, async () => {
      const machine = await this.#machine(organizationId, machineId);
      if (!machine || machine.poolIds.length === 0) return { refused: undefined };
      const living = await this.#livingPools(organizationId, machine.poolIds);
      return {
        parts: {
          machine: poolIdsWrite(machine, [], undefined),
          left: leavingWrites(machine, machine.poolIds, living, undefined),
        },
        outcome: undefined,
        result: null,
      };
    });
  }

  async dissolve(organizationId: OrganizationId, poolId: string): Promise<void> {
    const partition = poolKey(organizationId, poolId).pk;
    for (let left = true; left; ) {
      left = await this.#write<boolean>(undefined, async () => {
        const rows = await queryItems(this.table, { partition, ...memberRange }, dissolvedAtOnce);
        if (rows.length === 0) return { refused: false };
        const machineIds = rows.map(memberId);
        const machines = await this.#machines(organizationId, machineIds);
        const leaving = machines.filter(({ poolIds }) => poolIds.includes(poolId));
        return {
          parts: {
            members: machineIds.map((machineId) => leaveWrite(organizationId, poolId, machineId)),
            machines: leaving.map((machine) =>
              poolIdsWrite(machine, without(machine.poolIds, poolId), undefined),
            ),
          },
          outcome: true,
          result: null,
        };
      });
    }
  }

  async #write<Outcome>(
    idempotency: Idempotency | undefined,
    attempt: () => Promise<Attempt<Outcome, string>>,
  ): Promise<Outcome> {
    const deps = { table: this.table, clock: this.deps.clock };
    return await writeAsRead(deps, { what: "the membership", idempotency }, attempt);
  }

  async #poolAndMachines(organizationId: OrganizationId, poolId: string, machineIds: readonly string[]) {
    const keys = machineIds.map((machineId) => machineKey(organizationId, machineId));
    const items = await this.table.batchGet([poolKey(organizationId, poolId), ...keys]);
    const pool = items.filter(({ kind }) => kind === "pool").map(parsePool)[0];
    const machines = items.filter(({ kind }) => kind === "machine").map(parseMachine);
    return {
      pool: pool?.deletedAt === null ? pool : undefined,
      machines: new Map(
        machines.filter(({ deletedAt }) => deletedAt === null).map((machine) => [machine.id, machine]),
      ),
    };
  }

  /** A full machine may name deleted pools, which are dropped so that they do not keep it from joining another. */
  async #keptPools(organizationId: OrganizationId, machines: readonly Machine[]) {
    const full = machines.filter(({ poolIds }) => poolIds.length >= poolsOfMachineMax);
    const living = await this.#livingPools(
      organizationId,
      full.flatMap(({ poolIds }) => poolIds),
    );
    return new Map(
      machines.map((machine) => [
        machine.id,
        full.includes(machine) ? machine.poolIds.filter((poolId) => living.has(poolId)) : machine.poolIds,
      ]),
    );
  }

  async #livingPools(
    organizationId: OrganizationId,
    poolIds: readonly string[],
  ): Promise<ReadonlyMap<string, Pool>> {
    const keys = [...new Set(poolIds)].map((poolId) => poolKey(organizationId, poolId));
    const pools = (await this.table.batchGet(keys)).map(parsePool);
    return new Map(pools.filter(({ deletedAt }) => deletedAt === null).map((pool) => [pool.id, pool]));
  }

  async #machine(organizationId: OrganizationId, machineId: string): Promise<Machine | undefined> {
    const item = await this.table.get(machineKey(organizationId, machineId));
    return item && parseMachine(item);
  }

  async #machines(
    organizationId: OrganizationId,
    machineIds: readonly string[],
  ): Promise<readonly Machine[]> {
    const keys = machineIds.map((machineId) => machineKey(organizationId, machineId));
    return (await this.table.batchGet(keys)).map(parseMachine);
  }
}

/** Members of a deleted pool are no longer counted. */
function leavingWrites(
  { organizationId, id }: Machine,
  poolIds: readonly string[],
  living: ReadonlyMap<string, Pool>,
  edit: Edit | undefined,
): readonly Write[] {
  return poolIds.flatMap((poolId) => [
    leaveWrite(organizationId, poolId, id),
    ...(living.has(poolId) ? [memberCountWrite(organizationId, poolId, -1, edit)] : []),
  ]);
}

function without(ids: readonly string[], id: string): readonly string[] {
  return ids.filter((each) => each !== id);
}
