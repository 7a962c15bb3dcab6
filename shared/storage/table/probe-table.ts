import type { DynamoTable } from "./dynamo-table.ts";
import { probeKey } from "./keys.ts";

/**
 * Answers when the table does: one strongly consistent read of an item that is not there.
 *
 * @throws {DomainError} `service_unavailable`
 */
export async function probeTable(table: DynamoTable): Promise<void> {
  await table.get(probeKey());
}
