import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { limitReached } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import {
  choiceDefaults,
  configurationDefaults,
  modelConfigurationsMax,
  type OwnConfiguration,
} from "./model-configuration.ts";
import {
  configurationNameTaken,
  type ModelConfigurationDeps,
  requireNotSystemName,
} from "./model-configuration-deps.ts";

export type CreateModelConfigurationInput = Pick<OwnConfiguration, "name" | "provider" | "model"> &
  Partial<
    Pick<
      OwnConfiguration,
      | "description"
      | "isComputerUseModel"
      | "temperature"
      | "maxOutputTokens"
      | "timeoutSeconds"
      | "additionalParams"
    >
  >;

/** @throws {DomainError} `name_taken` or `limit_reached`. */
export async function createModelConfiguration(
  deps: ModelConfigurationDeps,
  caller: Caller,
  input: CreateModelConfigurationInput,
  idempotency?: Idempotency,
): Promise<OwnConfiguration> {
  requireScope(caller, "write");
  requireNotSystemName(input.name);
  const createdAt = isoTimestamp(deps.clock.now());
  const configuration: OwnConfiguration = {
    ...configurationDefaults,
    ...choiceDefaults,
    ...input,
    id: idempotency?.ids[0] ?? deps.ids.uuid7(),
    organizationId: caller.organizationId,
    createdAt,
    updatedAt: createdAt,
    revision: 1,
  };
  const outcome = await deps.modelConfigurations.create(configuration, idempotency);
  switch (outcome.kind) {
    case "created":
      return configuration;
    case "name_taken":
      throw configurationNameTaken(outcome.id);
    case "limit_reached":
      throw limitReached("model configurations", modelConfigurationsMax);
  }
}
