import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { clientSettings } from "./client-settings.ts";

/** Region, credentials and endpoint come from the environment that Lambda gives. */
export function createDynamoDbClient(): DynamoDBClient {
  return new DynamoDBClient(clientSettings);
}
