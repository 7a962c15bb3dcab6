import { type Caller, requireScope } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import {
  configurationNotFound,
  type ModelConfigurationDeps,
  requireNotSystem,
} from "./model-configuration-deps.ts";

/**
 * Removes one that no workflow names. A workflow that begins to name it meets this in its transaction: one of the two
 * is refused.
 *
 * @throws {DomainError} `insufficient_scope`, `not_found` (also for another organization's), `conflict` for one that
 * workflows name or that is the service's own.
 * @throws {AlreadyOnRecord}
 */
export async function deleteModelConfiguration(
  deps: Pick<ModelConfigurationDeps, "modelConfigurations">,
  caller: Caller,
  { id }: { readonly id: string },
  idempotency?: Idempotency,
): Promise<void> {
  requireScope(caller, "write");
  requireNotSystem(id);
  const outcome = await deps.modelConfigurations.remove(caller.organizationId, id, idempotency);
  switch (outcome.kind) {
    case "removed":
      return;
    case "not_found":
      throw configurationNotFound(id);
    case "named":
      throw new DomainError(
        "conflict",
        `the model configuration ${id} is named by ${outcome.workflowCount} workflows; let them name another one first`,
        { details: { workflow_count: outcome.workflowCount } },
      );
  }
}
