import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { SecretOwner, SecretValues } from "../secret-store.ts";
import {
  removeSecret,
  type SecretDeps,
  type SecretReference,
  withSecrets,
  writeSecret,
} from "./own-secret.ts";

/** A driver's ping changes its machine too: the entity is read again this many times before the caller has to retry. */
const attemptsMax = 4;

/** An entity with secrets that supports conditional writes. */
export interface SecretHolder {
  readonly secretName: string | null;
  readonly revision: number;
}

/** How such an entity is read and changed. */
export interface HolderAccess<Holder extends SecretHolder, Outcome extends { readonly kind: string }> {
  readonly organizationId: OrganizationId;
  readonly owner: SecretOwner;
  /** Undefined when it is not there (any more). */
  find(): Promise<Holder | undefined>;
  /** Writes only at `before`'s revision, and returns `changed` when the entity has another one. */
  update(secret: SecretReference, before: Holder, leased: Idempotency | undefined): Promise<Outcome>;
}

/**
 * Changes an entity together with its secrets: writes the new secret, then the entity that names it, then removes the
 * old one. A crash anywhere leaves an unnamed secret, never a dangling name.
 *
 * `settle` handles the outcome: it throws for everything but `updated`, while the lease is held, so that a refusal
 * releases it.
 *
 * @throws {DomainError} `rate_limited` by the secret store, and what `settle` throws.
 * @throws {AlreadyOnRecord}
 */
export async function replaceSecret<
  Holder extends SecretHolder,
  Outcome extends { readonly kind: string },
  Result,
>(
  deps: SecretDeps,
  access: HolderAccess<Holder, Outcome | { readonly kind: "not_found" }>,
  values: SecretValues,
  idempotency: Idempotency | undefined,
  settle: (outcome: Outcome | { readonly kind: "not_found" }) => Result,
): Promise<Result> {
  return withSecrets(deps, idempotency, async (leased, abandon) => {
    const first = await access.find();
    if (first === undefined) return settle({ kind: "not_found" });
    const id = leased?.ids[1] ?? deps.ids.uuid7();
    const { organizationId, owner } = access;
    const secret = await writeSecret(deps, { organizationId, owner, id }, values);
    const { outcome, before } = await write(access, secret, first, leased);
    // After a write whose response was lost, the entity already names the new secret.
    const isOwn = before.secretName === secret.secretName;
    if (!isOwn && outcome.kind === "updated") await removeSecret(deps, before.secretName);
    if (!isOwn && outcome.kind !== "updated") abandon(secret.secretName);
    return settle(outcome);
  });
}

/** Conditional on the revision that was read, so that the replaced secret is known for certain. */
async function write<Holder extends SecretHolder, Outcome extends { readonly kind: string }>(
  access: HolderAccess<Holder, Outcome | { readonly kind: "not_found" }>,
  secret: SecretReference,
  first: Holder,
  leased: Idempotency | undefined,
) {
  let before = first;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await access.update(secret, before, leased);
    if (outcome.kind !== "changed") return { outcome, before };
    const current = await access.find();
    if (current === undefined) return { outcome: { kind: "not_found" } as const, before };
    before = current;
    if (attempt === attemptsMax) return { outcome, before };
  }
}
