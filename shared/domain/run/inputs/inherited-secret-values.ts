import type { OrganizationId } from "../../organization-id.ts";
import type { SecretStore, SecretValues } from "../../secret-store.ts";
import type { Run, SecretOwner } from "../run.ts";

export type OwnedSecret = SecretOwner & { readonly secretName: string };

export interface SecretOwnerStore {
  /** Makes one batch read; owners without a secret are left out. */
  read(organizationId: OrganizationId, owners: readonly SecretOwner[]): Promise<readonly OwnedSecret[]>;
}

export interface InheritedSecretDeps {
  readonly secretOwners: SecretOwnerStore;
  readonly secrets: Pick<SecretStore, "read">;
}

/** Between the two reads a new value may replace the old one, whose secret is then removed. */
const attemptsMax = 2;

/** Makes one batch read of the owners, and one read of the secret store for each. Removed aliases are left out. */
export async function inheritedSecretValues(
  deps: InheritedSecretDeps,
  { organizationId, inheritedSecrets }: Pick<Run, "organizationId" | "inheritedSecrets">,
): Promise<SecretValues> {
  const aliases = Object.entries(inheritedSecrets);
  if (aliases.length === 0) return {};
  const owners = [...new Map(aliases.map(([, owner]) => [nameOf(owner), owner])).values()];
  const values = new Map<string, SecretValues>();
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const unknown = owners.filter((owner) => !values.has(nameOf(owner)));
    const owned = unknown.length === 0 ? [] : await deps.secretOwners.read(organizationId, unknown);
    await Promise.all(owned.map((each) => readInto(deps, each, values)));
    // An owner without a secret has none on the second read either.
    if (owned.every((owner) => values.has(nameOf(owner)))) break;
  }
  return Object.fromEntries(
    aliases.flatMap(([alias, owner]) => {
      const ofOwner = values.get(nameOf(owner)) ?? {};
      const value = Object.hasOwn(ofOwner, alias) ? ofOwner[alias] : undefined;
      return value === undefined ? [] : [[alias, value]];
    }),
  );
}

async function readInto(
  { secrets }: InheritedSecretDeps,
  owned: OwnedSecret,
  values: Map<string, SecretValues>,
): Promise<void> {
  const read = await secrets.read(owned.secretName);
  if (read !== undefined) values.set(nameOf(owned), read);
}

function nameOf({ kind, id }: SecretOwner): string {
  return `${kind} ${id}`;
}
