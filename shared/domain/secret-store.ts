import type { OrganizationId } from "./access/organization-id.ts";

/** Alias to value. At most 64 KB as JSON. */
export type SecretValues = Readonly<Record<string, string>>;

/** Whom a secret belongs to: what names it, and what it is removed with. */
export interface SecretOwner {
  readonly kind: "machine" | "pool" | "run" | "provider";
  /** A UUID; of `provider` the slot. */
  readonly id: string;
}

/**
 * Where secrets lie. A secret is written once under a fresh name and never changed, so that a crash leaves a
 * secret that nothing names, never a name without its secret.
 */
export interface SecretStore {
  /** The name of a secret to come: `das/<deployment>/<organization>/<kind>/<owner's id>/<id>`. No call. */
  secretName(organizationId: OrganizationId, owner: SecretOwner, id: string): string;
  /**
   * Running it again with the same name and values changes nothing.
   *
   * @throws {DomainError} `rate_limited` when the store's write rate is used up.
   */
  create(name: string, values: SecretValues): Promise<void>;
  /** The values under a name, undefined when there is none (any more). Only for who must use them: never to be shown. */
  read(name: string): Promise<SecretValues | undefined>;
  /** Deletes with a recovery window of 7 days. One that is gone already is no error. */
  remove(name: string): Promise<void>;
  /** Names of this deployment's secrets created before that moment (ms), a page at a time, for the sweeper. */
  listOlderThan(
    createdBeforeMs: number,
    cursor?: string,
  ): Promise<{ readonly names: readonly string[]; readonly cursor?: string }>;
}
