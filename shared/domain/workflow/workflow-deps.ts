import type { Clock, Ids } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { SchemaDeps } from "./require-schemas.ts";
import type { WorkflowStore } from "./workflow-store.ts";

export interface WorkflowDeps extends SchemaDeps {
  readonly workflows: WorkflowStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function workflowNotFound(workflowId: string): DomainError {
  return new DomainError("not_found", `there is no workflow ${workflowId}`);
}
