import { setTimeout as delay } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type FormResult, tryForms } from "./try-forms.ts";

const client = new DynamoDBClient({});
const tableName = process.env.TABLE_NAME ?? "";

export const handler = (): Promise<readonly FormResult[]> =>
  tryForms({ client, tableName, pause: () => delay(5_000) });
