import type { MachineStore } from "../../../shared/domain/machine/machine-store.ts";
import type { PoolStore } from "../../../shared/domain/pool/pool-store.ts";
import type {
  InputSourceIds,
  InputSourceStore,
} from "../../../shared/domain/run/inputs/input-source-store.ts";
import type { WorkflowStore } from "../../../shared/domain/workflow/workflow-store.ts";

interface Stores {
  readonly workflows: Pick<WorkflowStore, "find">;
  readonly machines: Pick<MachineStore, "find">;
  readonly pools: Pick<PoolStore, "findMany">;
}

export class InMemoryInputSourceStore implements InputSourceStore {
  readonly #stores: Stores;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  async read(organizationId: string, { workflowId, machineId, poolIds }: InputSourceIds) {
    const { workflows, machines, pools } = this.#stores;
    const found = await pools.findMany(organizationId, [...new Set(poolIds)]);
    return {
      workflow: await workflows.find(organizationId, workflowId),
      machine: await machines.find(organizationId, machineId),
      pools: [...new Set(poolIds)].flatMap((id) => found.filter((pool) => pool.id === id)),
    };
  }
}
