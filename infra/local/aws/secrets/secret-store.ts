import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { localArn } from "../local-account.ts";

export interface SecretVersion {
  readonly versionId: string;
  readonly secretString?: string;
  readonly secretBinary?: string;
  readonly createdAtMs: number;
  readonly stages: readonly string[];
}

export interface StoredSecret {
  readonly arn: string;
  readonly name: string;
  readonly description?: string;
  readonly kmsKeyId?: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
  readonly deletion?: { readonly deletedAtMs: number; readonly purgeAtMs: number };
  readonly versions: readonly SecretVersion[];
}

export interface SecretStoreOptions {
  /** Only its owner can read the file; without one, secrets are in memory. */
  readonly file?: string;
  readonly now?: () => number;
}

export class SecretStore {
  readonly now: () => number;
  readonly #secrets = new Map<string, StoredSecret>();
  readonly #options: SecretStoreOptions;

  constructor(options: SecretStoreOptions) {
    this.#options = options;
    this.now = options.now ?? Date.now;
    if (options.file === undefined) return;
    mkdirSync(path.dirname(options.file), { recursive: true, mode: 0o700 });
    for (const secret of readSecrets(options.file)) this.#secrets.set(secret.name, secret);
  }

  /** The ARN may lack the six characters that Secrets Manager adds. */
  find(secretId: string): StoredSecret | undefined {
    this.#purge();
    const byName = this.#secrets.get(secretId);
    if (byName || !secretId.startsWith("arn:")) return byName;
    const name = secretId.split(":").slice(6).join(":");
    const exact = this.#secrets.get(name.replace(/-[A-Za-z0-9]{6}$/, ""));
    return exact?.arn === secretId ? exact : this.#secrets.get(name);
  }

  list(): readonly StoredSecret[] {
    this.#purge();
    return [...this.#secrets.values()];
  }

  put(secret: StoredSecret): void {
    this.#secrets.set(secret.name, secret);
    this.#save();
  }

  remove(name: string): void {
    if (this.#secrets.delete(name)) this.#save();
  }

  newArn(name: string): string {
    const suffix = randomBytes(24).toString("base64").replace(/[+/=]/g, "").slice(0, 6);
    return localArn("secretsmanager", `secret:${name}-${suffix}`);
  }

  /** A call to a missing secret is authorized on this ARN. */
  arnOfMissing(secretId: string): string {
    return secretId.startsWith("arn:") ? secretId : localArn("secretsmanager", `secret:${secretId}`);
  }

  ensure(name: string, secretString: string): StoredSecret {
    const existing = this.find(name);
    if (existing) return existing;
    const now = this.now();
    const secret: StoredSecret = {
      arn: this.newArn(name),
      name,
      tags: {},
      createdAtMs: now,
      changedAtMs: now,
      versions: [{ versionId: randomUUID(), secretString, createdAtMs: now, stages: ["AWSCURRENT"] }],
    };
    this.put(secret);
    return secret;
  }

  #purge(): void {
    for (const { name, deletion } of this.#secrets.values()) {
      if (deletion && deletion.purgeAtMs <= this.now()) this.remove(name);
    }
  }

  #save(): void {
    const { file } = this.#options;
    if (file === undefined) return;
    const draft = `${file}.new`;
    writeFileSync(draft, JSON.stringify([...this.#secrets.values()]), { mode: 0o600 });
    renameSync(draft, file);
  }
}

function readSecrets(file: string): readonly StoredSecret[] {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as StoredSecret[];
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
