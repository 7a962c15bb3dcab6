import type { SecretKind } from "../vocabulary/files.ts";
import type { OrganizationId } from "./organization-id.ts";

/** Maps an alias to its value, at most 64 KB as JSON. */
export type SecretValues = Readonly<Record<string, string>>;

export interface SecretOwner {
  readonly kind: SecretKind;
  /** A UUID, or for `provider` the slot. */
  readonly id: string;
}

/** A secret is written once under a fresh name: a crash leaves an unnamed secret, never a dangling name. */
export interface SecretStore {
  /** Returns a new secret's name, `das/<deployment>/<organization>/<kind>/<owner's id>/<id>`, without a call. */
  secretName(organizationId: OrganizationId, owner: SecretOwner, id: string): string;
  /** Idempotent for the same name and values. @throws {DomainError} `rate_limited` */
  create(name: string, values: SecretValues): Promise<void>;
  /** The values are for use only, and never shown. */
  read(name: string): Promise<SecretValues | undefined>;
  /** A missing secret is ignored. @param recoveryDays is the time for an undo, from 7 to 30. @default 7 */
  remove(name: string, recoveryDays?: number): Promise<void>;
  /** Lists a page of secrets made for that table before that time. An unknown cursor ends the listing. */
  listOlderThan(of: {
    readonly tableId: string;
    readonly createdBeforeMs: number;
    readonly cursor: string | null;
  }): Promise<{ readonly names: readonly string[]; readonly cursor?: string }>;
}
