import type { Machine } from "../../machine/machine.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { RunSettings } from "../create/new-run.ts";

export interface InputSourceIds {
  readonly workflowId: string;
  /** Null: the workflow alone, or with pools. */
  readonly machineId: string | null;
  readonly poolIds: readonly string[];
}

/** The sources of a run's inputs, and the schema to check them with. Missing or deleted ones are left out. */
export interface StoredInputSources {
  readonly workflow: Workflow | undefined;
  readonly machine: Machine | undefined;
  /** In the requested order. */
  readonly pools: readonly Pool[];
}

export interface InputSourceStore {
  /** All of them in a single batch read. */
  read(organizationId: OrganizationId, ids: InputSourceIds): Promise<StoredInputSources>;
  /** By workflow id, of those that exist: one batch read. */
  settings(
    organizationId: OrganizationId,
    workflowIds: readonly string[],
  ): Promise<ReadonlyMap<string, RunSettings>>;
}
