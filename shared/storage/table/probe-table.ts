import type { DynamoTable } from "./dynamo-table.ts";
import { probeKey } from "./keys.ts";

/** @throws {DomainError} `service_unavailable` */
export async function probeTable(table: DynamoTable): Promise<void> {
  await table.get(probeKey());
}
