import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ownScopes } from "../../shared/vocabulary/access.ts";
import { issueApiKey } from "../keys/issue-api-key.ts";
import type { AwsEndpoint } from "./aws/aws-endpoint.ts";

export type Scopes = Parameters<typeof issueApiKey>[0]["scopes"];

export type SeededOrganization = {
  readonly organizationId: string;
  readonly userId: string;
  readonly apiKey: string;
  /** The key allows opening tunnels and nothing else. */
  readonly driverKey: string;
};

export type KeyMaker = (
  organizationId: string,
  userId: string,
  scopes: Scopes,
  name: string,
) => Promise<string>;

export function createKeyMaker(
  aws: AwsEndpoint,
  tableName: string,
): KeyMaker & { readonly close: () => void } {
  const client = new DynamoDBClient({ endpoint: aws.url, region: aws.region, credentials: aws.admin });
  const make: KeyMaker = async (organizationId, userId, scopes, name) => {
    const { key } = await issueApiKey({ client, tableName, organizationId, userId, scopes, name });
    return key;
  };
  return Object.assign(make, { close: () => client.destroy() });
}

async function seedOrganization(makeKey: KeyMaker, organizationId: string): Promise<SeededOrganization> {
  const userId = randomUUID();
  const [apiKey, driverKey] = await Promise.all([
    makeKey(organizationId, userId, ownScopes, "local"),
    makeKey(organizationId, userId, ["driver"], "local desktop"),
  ]);
  return { organizationId, userId, apiKey, driverKey };
}

export async function seedOnce(makeKey: KeyMaker, file: string | undefined): Promise<SeededOrganization> {
  if (file !== undefined && existsSync(file))
    return JSON.parse(readFileSync(file, "utf8")) as SeededOrganization;
  const seeded = await seedOrganization(makeKey, "org_local");
  if (file !== undefined) writeFileSync(file, JSON.stringify(seeded), { mode: 0o600 });
  return seeded;
}
