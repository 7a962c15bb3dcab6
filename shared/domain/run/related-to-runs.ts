import type { Machine } from "../machine/machine.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Pool } from "../pool/pool.ts";
import { poolsOfMachines } from "../pool/pool-members.ts";
import type { PoolStore } from "../pool/pool-store.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import type { Run } from "./run.ts";

export type RelatedKind = "workflow" | "machine" | "machine.pools";

export interface RelatedDeps {
  readonly workflows: Pick<WorkflowStore, "findMany">;
  readonly machines: Pick<MachineStore, "findMany">;
  readonly pools: Pick<PoolStore, "findMany">;
}

export interface Related {
  readonly workflows: readonly Workflow[];
  readonly machines: readonly Machine[];
  readonly pools: ReadonlyMap<string, Pool>;
}

/** Makes one batch read per 100 of each kind. */
export async function relatedToRuns(
  deps: RelatedDeps,
  organizationId: OrganizationId,
  runs: readonly Run[],
  kinds: readonly RelatedKind[],
): Promise<Related> {
  const wantsMachines = kinds.includes("machine") || kinds.includes("machine.pools");
  const [workflows, machines] = await Promise.all([
    kinds.includes("workflow")
      ? find(
          deps.workflows,
          organizationId,
          runs.map((run) => run.workflowId),
        )
      : [],
    wantsMachines
      ? find(
          deps.machines,
          organizationId,
          runs.map((run) => run.machineId),
        )
      : [],
  ]);
  return { workflows, machines, pools: await poolsOfMachines(deps.pools, organizationId, machines) };
}

async function find<T>(
  store: { findMany(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly T[]> },
  organizationId: OrganizationId,
  named: readonly (string | null)[],
): Promise<readonly T[]> {
  const ids = [...new Set(named.filter((id) => id !== null))];
  return ids.length === 0 ? [] : await store.findMany(organizationId, ids);
}
