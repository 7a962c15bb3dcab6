import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import {
  type AddMachinesOutcome,
  type MembershipStore,
  poolsOfMachineMax,
  type RemoveMachinesOutcome,
  type SetPoolsOutcome,
} from "../../../shared/domain/pool/membership-store.ts";
import type { InMemoryIdempotencyStore } from "./in-memory-idempotency-store.ts";
import type { InMemoryMachineStore } from "./in-memory-machine-store.ts";
import type { InMemoryPoolStore } from "./in-memory-pool-store.ts";

/**
 * Memberships in memory, over the fakes of machines and pools, with rows of their own as the table has them. No
 * write waits for anything on its way, so that each is as whole as a transaction.
 */
export class InMemoryMembershipStore implements MembershipStore {
  readonly #idempotencyRecords: InMemoryIdempotencyStore;
  readonly #machines: InMemoryMachineStore;
  readonly #pools: InMemoryPoolStore;
  readonly #rows = new Map<string, Set<string>>();

  constructor(
    idempotencyRecords: InMemoryIdempotencyStore,
    machines: InMemoryMachineStore,
    pools: InMemoryPoolStore,
  ) {
    this.#idempotencyRecords = idempotencyRecords;
    this.#machines = machines;
    this.#pools = pools;
  }

  async addMachines(
    organizationId: string,
    poolId: string,
    machineIds: readonly string[],
    idempotency?: Idempotency,
  ): Promise<AddMachinesOutcome> {
    this.#idempotencyRecords.check(idempotency);
    if (!this.#isLiving(organizationId, poolId)) return { kind: "pool_not_found" };
    const machines: Machine[] = [];
    for (const machineId of machineIds) {
      const machine = this.#livingMachine(organizationId, machineId);
      if (!machine) return { kind: "machine_not_found", machineId };
      machines.push(machine);
    }
    const joining = machines.filter(({ poolIds }) => !poolIds.includes(poolId));
    const kept = (machine: Machine) =>
      machine.poolIds.length < poolsOfMachineMax
        ? machine.poolIds
        : machine.poolIds.filter((id) => this.#isLiving(organizationId, id));
    const full = joining.find((machine) => kept(machine).length >= poolsOfMachineMax);
    if (full) return { kind: "too_many_pools", machineId: full.id };
    for (const machine of joining) {
      this.#join(organizationId, poolId, machine.id);
      this.#name(machine, [...kept(machine), poolId]);
    }
    const pool = structuredClone(this.#pools.row(organizationId, poolId));
    if (!pool) throw new Error("the pool was there");
    this.#idempotencyRecords.commit(idempotency, pool);
    return { kind: "added", pool };
  }

  async removeMachines(
    organizationId: string,
    poolId: string,
    machineIds: readonly string[],
    idempotency?: Idempotency,
  ): Promise<RemoveMachinesOutcome> {
    this.#idempotencyRecords.check(idempotency);
    if (!this.#isLiving(organizationId, poolId)) return { kind: "pool_not_found" };
    for (const machineId of machineIds) {
      const machine = this.#livingMachine(organizationId, machineId);
      if (machine?.poolIds.includes(poolId)) this.#leave(machine, poolId);
    }
    this.#idempotencyRecords.commit(idempotency, null);
    return { kind: "removed" };
  }

  async setPools(
    organizationId: string,
    machineId: string,
    poolIds: readonly string[],
    idempotency?: Idempotency,
  ): Promise<SetPoolsOutcome> {
    this.#idempotencyRecords.check(idempotency);
    const machine = this.#livingMachine(organizationId, machineId);
    if (!machine) return { kind: "machine_not_found" };
    const unknown = poolIds.find((poolId) => !this.#isLiving(organizationId, poolId));
    if (unknown !== undefined) return { kind: "pool_not_found", poolId: unknown };
    for (const poolId of machine.poolIds) {
      if (!poolIds.includes(poolId)) this.#leave(machine, poolId);
    }
    for (const poolId of poolIds) {
      if (!machine.poolIds.includes(poolId)) this.#join(organizationId, poolId, machineId);
    }
    this.#name(machine, poolIds);
    this.#idempotencyRecords.commit(idempotency, poolIds);
    return { kind: "set" };
  }

  async machineIds(organizationId: string, poolId: string): Promise<readonly string[]> {
    return [...this.#members(organizationId, poolId)].sort().reverse();
  }

  async leaveAllPools(organizationId: string, machineId: string): Promise<void> {
    const machine = this.#machines.row(organizationId, machineId);
    for (const poolId of machine?.poolIds ?? []) if (machine) this.#leave(machine, poolId);
  }

  async dissolve(organizationId: string, poolId: string): Promise<void> {
    for (const machineId of [...this.#members(organizationId, poolId)]) {
      this.#members(organizationId, poolId).delete(machineId);
      const machine = this.#machines.row(organizationId, machineId);
      if (machine) this.#name(machine, without(machine.poolIds, poolId));
    }
  }

  #join(organizationId: string, poolId: string, machineId: string): void {
    this.#members(organizationId, poolId).add(machineId);
    this.#count(organizationId, poolId, 1);
  }

  #leave({ organizationId, id }: Machine, poolId: string): void {
    this.#members(organizationId, poolId).delete(id);
    if (this.#isLiving(organizationId, poolId)) this.#count(organizationId, poolId, -1);
    const machine = this.#machines.row(organizationId, id);
    if (machine) this.#name(machine, without(machine.poolIds, poolId));
  }

  #count(organizationId: string, poolId: string, by: 1 | -1): void {
    const pool = this.#pools.row(organizationId, poolId);
    if (pool) this.#pools.write({ ...pool, machineCount: pool.machineCount + by });
  }

  #name({ organizationId, id }: Machine, poolIds: readonly string[]): void {
    const machine = this.#machines.row(organizationId, id);
    if (machine) this.#machines.write({ ...machine, poolIds, revision: machine.revision + 1 });
  }

  #livingMachine(organizationId: string, machineId: string): Machine | undefined {
    const machine = this.#machines.row(organizationId, machineId);
    return machine?.deletedAt === null ? machine : undefined;
  }

  #isLiving(organizationId: string, poolId: string): boolean {
    return this.#pools.row(organizationId, poolId)?.deletedAt === null;
  }

  #members(organizationId: string, poolId: string): Set<string> {
    const key = JSON.stringify([organizationId, poolId]);
    const members = this.#rows.get(key) ?? new Set<string>();
    this.#rows.set(key, members);
    return members;
  }
}

function without(ids: readonly string[], id: string): readonly string[] {
  return ids.filter((each) => each !== id);
}
