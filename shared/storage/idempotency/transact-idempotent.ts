import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item } from "../table/item.ts";
import { idempotencyRecordKey } from "../table/keys.ts";
import type { Parts, Transacted } from "../table/transaction.ts";
import { alreadyOnRecord, parseIdempotencyRecord, recordWrite } from "./idempotency-record.ts";

export interface Once {
  readonly idempotency: Idempotency | undefined;
  readonly result: unknown;
  readonly nowMs: number;
}

const record = "idempotencyRecord";

/** The record is checked first: a repeat may fail because its first attempt succeeded. @throws {AlreadyOnRecord} */
export async function transactIdempotent<Name extends string>(
  table: DynamoTable,
  parts: Parts<Name>,
  { idempotency, result, nowMs }: Once,
): Promise<Transacted<Name>> {
  if (!idempotency) return await table.transact(parts);
  const { failed, failures } = await table.transact<Name | typeof record>({
    ...parts,
    [record]: await recordWrite(table.encryption, idempotency, result, nowMs),
  });
  if (failed === record || failures.has(record)) {
    throw await alreadyOnRecord(table.encryption, idempotency, failures.item(record));
  }
  // DynamoDB does not guarantee that it reports every failed condition.
  if (failed !== undefined) await refuseTaken(table, idempotency, nowMs);
  return { failed, failures };
}

/** A repeat must get the first response, whatever has happened to the entity since. @throws {AlreadyOnRecord} */
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
