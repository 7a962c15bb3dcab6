import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { type EncryptedPlace, type Encryption, Undecryptable } from "../../domain/encryption.ts";
import type { KeySecretOptions } from "../current-key.ts";
import { versionBytes } from "./data-key-value.ts";
import { DataKeys } from "./data-keys.ts";

export interface EncryptionOptions extends KeySecretOptions {
  readonly random?: (bytes: number) => Uint8Array;
}

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Uses AES-256-GCM. The stored text has the version's name, the nonce, the encrypted bytes and the tag. */
export function createEncryption(options: EncryptionOptions): Encryption {
  const keys = new DataKeys(options);
  const { random = randomBytes } = options;
  return {
    async encrypt(place, plain) {
      const key = await keys.current();
      const nonce = random(nonceBytes);
      const encrypting = createCipheriv(cipher, key.derive(place.organizationId, place.purpose), nonce);
      encrypting.setAAD(additionalData(place));
      const encrypted = [encrypting.update(plain), encrypting.final()];
      return Buffer.concat([key.version, nonce, ...encrypted, encrypting.getAuthTag()]);
    },
    async decrypt(place, stored) {
      const { version, nonce, encrypted, tag } = partsOf(Buffer.from(stored));
      const key = await keys.find(version);
      if (!key) throw new Undecryptable("the version of the data key that encrypted this is gone");
      const decrypting = createDecipheriv(cipher, key.derive(place.organizationId, place.purpose), nonce, {
        authTagLength: tagBytes,
      });
      decrypting.setAAD(additionalData(place));
      decrypting.setAuthTag(tag);
      const plain = decrypting.update(encrypted);
      try {
        return Buffer.concat([plain, decrypting.final()]);
      } catch {
        throw new Undecryptable("this was encrypted for another place, or has been changed since");
      }
    },
  };
}

function additionalData({ pk, sk, purpose }: EncryptedPlace): Buffer {
  return Buffer.from(JSON.stringify([pk, sk, purpose]), "utf8");
}

function partsOf(stored: Buffer) {
  const bodyAt = versionBytes + nonceBytes;
  if (stored.length < bodyAt + tagBytes) {
    throw new Undecryptable("this is not what the data key encrypts");
  }
  return {
    version: stored.subarray(0, versionBytes),
    nonce: stored.subarray(versionBytes, bodyAt),
    encrypted: stored.subarray(bodyAt, -tagBytes),
    tag: stored.subarray(-tagBytes),
  };
}
