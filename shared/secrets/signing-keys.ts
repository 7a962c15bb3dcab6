import { createHash, createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { GetSecretValueCommand, ResourceNotFoundException } from "@aws-sdk/client-secrets-manager";
import * as z from "zod";
import { CurrentKey, currentKeyKeptMs, type KeySecretOptions } from "./current-key.ts";

export interface SigningKey {
  /** Eight characters derived from the key, which identify it. */
  readonly id: string;
  /** Returns the key of one purpose, which is one of few, and whose MACs are not valid for another. */
  forPurpose(purpose: string): KeyObject;
}

const SecretString = z.object({ key: z.string().min(32) });

/** Forgeries must not cause reads; in between this instance refuses texts that a new key has signed. */
const refreshEveryMs = 10_000;

/** The deployment's signing keys: AWSCURRENT, and AWSPREVIOUS for texts signed before a rotation. */
export class SigningKeys {
  readonly #options: KeySecretOptions;
  readonly #current: CurrentKey<SigningKey>;
  #known = new Map<string, SigningKey>();
  #knownUntilMs = 0;
  #refreshedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: KeySecretOptions) {
    this.#options = options;
    const { clock } = options;
    this.#current = new CurrentKey({ clock, what: "signing key", read: () => this.#readCurrent() });
  }

  async current(): Promise<SigningKey> {
    return await this.#current.get();
  }

  async find(id: string): Promise<SigningKey | undefined> {
    const current = await this.current();
    if (current.id === id) return current;
    const known = this.#known.get(id);
    const nowMs = this.#options.clock.now();
    // A key that two rotations have removed, perhaps because it leaked, must not live as long as this instance.
    if (known && this.#knownUntilMs > nowMs) return known;
    if (this.#refreshedAtMs + refreshEveryMs > nowMs) return known;
    this.#refreshedAtMs = nowMs;
    try {
      await this.#refresh();
    } catch (error) {
      if (known) return known;
      throw error;
    }
    return this.#known.get(id);
  }

  async #refresh(): Promise<void> {
    const [current, previous] = await Promise.all([this.#read("AWSCURRENT"), this.#read("AWSPREVIOUS")]);
    this.#known = new Map([current, previous].flatMap((key) => (key ? [[key.id, key]] : [])));
    this.#knownUntilMs = this.#options.clock.now() + currentKeyKeptMs;
    if (current) this.#current.set(current);
  }

  async #readCurrent(): Promise<SigningKey> {
    const key = await this.#read("AWSCURRENT");
    if (key) return key;
    throw new Error("the signing key's secret has no current version");
  }

  async #read(stage: "AWSCURRENT" | "AWSPREVIOUS"): Promise<SigningKey | undefined> {
    const command = new GetSecretValueCommand({ SecretId: this.#options.secretId, VersionStage: stage });
    try {
      const { SecretString: text = "" } = await this.#options.client.send(command);
      return signingKey(SecretString.parse(JSON.parse(text)).key);
    } catch (error) {
      if (stage === "AWSPREVIOUS" && error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }
}

export function signingKey(key: string): SigningKey {
  const byPurpose = new Map<string, KeyObject>();
  return {
    id: createHash("sha256").update(`key id ${key}`, "utf8").digest("base64url").slice(0, 8),
    forPurpose: (purpose) => {
      const known = byPurpose.get(purpose);
      if (known) return known;
      const made = createSecretKey(createHmac("sha256", key).update(`purpose ${purpose}`, "utf8").digest());
      byPurpose.set(purpose, made);
      return made;
    },
  };
}
