import type { OrganizationId } from "../access/organization-id.ts";
import type { Ids } from "../clock.ts";
import type { Idempotency, IdempotencyStore } from "../idempotency/idempotency.ts";
import { withLease } from "../idempotency/with-lease.ts";
import type { Logger } from "../logger.ts";
import type { SecretOwner, SecretStore, SecretValues } from "../secret-store.ts";

/** What whoever keeps secrets beside an entity needs. */
export interface SecretDeps {
  readonly secrets: SecretStore;
  readonly idempotencyRecords: IdempotencyStore;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** What an entity keeps of its secrets. */
export interface SecretReference {
  readonly secretName: string | null;
  readonly sensitiveAliases: readonly string[];
}

/** Where a secret belongs, and what names it the same for whoever takes over after a crash. */
export interface SecretPlace {
  readonly organizationId: OrganizationId;
  readonly owner: SecretOwner;
  /** Fresh, or a leased idempotency record's. */
  readonly id: string;
}

/** Writes the values under a fresh name, before anything names it. Nothing to write for an empty object. */
export async function writeSecret(
  deps: Pick<SecretDeps, "secrets">,
  place: SecretPlace,
  values: SecretValues,
): Promise<SecretReference> {
  const sensitiveAliases = Object.keys(values);
  if (sensitiveAliases.length === 0) return { secretName: null, sensitiveAliases };
  const secretName = deps.secrets.secretName(place.organizationId, place.owner, place.id);
  await deps.secrets.create(secretName, values);
  return { secretName, sensitiveAliases };
}

/** Removes a secret that nothing names any more. A failure costs nobody anything: the sweeper comes to it later. */
export async function removeSecret(
  deps: Pick<SecretDeps, "secrets" | "logger">,
  name: string | null,
): Promise<void> {
  if (name === null) return;
  try {
    await deps.secrets.remove(name);
  } catch (cause) {
    deps.logger.warn("a secret that nothing names is left to the sweeper", { cause });
  }
}

/** Names a secret that turned out to be of no use, to be removed once the idempotency record is released. */
export type Abandon = (secretName: string | null) => void;

/**
 * Works under an idempotency record that is held from before the first secret is written, so that its ids are stable; released
 * when the work fails, which forgets nothing that has been committed.
 *
 * Abandoned secrets go after the release: an attempt that took the idempotency record over would write under their names, and
 * a name whose secret is being deleted cannot be written.
 *
 * @throws {AlreadyOnRecord} when the idempotency record is not to be had.
 */
export async function withSecrets<Result>(
  deps: Pick<SecretDeps, "idempotencyRecords" | "secrets" | "logger">,
  idempotency: Idempotency | undefined,
  work: (leased: Idempotency | undefined, abandon: Abandon) => Promise<Result>,
): Promise<Result> {
  const abandoned: (string | null)[] = [];
  try {
    return await withLease(deps, idempotency, (leased) =>
      work(leased, (secretName) => abandoned.push(secretName)),
    );
  } catch (error) {
    for (const secretName of abandoned) await removeSecret(deps, secretName);
    throw error;
  }
}
