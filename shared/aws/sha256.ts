import {
  createHash,
  createHmac,
  createSecretKey,
  type Hash,
  type Hmac,
  hash,
  type KeyObject,
} from "node:crypto";

type Data = string | ArrayBuffer | ArrayBufferView;

/**
 * Hashes for the signatures of the SDK, which makes an instance for each digest. For a key that is no KeyObject, Node 24
 * takes five times as long, so the keys are kept: an instance signs with one secret, and a key of the day derived from it.
 */
export class Sha256 {
  readonly #secret: Secret | undefined;
  /** Data that comes in one part is hashed in one go. */
  #only: Buffer | undefined;
  #hash: Hash | Hmac | undefined;

  constructor(secret?: Data) {
    this.#secret = secret === undefined ? undefined : secretOf(bufferOf(secret));
  }

  update(data: Data): void {
    const bytes = bufferOf(data);
    if (this.#hash === undefined && this.#only === undefined) {
      this.#only = bytes;
      return;
    }
    this.#hash ??= this.#start().update(this.#only ?? nothing);
    this.#hash.update(bytes);
  }

  /** It may be called once, until `reset`. */
  async digest(): Promise<Uint8Array> {
    if (this.#hash !== undefined) return this.#hash.digest();
    const data = this.#only ?? nothing;
    return this.#secret === undefined ? hash("sha256", data, "buffer") : mac(this.#secret, data);
  }

  reset(): void {
    this.#only = undefined;
    this.#hash = undefined;
  }

  #start(): Hash | Hmac {
    return this.#secret === undefined ? createHash("sha256") : createHmac("sha256", this.#secret.key);
  }
}

const nothing = Buffer.alloc(0);

interface Secret {
  readonly key: KeyObject;
  /** The SDK names the key of the day by a MAC of the access key's id, which it makes for each call. */
  last?: { readonly data: string; readonly mac: Uint8Array };
}

/** An access key's id has 128 characters at most; a text to sign has more. */
const keptBytesMax = 128;

function mac(secret: Secret, data: Buffer): Uint8Array {
  const text = data.byteLength > keptBytesMax ? undefined : data.toString("latin1");
  if (text !== undefined && secret.last?.data === text) return secret.last.mac;
  const made = createHmac("sha256", secret.key).update(data).digest();
  if (text !== undefined) secret.last = { data: text, mac: made };
  return made;
}

/** A function signs with a few secrets at once, the local stack verifies all of its functions'; others are over. */
const keysMax = 200;
const secrets = new Map<string, Secret>();

function secretOf(bytes: Buffer): Secret {
  const name = bytes.toString("latin1");
  const known = secrets.get(name);
  if (known !== undefined) return known;
  if (secrets.size >= keysMax) secrets.clear();
  const secret = { key: createSecretKey(bytes) };
  secrets.set(name, secret);
  return secret;
}

function bufferOf(data: Data): Buffer {
  if (typeof data === "string") return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}
