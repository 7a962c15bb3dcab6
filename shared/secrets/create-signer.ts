import { createHmac, timingSafeEqual } from "node:crypto";
import type { Signer } from "../domain/signer.ts";
import type { KeySecretOptions } from "./current-key.ts";
import { type SigningKey, SigningKeys } from "./signing-keys.ts";

/** A MAC is `<key id>.<base64url>`. The methods throw {DomainError} `service_unavailable` without the key. */
export function createSigner(options: KeySecretOptions): Signer {
  const keys = new SigningKeys(options);
  return {
    async sign(purpose, data) {
      const key = await keys.current();
      return `${key.id}.${macOf(key, purpose, data).toString("base64url")}`;
    },
    async verify(purpose, data, mac) {
      const [, id, text] = /^([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]{43})$/.exec(mac) ?? [];
      if (id === undefined || text === undefined) return false;
      const key = await keys.find(id);
      if (!key) return false;
      const given = Buffer.from(text, "base64url");
      const expected = macOf(key, purpose, data);
      // The last of the 43 characters has two spare bits, so the comparison accepts only one text as a valid MAC.
      return given.toString("base64url") === text && timingSafeEqual(given, expected);
    },
  };
}

function macOf(key: SigningKey, purpose: string, data: string): Buffer {
  return createHmac("sha256", key.forPurpose(purpose)).update(data, "utf8").digest();
}
