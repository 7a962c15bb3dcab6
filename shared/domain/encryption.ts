import type { OrganizationId } from "./organization-id.ts";

export interface EncryptedPlace {
  readonly organizationId: OrganizationId;
  /** Each purpose has its own key, so that two attributes of one item cannot be swapped either. */
  readonly purpose:
    | "idempotency-result"
    | "mailbox-headers"
    | "mailbox-body"
    | "call-facts"
    | "run-secret"
    | "conversation"
    | "webhook-message";
  readonly pk: string;
  readonly sk: string;
}

/** Encrypts values of the table under the deployment's data key. */
export interface Encryption {
  /** @throws {DomainError} `service_unavailable` when the data key cannot be read. */
  encrypt(place: EncryptedPlace, plain: Uint8Array): Promise<Uint8Array>;
  /** @throws {Undecryptable} and what `encrypt` throws. */
  decrypt(place: EncryptedPlace, encrypted: Uint8Array): Promise<Uint8Array>;
}

/** The bytes belong to another place or were changed, or their version of the data key is gone. */
export class Undecryptable extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = "Undecryptable";
  }
}
