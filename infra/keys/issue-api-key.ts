import { randomUUID } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { last4Of } from "../../shared/domain/access/api-key.ts";
import { isOrganizationId } from "../../shared/domain/organization-id.ts";
import { systemClock } from "../../shared/runtime/system.ts";
import { mintApiKey } from "../../shared/secrets/api-key-text.ts";
import { DynamoApiKeyStore } from "../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import type { Scope } from "../../shared/vocabulary/access.ts";

export interface IssueApiKeyInput {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  readonly organizationId: string;
  /** @default a fresh UUID */
  readonly userId?: string;
  readonly scopes: readonly Scope[];
  readonly name: string;
}

export async function issueApiKey(
  input: IssueApiKeyInput,
): Promise<{ readonly key: string; readonly keyId: string; readonly userId: string }> {
  const { client, tableName, organizationId, scopes, name, userId = randomUUID() } = input;
  if (!isOrganizationId(organizationId)) throw new Error(`${organizationId} is no organization's id`);
  const minted = mintApiKey();
  const table = new DynamoTable({ client, tableName, clock: systemClock });
  await new DynamoApiKeyStore({ table, clock: systemClock }).create({
    id: minted.id,
    organizationId,
    userId,
    name,
    scopes,
    secretDigest: minted.digest,
    createdAt: new Date().toISOString(),
    revokedAt: null,
    expiresAt: null,
    last4: last4Of(minted),
  });
  return { key: minted.text, keyId: minted.id, userId };
}
