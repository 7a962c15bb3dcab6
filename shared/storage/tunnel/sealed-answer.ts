import { type EncryptedPlace, type Encryption, Undecryptable } from "../../domain/encryption.ts";
import { DomainError } from "../../domain/errors.ts";
import type { PlainContent } from "../../domain/tunnel/mailbox.ts";

/** Headers are encrypted as JSON, the body as it is. */
export interface Sealed {
  readonly headers?: Uint8Array | undefined;
  readonly body?: Uint8Array | undefined;
}

type Place = Omit<EncryptedPlace, "purpose">;

export async function seal(
  encryption: Encryption,
  place: Place,
  { headers, body }: PlainContent,
): Promise<Sealed> {
  const encrypt = async (purpose: EncryptedPlace["purpose"], plain: Uint8Array) =>
    await encryption.encrypt({ ...place, purpose }, plain);
  return {
    ...(headers && { headers: await encrypt("mailbox-headers", Buffer.from(JSON.stringify(headers))) }),
    ...(body && { body: await encrypt("mailbox-body", body) }),
  };
}

/** @throws {DomainError} `driver_connection_lost` for what cannot be decrypted. */
export async function unseal(
  encryption: Encryption,
  place: Place,
  { headers, body }: Sealed,
): Promise<PlainContent> {
  const decrypt = async (purpose: EncryptedPlace["purpose"], encrypted: Uint8Array) =>
    await encryption.decrypt({ ...place, purpose }, encrypted);
  try {
    return {
      ...(headers && { headers: parseHeaders(await decrypt("mailbox-headers", headers)) }),
      ...(body && { body: new Uint8Array(await decrypt("mailbox-body", body)) }),
    };
  } catch (cause) {
    if (!(cause instanceof Undecryptable)) throw cause;
    throw new DomainError(
      "driver_connection_lost",
      "the response of the machine's driver cannot be read; the action may have happened: retry with the same Idempotency-Key",
      { cause },
    );
  }
}

function parseHeaders(json: Uint8Array): NonNullable<PlainContent["headers"]> {
  return JSON.parse(new TextDecoder().decode(json)) as NonNullable<PlainContent["headers"]>;
}
