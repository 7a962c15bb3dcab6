import { providerSlots } from "../../../vocabulary/providers.ts";
import type { MachineStore } from "../../machine/machine-store.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { PoolStore } from "../../pool/pool-store.ts";
import type { ProviderCredentialStore } from "../../provider/provider-credential-store.ts";
import type { SecretOwner, SecretStore } from "../../secret-store.ts";
import type { WebhookEndpointStore } from "../../webhook/webhook-endpoint-store.ts";
import {
  type RemoveUnnamedDeps,
  removeUnnamed,
  type SweptLeftovers,
  unnamedAgeMs,
} from "./remove-unnamed.ts";

/** The secret store's maximum is nearly as long as the table's own recovery period. */
const recoveryDays = 30;

export interface OwnerOfSecret {
  readonly organizationId: OrganizationId;
  readonly owner: SecretOwner;
}

export interface RemoveUnnamedSecretsDeps extends RemoveUnnamedDeps {
  readonly machines: Pick<MachineStore, "find" | "findDeleted">;
  readonly pools: Pick<PoolStore, "find" | "findDeleted">;
  readonly providerCredentials: Pick<ProviderCredentialStore, "find">;
  readonly webhookEndpoints: Pick<WebhookEndpointStore, "find">;
  readonly secrets: Pick<SecretStore, "listOlderThan" | "remove">;
  /** Returns undefined for a name whose owner is unknown; such a secret is left alone. */
  readonly secretOwner: (name: string) => OwnerOfSecret | undefined;
}

export async function removeUnnamedSecrets(deps: RemoveUnnamedSecretsDeps): Promise<SweptLeftovers> {
  const createdBeforeMs = deps.clock.now() - unnamedAgeMs;
  return await removeUnnamed(deps, {
    listing: "secrets",
    list: async (position, tableId) => {
      const page = await deps.secrets.listOlderThan({ tableId, createdBeforeMs, cursor: position });
      return { entries: page.names, ...(page.cursor !== undefined && { next: page.cursor }) };
    },
    isUnnamed: async (name) => !(await isNamed(deps, name)),
    remove: (name) => deps.secrets.remove(name, recoveryDays),
  });
}

async function isNamed(deps: RemoveUnnamedSecretsDeps, name: string): Promise<boolean> {
  const known = deps.secretOwner(name);
  if (known === undefined) return true;
  const { organizationId, owner } = known;
  switch (owner.kind) {
    case "provider": {
      const slot = providerSlots.find((each) => each === owner.id);
      return !slot || (await deps.providerCredentials.find(organizationId, slot))?.secretName === name;
    }
    case "webhook":
      return (await deps.webhookEndpoints.find(organizationId, owner.id))?.secretName === name;
    case "machine":
      return await isNamedBy(deps.machines, known, name);
    case "pool":
      return await isNamedBy(deps.pools, known, name);
  }
}

/** Entities name their secret until their deletion is finished. */
async function isNamedBy(
  holders: RemoveUnnamedSecretsDeps["machines"] | RemoveUnnamedSecretsDeps["pools"],
  { organizationId, owner }: OwnerOfSecret,
  name: string,
): Promise<boolean> {
  const holder =
    (await holders.find(organizationId, owner.id)) ?? (await holders.findDeleted(organizationId, owner.id));
  return holder?.secretName === name;
}
