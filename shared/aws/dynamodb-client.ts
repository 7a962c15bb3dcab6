import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { clientSettings } from "./client-settings.ts";

/**
 * One attempt a call: `DynamoTable` tries again by itself, within a deadline. The SDK waits half a second and more
 * after a throttle, which a table on demand is over within milliseconds.
 */
export const dynamoDbSettings = { ...clientSettings, maxAttempts: 1 } as const;

/** Region, credentials and endpoint come from the environment that Lambda gives. */
export function createDynamoDbClient(): DynamoDBClient {
  return new DynamoDBClient(dynamoDbSettings);
}
