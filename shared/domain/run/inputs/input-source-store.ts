import type { Machine } from "../../machine/machine.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { RunSettings } from "../create/new-run.ts";

export interface InputSourceIds {
  readonly workflowId: string;
  readonly machineId: string | null;
  readonly poolIds: readonly string[];
}

export interface StoredInputSources {
  readonly workflow: Workflow | undefined;
  readonly machine: Machine | undefined;
  readonly pools: readonly Pool[];
}

export interface InputSourceStore {
  read(organizationId: OrganizationId, ids: InputSourceIds): Promise<StoredInputSources>;
  settings(
    organizationId: OrganizationId,
    workflowIds: readonly string[],
  ): Promise<ReadonlyMap<string, RunSettings>>;
}
