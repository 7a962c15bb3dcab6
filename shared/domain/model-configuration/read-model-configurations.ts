import { type Caller, requireScope } from "../access/caller.ts";
import { required } from "../entity/not-found.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { ModelConfiguration } from "./model-configuration.ts";
import type { ModelConfigurationStore } from "./model-configuration-store.ts";
import { isSystemId, systemConfigurations } from "./system-configurations.ts";

interface Deps {
  readonly modelConfigurations: Pick<ModelConfigurationStore, "findMany">;
}

/** The service's own configurations come first, then the organization's, oldest first. */
export async function listModelConfigurations(
  deps: { readonly modelConfigurations: Pick<ModelConfigurationStore, "list"> },
  caller: Caller,
): Promise<readonly ModelConfiguration[]> {
  requireScope(caller, "read");
  return [...systemConfigurations, ...(await deps.modelConfigurations.list(caller.organizationId))];
}

export async function getModelConfiguration(
  deps: Deps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<ModelConfiguration> {
  requireScope(caller, "read");
  const [found] = await findModelConfigurations(deps, caller.organizationId, [id]);
  return required(found, "model configuration", id);
}

/** Returns the existing ones in that order, including the service's own, with at most one batch read. */
export async function findModelConfigurations(
  deps: Deps,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<readonly ModelConfiguration[]> {
  const others = ids.filter((id) => !isSystemId(id));
  const own = others.length === 0 ? [] : await deps.modelConfigurations.findMany(organizationId, others);
  const known: readonly ModelConfiguration[] = [...systemConfigurations, ...own];
  return ids.map((id) => known.find((each) => each.id === id)).filter((each) => each !== undefined);
}
