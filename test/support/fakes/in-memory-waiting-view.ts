import { machineStatus, type MachineStatus } from "../../../shared/domain/machine/machine.ts";
import type {
  QueuePlace,
  SomeMachines,
  WaitingView,
} from "../../../shared/domain/run/waiting/waiting-view.ts";
import type { InMemoryMachineStore } from "./in-memory-machine-store.ts";
import type { InMemoryMembershipStore } from "./in-memory-membership-store.ts";
import type { InMemoryPoolStore } from "./in-memory-pool-store.ts";
import type { InMemoryRunStore } from "./in-memory-run-store.ts";

interface Stores {
  readonly machines: Pick<InMemoryMachineStore, "find" | "findMany" | "list">;
  readonly pools: Pick<InMemoryPoolStore, "findMany">;
  readonly memberships: Pick<InMemoryMembershipStore, "machineIds">;
  readonly runs: Pick<InMemoryRunStore, "findSession" | "queueOf">;
}

export class InMemoryWaitingView implements WaitingView {
  readonly #stores: Stores;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  async machine(organizationId: string, machineId: string) {
    return await this.#stores.machines.find(organizationId, machineId);
  }

  async session(organizationId: string, sessionId: string) {
    return await this.#stores.runs.findSession(organizationId, sessionId);
  }

  async members(organizationId: string, poolIds: readonly string[], max: number): Promise<SomeMachines> {
    const pools = await this.#stores.pools.findMany(organizationId, poolIds);
    const [smallest] = pools.toSorted((left, right) => left.machineCount - right.machineCount);
    if (smallest === undefined || pools.length < poolIds.length) return { machines: [], isCut: false };
    const ids = (await this.#stores.memberships.machineIds(organizationId, smallest.id)).slice(0, max);
    const machines = await this.#stores.machines.findMany(organizationId, ids);
    return {
      machines: machines.filter((machine) => poolIds.every((poolId) => machine.poolIds.includes(poolId))),
      isCut: ids.length === max,
    };
  }

  async ofStatus(organizationId: string, status: MachineStatus, max: number): Promise<SomeMachines> {
    const page = await this.#stores.machines.list(organizationId, { status }, { skip: 0, limit: max });
    return {
      machines: page.items.filter((machine) => machineStatus(machine) === status),
      isCut: page.items.length === max,
    };
  }

  async ahead({ organizationId, target, queuedAtMs, runId }: QueuePlace, max: number): Promise<number> {
    const ahead = this.#stores.runs.queueOf(organizationId, target).filter((other) => {
      const id = other.waiting.kind === "run" ? other.waiting.runId : other.waiting.sessionId;
      const isOlder = randomPart(id) < randomPart(runId);
      return other.queuedAtMs < queuedAtMs || (other.queuedAtMs === queuedAtMs && isOlder);
    });
    return Math.min(max, ahead.length);
  }
}

/** Of a UUID of version 7: what follows its moment. */
function randomPart(id: string): string {
  return id.replaceAll("-", "").slice(12);
}
