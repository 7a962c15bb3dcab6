import type { ApiKey } from "../../shared/domain/access/api-key.ts";
import { systemClock } from "../../shared/runtime/system.ts";
import { DynamoApiKeyStore } from "../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import type { OpenedTable } from "../operator/open-table.ts";
import { issueApiKey } from "./issue-api-key.ts";
import type { KeysCommand } from "./key-arguments.ts";

export interface KeysOutput {
  readonly out: readonly string[];
  /** Standard error gets what a person needs besides the results. */
  readonly err: readonly string[];
}

export async function runKeys(
  command: Exclude<KeysCommand, { kind: "platform" | "rotate-data-key" }>,
  { client, tableName }: OpenedTable,
): Promise<KeysOutput> {
  const table = new DynamoTable({ client, tableName, clock: systemClock });
  const store = new DynamoApiKeyStore({ table, clock: systemClock });
  switch (command.kind) {
    case "create": {
      const { organizationId, scopes, name, userId } = command;
      const owner = userId === undefined ? {} : { userId };
      const made = await issueApiKey({ client, tableName, organizationId, scopes, name, ...owner });
      return {
        out: [made.key],
        err: [
          `key ${made.keyId} of organization ${organizationId}, user ${made.userId}, may ${scopes.join(", ")}`,
          "It is shown this once: keep it now.",
        ],
      };
    }
    case "list": {
      const keys = await store.list(command.organizationId);
      const uses = await store.lastUses(keys.map(({ id }) => id));
      return {
        out: keys.map((key) => keyLine(key, uses.get(key.id))),
        err: keys.length === 0 ? ["The organization has no keys."] : [],
      };
    }
    case "revoke": {
      const key = await store.revoke(command.keyId, new Date().toISOString());
      if (!key) throw new Error(`there is no key ${command.keyId}`);
      return {
        out: [`revoked ${key.id} at ${key.revokedAt}`],
        err: [
          "It is refused everywhere within 30 s; connections that it has opened are closed within two minutes.",
        ],
      };
    }
  }
}

function keyLine(key: ApiKey, usedAt: string | undefined): string {
  const state = key.revokedAt === null ? "active" : `revoked ${key.revokedAt}`;
  const use = usedAt === undefined ? "never used" : `used ${usedAt.slice(0, 13)}`;
  return [key.id, key.createdAt, state, use, key.scopes.join(","), key.name].join("\t").trimEnd();
}
