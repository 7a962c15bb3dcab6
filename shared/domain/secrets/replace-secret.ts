import { ChangedMeanwhile, type Edit, type Edited, requireEdition } from "../entity/edition.ts";
import { ChangedTooOften } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { SecretOwner, SecretValues } from "../secret-store.ts";
import { overtaken, type Pacing, untilWritten } from "../until-written.ts";
import {
  removeSecret,
  type SecretDeps,
  type SecretReference,
  withSecrets,
  writeSecret,
} from "./own-secret.ts";

export interface SecretHolder extends Edited {
  readonly secretName: string | null;
  readonly revision: number;
}

export interface HolderAccess<Holder extends SecretHolder, Outcome extends { readonly kind: string }> {
  readonly organizationId: OrganizationId;
  readonly owner: SecretOwner;
  readonly edit: Edit;
  find(): Promise<Holder | undefined>;
  /** Writes only at `before`'s revision, and returns `changed` when the entity has another one. */
  update(secret: SecretReference, before: Holder, leased: Idempotency | undefined): Promise<Outcome>;
}

const notFound = { kind: "not_found" } as const;

/**
 * Writes the new secret, then the entity that names it, then removes the old one: a crash leaves an unnamed secret.
 * `settle` throws for everything but `updated`, while the lease is held, so that a refusal releases it.
 */
export async function replaceSecret<
  Holder extends SecretHolder,
  Outcome extends { readonly kind: string },
  Result,
>(
  deps: SecretDeps & Pacing,
  access: HolderAccess<Holder, Outcome | { readonly kind: "not_found" }>,
  values: SecretValues,
  idempotency: Idempotency | undefined,
  settle: (outcome: Outcome | { readonly kind: "not_found" }) => Result,
): Promise<Result> {
  return withSecrets(deps, idempotency, async (leased, abandon) => {
    const first = await access.find();
    if (first === undefined) return settle(notFound);
    requireEdition(first, access.edit);
    const id = leased?.ids[1] ?? deps.ids.uuid7();
    const { organizationId, owner } = access;
    const secret = await writeSecret(deps, { organizationId, owner, id }, values);
    // After a write whose response was lost, the entity already names the new secret.
    const isOwn = (holder: Holder | undefined) => holder?.secretName === secret.secretName;
    // A driver's ping changes its machine, too; at its revision, the replaced secret is known for certain.
    return await untilWritten<Holder | undefined, Result>(deps, {
      what: `the ${owner.kind}`,
      first,
      read: () => access.find(),
      decide: async (before) => {
        const outcome = before ? await access.update(secret, before, leased) : notFound;
        if (outcome.kind === "changed") return overtaken;
        if (!isOwn(before)) {
          if (outcome.kind === "updated") await removeSecret(deps, before?.secretName ?? null);
          else abandon(secret.secretName);
        }
        return settle(outcome);
      },
    }).catch(async (error: unknown) => {
      const isRefused = error instanceof ChangedTooOften || error instanceof ChangedMeanwhile;
      if (isRefused && !isOwn(await access.find())) abandon(secret.secretName);
      throw error;
    });
  });
}
