import type { SecretKind } from "../vocabulary/files.ts";
import type { OrganizationId } from "./organization-id.ts";

/** Alias to value. At most 64 KB as JSON. */
export type SecretValues = Readonly<Record<string, string>>;

export interface SecretOwner {
  readonly kind: SecretKind;
  /** A UUID; for `provider` the slot. */
  readonly id: string;
}

/** A secret is written once under a fresh name: a crash leaves an unnamed secret, never a dangling name. */
export interface SecretStore {
  /** The name for a new secret: `das/<deployment>/<organization>/<kind>/<owner's id>/<id>`. No call. */
  secretName(organizationId: OrganizationId, owner: SecretOwner, id: string): string;
  /** Idempotent for the same name and values. @throws {DomainError} `rate_limited` */
  create(name: string, values: SecretValues): Promise<void>;
  /** For use only, never to be shown. */
  read(name: string): Promise<SecretValues | undefined>;
  /** A missing secret is no error. @param recoveryDays in which it can be brought back, 7 to 30. @default 7 */
  remove(name: string, recoveryDays?: number): Promise<void>;
  /** Lists a page of those made for that table before that time. A cursor that is no longer known ends the listing. */
  listOlderThan(of: {
    readonly tableId: string;
    readonly createdBeforeMs: number;
    readonly cursor: string | null;
  }): Promise<{ readonly names: readonly string[]; readonly cursor?: string }>;
}
