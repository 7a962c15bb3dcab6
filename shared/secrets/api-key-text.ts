import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { v7 } from "uuid";
import { type MintedApiKey, ownKeyIdOf } from "../domain/access/api-key.ts";

/**
 * The text of an API key: `das_<id>_<secret><checksum>`.
 *
 * - id: a UUID as 32 hexadecimal digits, `key_service_key_id`; not secret. An operator's key has version 7, an
 * organization's version 8 (`isOwnKeyId`). - secret: 43 of 0-9, A-Z, a-z, which is 256 bits. - checksum: 6 of the same,
 * over the text before it, so that a typing error is refused without a read.
 */
const keyText = /^das_([0-9a-f]{32})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 43;
const checksumLength = 6;

export function mintApiKey(random: (size: number) => Uint8Array = randomBytes): MintedApiKey {
  return textOf(v7().replaceAll("-", ""), random);
}

export function mintOwnApiKey(random: (size: number) => Uint8Array = randomBytes): MintedApiKey {
  return textOf(ownKeyIdOf(v7()), random);
}

function textOf(id: string, random: (size: number) => Uint8Array): MintedApiKey {
  const secret = randomText(random, secretLength);
  const text = `das_${id}_${secret}`;
  return { id, text: text + checksum(text), digest: digestSecret(secret) };
}

/** Returns undefined for text that cannot be an API key: other characters, another length, a wrong checksum. */
export function parseApiKey(text: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret, given] = keyText.exec(text) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  return checksum(`das_${id}_${secret}`) === given ? { id, secret } : undefined;
}

/** A plain SHA-256 is enough: a secret of 256 bits cannot be guessed from its digest. */
export function digestSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Compares in constant time. */
export function sameDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, "hex"), Buffer.from(other, "hex")];
  return a.length === 32 && b.length === 32 && timingSafeEqual(a, b);
}

function checksum(text: string): string {
  const number = hash("sha256", `checksum ${text}`, "buffer").readUIntBE(0, 6);
  let digits = "";
  for (let rest = number; digits.length < checksumLength; rest = Math.floor(rest / alphabet.length)) {
    digits += alphabet.charAt(rest % alphabet.length);
  }
  return digits;
}

function randomText(random: (size: number) => Uint8Array, length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random(length)) {
      // The greatest multiple of 62 in a byte is 248; higher values would make some characters likelier.
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
