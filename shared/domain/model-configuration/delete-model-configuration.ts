import { type Caller, requireScope } from "../access/caller.ts";
import { notFound } from "../entity/not-found.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type ModelConfigurationDeps, requireNotSystem } from "./model-configuration-deps.ts";

/** A workflow that begins to name it conflicts in its transaction. @throws {DomainError} `not_found` or `conflict` */
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
      throw notFound("model configuration", id);
    case "named":
      throw new DomainError(
        "conflict",
        `the model configuration ${id} is named by ${outcome.workflowCount} workflows; let them name another one first`,
        { details: { workflow_count: outcome.workflowCount } },
      );
  }
}
