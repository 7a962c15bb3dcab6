import type { Clock, Ids } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { ModelConfigurationStore } from "./model-configuration-store.ts";
import { systemConfigurations } from "./system-configurations.ts";

export interface ModelConfigurationDeps {
  readonly modelConfigurations: ModelConfigurationStore;
  readonly clock: Pick<Clock, "now">;
  readonly ids: Ids;
}

export function configurationNameTaken(id: string): DomainError {
  return new DomainError("name_taken", "there is a model configuration of this name already", {
    details: { model_configuration_id: id },
  });
}

/** @throws {DomainError} `name_taken` for a name of the service's own configurations. */
export function requireNotSystemName(name: string | undefined): void {
  const holder = systemConfigurations.find((each) => each.name === name);
  if (holder !== undefined) throw configurationNameTaken(holder.id);
}

/** @throws {DomainError} `conflict` for one of the service's own configurations. */
export function requireNotSystem(id: string): void {
  if (!systemConfigurations.some((each) => each.id === id)) return;
  throw new DomainError(
    "conflict",
    `the model configuration ${id} is the service's own, which nobody changes; make one of your own`,
  );
}
