import { createHash } from "node:crypto";
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  InvalidNextTokenException,
  LimitExceededException,
  ListSecretsCommand,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { isAway, isThrottled } from "../aws/aws-failure.ts";
import { DomainError } from "../domain/errors.ts";
import type { OrganizationId } from "../domain/organization-id.ts";
import type { SecretOwner, SecretStore, SecretValues } from "../domain/secret-store.ts";
import { loggedErrorCodes } from "../vocabulary/error-codes.ts";
import { inputBytesMax } from "../vocabulary/files.ts";
import { isDeleted } from "./is-being-deleted.ts";
import { secretName, secretPrefix } from "./secret-name.ts";

export interface SecretsManagerSecretStoreOptions {
  readonly client: Pick<SecretsManagerClient, "send">;
  readonly deployment: string;
  /** Without it, no secrets are created. A table may have no id yet. */
  readonly tableId?: () => Promise<string | undefined>;
  /** By default, Secrets Manager manages the key. */
  readonly kmsKeyId?: string | undefined;
}

const tableTag = "table";

/** Every method throws {DomainError} `rate_limited` or `service_unavailable` after the SDK's own retries. */
export class SecretsManagerSecretStore implements SecretStore {
  readonly #client: Pick<SecretsManagerClient, "send">;
  readonly #deployment: string;
  readonly #tableId: SecretsManagerSecretStoreOptions["tableId"];
  readonly #kmsKeyId: string | undefined;

  constructor(options: SecretsManagerSecretStoreOptions) {
    this.#client = options.client;
    this.#deployment = options.deployment;
    this.#tableId = options.tableId;
    this.#kmsKeyId = options.kmsKeyId;
  }

  secretName(organizationId: OrganizationId, owner: SecretOwner, id: string): string {
    return secretName(this.#deployment, organizationId, owner, id);
  }

  /** The token is derived from the name, never from the values, because CloudTrail records it. */
  async create(name: string, values: SecretValues): Promise<void> {
    this.#assertOwn(name);
    if (this.#tableId === undefined) throw new Error("this function makes no secrets");
    const SecretString = JSON.stringify(values);
    const bytes = Buffer.byteLength(SecretString);
    if (bytes > inputBytesMax) {
      throw new Error(`a secret of ${bytes} bytes does not fit; at most ${inputBytesMax} do`);
    }
    const ClientRequestToken = createHash("sha256").update(name, "utf8").digest("hex");
    const tableId = await this.#tableId();
    const Tags = tableId === undefined ? [] : [{ Key: tableTag, Value: tableId }];
    const KmsKeyId = this.#kmsKeyId;
    const made = { Name: name, SecretString, ClientRequestToken, Tags };
    const command = new CreateSecretCommand(KmsKeyId === undefined ? made : { ...made, KmsKeyId });
    await answered(() => this.#client.send(command));
  }

  async read(name: string): Promise<SecretValues | undefined> {
    this.#assertOwn(name);
    return await answered(async () => {
      try {
        const { SecretString } = await this.#client.send(new GetSecretValueCommand({ SecretId: name }));
        // Only `create` writes the value.
        return SecretString === undefined ? undefined : (JSON.parse(SecretString) as SecretValues);
      } catch (error) {
        if (isDeleted(error)) return undefined;
        throw error;
      }
    });
  }

  async remove(name: string, recoveryDays = 7): Promise<void> {
    this.#assertOwn(name);
    await answered(async () => {
      try {
        const command = new DeleteSecretCommand({ SecretId: name, RecoveryWindowInDays: recoveryDays });
        await this.#client.send(command);
      } catch (error) {
        if (!isDeleted(error)) throw error;
      }
    });
  }

  async listOlderThan({
    tableId,
    createdBeforeMs,
    cursor,
  }: Parameters<SecretStore["listOlderThan"]>[0]): ReturnType<SecretStore["listOlderThan"]> {
    const prefix = secretPrefix(this.#deployment);
    const command = new ListSecretsCommand({
      Filters: [{ Key: "name", Values: [prefix] }],
      MaxResults: 100,
      ...(cursor === null ? {} : { NextToken: cursor }),
    });
    try {
      const page = await answered(() => this.#client.send(command));
      const names = (page.SecretList ?? [])
        .filter(({ Tags = [] }) => Tags.some(({ Key, Value }) => Key === tableTag && Value === tableId))
        .filter((secret) => secret.DeletedDate === undefined && isBefore(secret.CreatedDate, createdBeforeMs))
        .map((secret) => secret.Name ?? "")
        .filter((name) => name.startsWith(prefix));
      return { names, ...(page.NextToken === undefined ? {} : { cursor: page.NextToken }) };
    } catch (error) {
      if (error instanceof InvalidNextTokenException) return { names: [] };
      throw error;
    }
  }

  /** Deletes only this deployment's own secrets, whatever a row says. */
  #assertOwn(name: string): void {
    if (!name.startsWith(secretPrefix(this.#deployment)))
      throw new Error("the secret is not this deployment's");
  }
}

function isBefore(created: Date | undefined, ms: number): boolean {
  return created !== undefined && created.getTime() < ms;
}

async function answered<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isThrottled(error)) {
      const message = "secrets are being written faster than their store takes them; try again";
      throw new DomainError("rate_limited", message, { retryAfterSeconds: 1, cause: error });
    }
    if (error instanceof LimitExceededException) {
      const message = "the service's secret store is full; try again later";
      throw new DomainError("service_unavailable", message, {
        retryAfterSeconds: 60,
        loggedCode: loggedErrorCodes.secretsFull,
        cause: error,
      });
    }
    if (!isAway(error)) throw error;
    throw new DomainError("service_unavailable", "the service's secret store is away; try again", {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
}
