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
  const values = await valuesOfOwners(deps, organizationId, owners);
  return Object.fromEntries(
    aliases.flatMap(([alias, owner]) => {
      const ofOwner = values.get(nameOf(owner)) ?? {};
      const value = Object.hasOwn(ofOwner, alias) ? ofOwner[alias] : undefined;
      return value === undefined ? [] : [[alias, value]];
    }),
  );
}

/**
 * The secrets of all the owners together; of an alias that several have, the first one's.
 *
 * @returns undefined when one of their secrets cannot be read.
 */
export async function secretValuesOf(
  deps: InheritedSecretDeps,
  organizationId: OrganizationId,
  owners: readonly SecretOwner[],
): Promise<SecretValues | undefined> {
  const values = await valuesOfOwners(deps, organizationId, owners);
  if ([...values.values()].includes(undefined)) return undefined;
  const all = owners.toReversed().map((owner) => Object.entries(values.get(nameOf(owner)) ?? {}));
  return Object.fromEntries(all.flat());
}

/** Owners without a secret are left out, and one whose secret cannot be read has no values. */
async function valuesOfOwners(
  deps: InheritedSecretDeps,
  organizationId: OrganizationId,
  owners: readonly SecretOwner[],
): Promise<ReadonlyMap<string, SecretValues | undefined>> {
  const values = new Map<string, SecretValues | undefined>();
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const unknown = owners.filter((owner) => values.get(nameOf(owner)) === undefined);
    const owned = unknown.length === 0 ? [] : await deps.secretOwners.read(organizationId, unknown);
    await Promise.all(owned.map((each) => readInto(deps, each, values)));
    // An owner without a secret has none on the second read either.
    if (owned.every((owner) => values.get(nameOf(owner)) !== undefined)) break;
  }
  return values;
}

async function readInto(
  { secrets }: InheritedSecretDeps,
  owned: OwnedSecret,
  values: Map<string, SecretValues | undefined>,
): Promise<void> {
  values.set(nameOf(owned), await secrets.read(owned.secretName));
}

function nameOf({ kind, id }: SecretOwner): string {
  return `${kind} ${id}`;
}
