import type { SecretKind } from "../vocabulary/files.ts";
import type { OrganizationId } from "./organization-id.ts";

/** Alias to value. At most 64 KB as JSON. */
export type SecretValues = Readonly<Record<string, string>>;

export interface SecretOwner {
  readonly kind: SecretKind;
  /** A UUID; for `provider` the slot. */
  readonly id: string;
}

/**
 * Secrets are written once under a fresh name and never changed, so that a crash leaves an unnamed secret, never a
 * dangling name.
 */
export interface SecretStore {
  /** The name for a new secret: `das/<deployment>/<organization>/<kind>/<owner's id>/<id>`. No call. */
  secretName(organizationId: OrganizationId, owner: SecretOwner, id: string): string;
  /**
   * Idempotent for the same name and values.
   *
   * @throws {DomainError} `rate_limited` when the store's write rate is used up.
   */
  create(name: string, values: SecretValues): Promise<void>;
  /** The values under a name, undefined when there is none (any more). For use only, never to be shown. */
  read(name: string): Promise<SecretValues | undefined>;
  /**
   * A missing one is no error.
   *
   * @param recoveryDays in which it can be brought back, 7 to 30. @default 7
   */
  remove(name: string, recoveryDays?: number): Promise<void>;
  /**
   * Names of this deployment's secrets, for the sweeper: one page of those that were made for that table before that
   * time (ms). A cursor that the store no longer knows ends the listing.
   */
  listOlderThan(of: {
    readonly tableId: string;
    readonly createdBeforeMs: number;
    readonly cursor: string | null;
  }): Promise<{ readonly names: readonly string[]; readonly cursor?: string }>;
}
