import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { DynamoTable, Transacted } from "./dynamo-table.ts";
import type { Write } from "./expression.ts";
import { alreadyOnRecord, parseIdempotencyRecord, recordWrite } from "./idempotency-record.ts";
import type { Item } from "./item.ts";
import { idempotencyRecordKey } from "./keys.ts";

/**
 * One transaction, which also puts the result on record under the idempotency record, if any. Positions of failed
 * conditions are those of `writes`.
 *
 * The idempotency record is checked before any other failed condition: a repeat may fail because its first attempt
 * succeeded.
 *
 * @throws {AlreadyOnRecord}
 */
export async function transactIdempotent(
  table: DynamoTable,
  writes: readonly Write[],
  once: { readonly idempotency: Idempotency | undefined; readonly result: unknown; readonly nowMs: number },
): Promise<Transacted> {
  const { idempotency } = once;
  if (!idempotency) return await table.transact(writes);
  const outcome = await table.transact([
    ...writes,
    await recordWrite(table.encryption, idempotency, once.result, once.nowMs),
  ]);
  if (outcome.kind === "written") return outcome;
  if (outcome.failed.has(writes.length))
    throw await alreadyOnRecord(table.encryption, idempotency, outcome.failed.get(writes.length));
  // DynamoDB does not promise to report every failed condition.
  await refuseTaken(table, idempotency, once.nowMs);
  return outcome;
}

/**
 * For a write refused before its transaction: a repeat must get the first response, whatever has become of the entity
 * since. One read.
 *
 * @throws {AlreadyOnRecord}
 */
export async function refuseTaken(
  table: DynamoTable,
  idempotency: Idempotency,
  nowMs: number,
): Promise<void> {
  const item = await table.get(idempotencyRecordKey(idempotency.organizationId, idempotency.id));
  if (item && isInTheWay(idempotency, item, nowMs)) {
    throw await alreadyOnRecord(table.encryption, idempotency, item);
  }
}

function isInTheWay(idempotency: Idempotency, item: Item, nowMs: number): boolean {
  const row = parseIdempotencyRecord(item);
  if (idempotency.leased) return row.owner !== idempotency.owner || row.state !== "in_progress";
  return row.expiresAtMs > nowMs;
}
