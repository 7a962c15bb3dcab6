import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { CurrentKey, type KeySecretOptions } from "../current-key.ts";
import { DataKeyValue, versionOf } from "./data-key-value.ts";

export interface DataKey {
  readonly version: Buffer;
  derive(organizationId: OrganizationId, purpose: string): KeyObject;
}

/** One entry per organization and purpose; cleared when full. Node takes five times as long for a key of bytes. */
const derivedMax = 200;

interface Versions {
  readonly current: DataKey;
  readonly byName: ReadonlyMap<string, DataKey>;
}

/** An unknown version may be new, or a changed text, which must not cause reads. */
const refreshEveryMs = 10_000;

/** The deployment's data key. The current version encrypts, and every version decrypts the texts that name it. */
export class DataKeys {
  readonly #options: KeySecretOptions;
  readonly #versions: CurrentKey<Versions>;
  #refreshedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: KeySecretOptions) {
    this.#options = options;
    const { clock } = options;
    this.#versions = new CurrentKey({ clock, what: "data key", read: () => this.#read() });
  }

  async current(): Promise<DataKey> {
    return (await this.#versions.get()).current;
  }

  /** Returns a version, however old, or undefined when it is gone. @throws {DomainError} `service_unavailable` */
  async find(version: Buffer): Promise<DataKey | undefined> {
    const name = version.toString("hex");
    const known = (await this.#versions.get()).byName.get(name);
    const nowMs = this.#options.clock.now();
    if (known || this.#refreshedAtMs + refreshEveryMs > nowMs) return known;
    const versions = await this.#versions.refresh();
    this.#refreshedAtMs = nowMs;
    return versions.byName.get(name);
  }

  async #read(): Promise<Versions> {
    const command = new GetSecretValueCommand({ SecretId: this.#options.secretId });
    const { SecretString: text = "" } = await this.#options.client.send(command);
    const value = DataKeyValue.parse(JSON.parse(text));
    const current = dataKey(value.key);
    const all = [current, ...value.earlier.map(({ key }) => dataKey(key))];
    return { current, byName: new Map(all.map((key) => [key.version.toString("hex"), key])) };
  }
}

function dataKey(key: string): DataKey {
  const derived = new Map<string, KeyObject>();
  return {
    version: versionOf(key),
    derive: (organizationId, purpose) => {
      const info = JSON.stringify([organizationId, purpose]);
      const known = derived.get(info);
      if (known) return known;
      const made = createSecretKey(Buffer.from(hkdfSync("sha256", key, "", info, 32)));
      if (derived.size >= derivedMax) derived.clear();
      derived.set(info, made);
      return made;
    },
  };
}
