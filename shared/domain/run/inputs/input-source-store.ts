import type { OrganizationId } from "../../access/organization-id.ts";
import type { Machine } from "../../machine/machine.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Workflow } from "../../workflow/workflow.ts";

export interface InputSourceIds {
  readonly workflowId: string;
  readonly machineId: string;
  readonly poolIds: readonly string[];
}

/** Where a run's inputs come from, and what they are checked by. What is missing or deleted is left out. */
export interface StoredInputSources {
  readonly workflow: Workflow | undefined;
  readonly machine: Machine | undefined;
  /** In the order asked for. */
  readonly pools: readonly Pool[];
}

export interface InputSourceStore {
  /** All of them at one moment's cost: a single batch read. */
  read(organizationId: OrganizationId, ids: InputSourceIds): Promise<StoredInputSources>;
}
