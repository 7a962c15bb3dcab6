import { createDynamoDbClient } from "../aws/dynamodb-client.ts";
import { DynamoTable, type DynamoTableOptions } from "../storage/table/dynamo-table.ts";
import type { Environment } from "./environment.ts";

export const tableVariables = ["TABLE_NAME", "TABLE_ATTEMPT_MS"] as const;

/** Opens the service's table. */
export function createTable(
  env: Environment<(typeof tableVariables)[number]>,
  options: Pick<DynamoTableOptions, "clock" | "encryption" | "acts">,
): DynamoTable {
  return new DynamoTable({
    client: createDynamoDbClient(),
    tableName: env.TABLE_NAME,
    attemptMsMax: env.TABLE_ATTEMPT_MS,
    ...options,
  });
}
