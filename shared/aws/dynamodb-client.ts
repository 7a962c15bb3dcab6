import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { bounded } from "./bounded.ts";
import { clientSettings } from "./client-settings.ts";
import { metered } from "./metered.ts";

/** `DynamoTable` retries by itself: the SDK pauses half a second after a throttle that is over within milliseconds. */
export const dynamoDbSettings = { ...clientSettings, maxAttempts: 1 } as const;

export function createDynamoDbClient(): DynamoDBClient {
  return metered("dynamodb", bounded(new DynamoDBClient(dynamoDbSettings)));
}
