import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import { ChangedTooOften } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { CreateModelConfigurationInput } from "./create-model-configuration.ts";
import type { OwnConfiguration } from "./model-configuration.ts";
import {
  configurationNameTaken,
  type ModelConfigurationDeps,
  requireNotSystem,
  requireNotSystemName,
} from "./model-configuration-deps.ts";

export interface UpdateModelConfigurationInput extends Partial<CreateModelConfigurationInput> {
  readonly id: string;
}

/** @throws {DomainError} `not_found`, `conflict` for one of the service's own, or `name_taken`. */
export async function updateModelConfiguration(
  deps: Pick<ModelConfigurationDeps, "modelConfigurations" | "clock">,
  caller: Caller,
  { id, ...fields }: UpdateModelConfigurationInput,
  idempotency?: Idempotency,
): Promise<OwnConfiguration> {
  requireScope(caller, "write");
  requireNotSystem(id);
  requireNotSystemName(fields.name);
  const change = { ...fields, updatedAt: isoTimestamp(deps.clock.now()) };
  const outcome = await deps.modelConfigurations.update(caller.organizationId, id, change, idempotency);
  switch (outcome.kind) {
    case "updated":
      return outcome.configuration;
    case "not_found":
      throw notFound("model configuration", id);
    case "name_taken":
      throw configurationNameTaken(outcome.id);
    case "changed":
      throw new ChangedTooOften("the model configuration");
  }
}
