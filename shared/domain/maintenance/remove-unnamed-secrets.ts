import type { OrganizationId } from "../access/organization-id.ts";
import type { Clock } from "../clock.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { PoolStore } from "../pool/pool-store.ts";
import { providerSlots } from "../provider/covered-providers.ts";
import type { ProviderCredentialStore } from "../provider/provider-credential-store.ts";
import type { SecretOwner, SecretStore } from "../secret-store.ts";
import { forEachBounded } from "./bounded-parallel.ts";

/** Longer than any request or retry that may still name its secret. */
export const unnamedSecretAgeMs = 24 * 3_600_000;

/** A secret's owner, by its name. */
export interface OwnerOfSecret {
  readonly organizationId: OrganizationId;
  readonly owner: SecretOwner;
}

export interface RemoveUnnamedSecretsDeps {
  readonly machines: Pick<MachineStore, "find" | "findDeleted">;
  readonly pools: Pick<PoolStore, "find" | "findDeleted">;
  readonly providerCredentials: Pick<ProviderCredentialStore, "find">;
  readonly secrets: Pick<SecretStore, "listOlderThan" | "remove">;
  /** Undefined for a name whose owner is unknown: the secret is left alone. */
  readonly secretOwner: (name: string) => OwnerOfSecret | undefined;
  readonly clock: Clock;
}

export interface RemovedSecrets {
  readonly removed: number;
  /** Where the next run continues; absent at the end. */
  readonly cursor?: string;
}

/** Checks one page of old secrets, and removes those that their owner does not name (any more). */
export async function removeUnnamedSecrets(
  deps: RemoveUnnamedSecretsDeps,
  cursor: string | undefined,
): Promise<RemovedSecrets> {
  const page = await deps.secrets.listOlderThan(deps.clock.now() - unnamedSecretAgeMs, cursor);
  let removed = 0;
  await forEachBounded(page.names, async (name) => {
    if (await isNamed(deps, name)) return;
    await deps.secrets.remove(name);
    removed += 1;
  });
  return { removed, ...(page.cursor !== undefined && { cursor: page.cursor }) };
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
    case "machine":
      return await isNamedBy(deps.machines, known, name);
    case "pool":
      return await isNamedBy(deps.pools, known, name);
  }
}

/** Entities keep their secret's name until their deletion is finished. */
async function isNamedBy(
  holders: RemoveUnnamedSecretsDeps["machines"] | RemoveUnnamedSecretsDeps["pools"],
  { organizationId, owner }: OwnerOfSecret,
  name: string,
): Promise<boolean> {
  const holder =
    (await holders.find(organizationId, owner.id)) ?? (await holders.findDeleted(organizationId, owner.id));
  return holder?.secretName === name;
}
