import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { clientSettings } from "./client-settings.ts";
import { metered } from "./metered.ts";

/**
 * One attempt per call: `DynamoTable` retries by itself, within a deadline. The SDK pauses half a second and more after
 * a throttle, which an on-demand table is over within milliseconds.
 */
export const dynamoDbSettings = { ...clientSettings, maxAttempts: 1 } as const;

/** Region, credentials and endpoint come from the environment that Lambda gives. */
export function createDynamoDbClient(): DynamoDBClient {
  return metered("dynamodb", new DynamoDBClient(dynamoDbSettings));
}
