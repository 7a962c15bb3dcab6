import { type AttributeValue, type DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { forEachBounded } from "../../shared/domain/bounded-parallel.ts";
import type { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { fromAttributes, toAttributes } from "../../shared/storage/table/item.ts";
import type { Backfill } from "./backfills.ts";

/** Read at a time: what an interruption has read again. */
const pageRows = 1_000;

export interface WriteAnewInput {
  readonly client: Pick<DynamoDBClient, "send">;
  readonly tableName: string;
  readonly table: DynamoTable;
  readonly backfill: Backfill;
  /** A cursor that an earlier pass has given. @default the beginning */
  readonly from?: string | undefined;
  /** @default 1,000 */
  readonly rows?: number;
}

export interface Pass {
  readonly read: number;
  readonly written: number;
  /** Where the next page begins; undefined at the end. */
  readonly cursor: string | undefined;
}

/** Writes one page of the table anew. A row that was changed meanwhile is the service's own and left. */
export async function writePageAnew(input: WriteAnewInput): Promise<Pass> {
  const { client, tableName, table, backfill, from, rows = pageRows } = input;
  const page = await client.send(
    new ScanCommand({
      TableName: tableName,
      Limit: rows,
      FilterExpression: "#kind = :kind",
      ExpressionAttributeNames: { "#kind": "kind" },
      ExpressionAttributeValues: { ":kind": { S: backfill.kind } },
      ...(from === undefined ? {} : { ExclusiveStartKey: startOf(from) }),
    }),
  );
  let written = 0;
  await forEachBounded(page.Items ?? [], async (attributes) => {
    const row = fromAttributes(attributes);
    const write = backfill.writeOf(row);
    if (write === undefined) return;
    const key = { pk: String(row.pk), sk: String(row.sk) };
    const outcome = await table.transact([{ kind: "update", key, ...write }]);
    if (outcome.kind === "written") written += 1;
  });
  const { LastEvaluatedKey: last, ScannedCount: read = 0 } = page;
  const cursor = last && Buffer.from(JSON.stringify(fromAttributes(last))).toString("base64url");
  return { read, written, cursor };
}

/** @throws {Error} one sentence, for a text that no pass has given. */
function startOf(cursor: string): Record<string, AttributeValue> {
  try {
    const { pk, sk } = JSON.parse(Buffer.from(cursor, "base64url").toString()) as Record<string, unknown>;
    return toAttributes({ pk, sk });
  } catch {
    throw new Error("--from takes what an earlier pass has printed");
  }
}
