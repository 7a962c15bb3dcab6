import { type RateLimiter, requireRoom } from "../access/rate-limits.ts";
import type { Ids } from "../clock.ts";
import type { Idempotency, IdempotencyStore } from "../idempotency/idempotency.ts";
import { withLease } from "../idempotency/with-lease.ts";
import type { Logger } from "../logger.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { SecretOwner, SecretStore, SecretValues } from "../secret-store.ts";

/**
 * One organization's share is a tenth of the writes that Secrets Manager allows an account in a Region.
 *
 * Source: https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
 */
const secretWritesPerSecond = 5;

export interface SecretDeps {
  readonly secrets: SecretStore;
  readonly rateLimiter: RateLimiter;
  readonly idempotencyRecords: IdempotencyStore;
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface SecretReference {
  readonly secretName: string | null;
  readonly sensitiveAliases: readonly string[];
}

/** The location of a secret is deterministic, so that a retry after a crash uses the same name. */
export interface SecretPlace {
  readonly organizationId: OrganizationId;
  readonly owner: SecretOwner;
  readonly id: string;
}

/** Writes the values, unless there are none, before anything names them. @throws {DomainError} `rate_limited` */
export async function writeSecret(
  deps: Pick<SecretDeps, "secrets" | "rateLimiter">,
  place: SecretPlace,
  values: SecretValues,
): Promise<SecretReference> {
  const sensitiveAliases = Object.keys(values);
  if (sensitiveAliases.length === 0) return { secretName: null, sensitiveAliases };
  const name = `secret-writes#${place.organizationId}`;
  await requireRoom(
    deps,
    { name, limit: secretWritesPerSecond, windowSeconds: 1 },
    `an organization writes secrets at most ${secretWritesPerSecond} times a second; try again`,
  );
  const secretName = deps.secrets.secretName(place.organizationId, place.owner, place.id);
  await deps.secrets.create(secretName, values);
  return { secretName, sensitiveAliases };
}

/** Removes an unnamed secret. A failure is harmless: the sweeper removes it later. */
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

/** Marks a secret as unused, to be removed once the lease is released. */
export type Abandon = (secretName: string | null) => void;

/**
 * Abandoned secrets are removed after the lease's release, because an attempt that took the lease over would write
 * under their names, and a name whose secret is being deleted cannot be written.
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
