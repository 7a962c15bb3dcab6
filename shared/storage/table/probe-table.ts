import type { DynamoTable } from "./dynamo-table.ts";
import { probeKey } from "./keys.ts";

/**
 * Returns when the table responds: one strongly consistent read of an item that does not exist.
 *
 * @throws {DomainError} `service_unavailable`
 */
export async function probeTable(table: DynamoTable): Promise<void> {
  await table.get(probeKey());
}
