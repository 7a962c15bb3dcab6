import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Clock } from "../domain/clock.ts";
import { DomainError } from "../domain/errors.ts";

export interface KeySecretOptions {
  readonly client: Pick<SecretsManagerClient, "send">;
  /** The name or ARN of the secret with the key. */
  readonly secretId: string;
  readonly clock: Pick<Clock, "now">;
}

export interface CurrentKeyOptions<Key> {
  readonly clock: Pick<Clock, "now">;
  readonly read: () => Promise<Key>;
  readonly what: string;
}

/** After a rotation an instance uses the previous key for at most this long. */
export const currentKeyKeptMs = 300_000;

export class CurrentKey<Key> {
  readonly #options: CurrentKeyOptions<Key>;
  #key: Promise<Key> | undefined;
  #untilMs = 0;

  constructor(options: CurrentKeyOptions<Key>) {
    this.#options = options;
  }

  /** @throws {DomainError} `service_unavailable` when the key cannot be read and was never read before. */
  async get(): Promise<Key> {
    const nowMs = this.#options.clock.now();
    if (this.#key && this.#untilMs > nowMs) return await this.#key;
    const before = this.#key;
    this.#untilMs = nowMs + currentKeyKeptMs;
    this.#key = this.#read(before);
    return await this.#key;
  }

  /** Reads the key now, however fresh it is. @throws {DomainError} `service_unavailable`; the previous key is kept */
  async refresh(): Promise<Key> {
    const key = await this.#options.read().catch((cause: unknown) => {
      throw this.#away(cause);
    });
    this.set(key);
    return key;
  }

  set(key: Key): void {
    this.#key = Promise.resolve(key);
    this.#untilMs = this.#options.clock.now() + currentKeyKeptMs;
  }

  /** Keeps the last key when Secrets Manager is away, because an old one is better than none. */
  async #read(before: Promise<Key> | undefined): Promise<Key> {
    try {
      return await this.#options.read();
    } catch (error) {
      this.#untilMs = 0;
      if (before) return await before;
      this.#key = undefined;
      throw this.#away(error);
    }
  }

  #away(cause: unknown): DomainError {
    return new DomainError(
      "service_unavailable",
      `the service's ${this.#options.what} cannot be read; try again`,
      { retryAfterSeconds: 1, cause },
    );
  }
}
