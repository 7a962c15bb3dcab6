import { createHash, createHmac, createSecretKey, type KeyObject } from "node:crypto";

type Data = string | ArrayBuffer | ArrayBufferView;

/**
 * Hashes for the signatures of the SDK, which makes an instance for each digest. For a key that is no KeyObject, Node 24
 * takes five times as long, so the keys are kept: an instance signs with one secret, and a key of the day derived from it.
 */
export class Sha256 {
  readonly #secret: Data | undefined;
  #hash: ReturnType<typeof startOf>;

  constructor(secret?: Data) {
    this.#secret = secret;
    this.#hash = startOf(secret);
  }

  update(data: Data): void {
    this.#hash.update(typeof data === "string" ? data : bytesOf(data));
  }

  /** It may be called once, until `reset`. */
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = startOf(this.#secret);
  }
}

/** A few secrets at most are in use at once: those before are of credentials, or a day, that are over. */
const keysMax = 16;
const keys = new Map<string, KeyObject>();

function startOf(secret: Data | undefined) {
  return secret === undefined ? createHash("sha256") : createHmac("sha256", keyOf(secret));
}

function keyOf(secret: Data): KeyObject {
  const bytes = typeof secret === "string" ? Buffer.from(secret) : bytesOf(secret);
  const name = bytes.toString("latin1");
  const known = keys.get(name);
  if (known !== undefined) return known;
  if (keys.size >= keysMax) keys.clear();
  const key = createSecretKey(bytes);
  keys.set(name, key);
  return key;
}

function bytesOf(data: ArrayBuffer | ArrayBufferView): Buffer {
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}
