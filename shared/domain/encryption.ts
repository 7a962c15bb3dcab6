import type { OrganizationId } from "./organization-id.ts";

export interface EncryptedPlace {
  readonly organizationId: OrganizationId;
  /** Each has a key of its own, so that two attributes of one item cannot be swapped either. */
  readonly purpose:
    | "idempotency-result"
    | "mailbox-headers"
    | "mailbox-body"
    | "run-secret"
    | "conversation"
    | "webhook-message";
  readonly pk: string;
  readonly sk: string;
}

/** Encrypts what lies in the table under the deployment's data key. */
export interface Encryption {
  /** @throws {DomainError} `service_unavailable` when the data key cannot be read. */
  encrypt(place: EncryptedPlace, plain: Uint8Array): Promise<Uint8Array>;
  /** @throws {Undecryptable}, and as `encrypt`. */
  decrypt(place: EncryptedPlace, encrypted: Uint8Array): Promise<Uint8Array>;
}

/** Bytes of another place, changed ones, or ones whose version of the data key is gone. */
export class Undecryptable extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = "Undecryptable";
  }
}
