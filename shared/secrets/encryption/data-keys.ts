import { hkdfSync } from "node:crypto";
import {
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import * as z from "zod";
import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Clock } from "../../domain/clock.ts";
import { DomainError } from "../../domain/errors.ts";
import { CurrentKey } from "../current-key.ts";

export interface DataKeysOptions {
  readonly client: Pick<SecretsManagerClient, "send">;
  /** Name or ARN of the secret with the data key. */
  readonly secretId: string;
  readonly clock: Pick<Clock, "now">;
}

/** One version of the data key. */
export interface DataKey {
  /** Secrets Manager's id of the version. */
  readonly version: string;
  /** The 256 bits of one organization and purpose. */
  derive(organizationId: OrganizationId, purpose: string): Buffer;
}

const Value = z.object({ VersionId: z.string(), SecretString: z.string() });
const SecretString = z.object({ key: z.string().min(32) });

/** For that long a version that is not there is not looked for again: a changed text must not cause reads. */
const missingMs = 10_000;
const missingMax = 100;

/** The deployment's data key: AWSCURRENT encrypts, every version decrypts what names it. */
export class DataKeys {
  readonly #options: DataKeysOptions;
  readonly #current: CurrentKey<DataKey>;
  readonly #byVersion = new Map<string, Promise<DataKey | undefined>>();
  readonly #missingUntilMs = new Map<string, number>();

  constructor(options: DataKeysOptions) {
    this.#options = options;
    const { clock } = options;
    this.#current = new CurrentKey({ clock, what: "data key", read: () => this.#readCurrent() });
  }

  /** @throws {DomainError} `service_unavailable` when it cannot be read and was never read before. */
  async current(): Promise<DataKey> {
    return await this.#current.get();
  }

  /**
   * The version of that id, however old; undefined when it is gone. One read, once per instance.
   *
   * @throws {DomainError} `service_unavailable` when it cannot be read.
   */
  async find(version: string): Promise<DataKey | undefined> {
    // Mostly the current one, so that a fresh instance reads once.
    if (this.#byVersion.size === 0) await this.current();
    const known = this.#byVersion.get(version);
    if (known) return await known;
    const nowMs = this.#options.clock.now();
    if ((this.#missingUntilMs.get(version) ?? 0) > nowMs) return undefined;
    const read = this.#readVersion(version);
    this.#byVersion.set(version, read);
    return await read;
  }

  async #readCurrent(): Promise<DataKey> {
    const key = await this.#read({ VersionStage: "AWSCURRENT" });
    this.#byVersion.set(key.version, Promise.resolve(key));
    return key;
  }

  async #readVersion(version: string): Promise<DataKey | undefined> {
    try {
      return await this.#read({ VersionId: version });
    } catch (cause) {
      this.#byVersion.delete(version);
      if (!(cause instanceof ResourceNotFoundException)) {
        throw new DomainError("service_unavailable", "the service's data key cannot be read; try again", {
          ...{ retryAfterSeconds: 1, cause },
        });
      }
      if (this.#missingUntilMs.size >= missingMax) this.#missingUntilMs.clear();
      this.#missingUntilMs.set(version, this.#options.clock.now() + missingMs);
      return undefined;
    }
  }

  async #read(which: Omit<GetSecretValueCommandInput, "SecretId">): Promise<DataKey> {
    const command = new GetSecretValueCommand({ SecretId: this.#options.secretId, ...which });
    const value = Value.parse(await this.#options.client.send(command));
    const { key } = SecretString.parse(JSON.parse(value.SecretString));
    return {
      version: value.VersionId,
      derive: (organizationId, purpose) => {
        const info = JSON.stringify([organizationId, purpose]);
        return Buffer.from(hkdfSync("sha256", key, "", info, 32));
      },
    };
  }
}
