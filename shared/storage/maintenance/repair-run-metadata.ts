import { isDeepStrictEqual } from "node:util";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { readIndexedKeys } from "../run/dynamo-indexed-key-store.ts";
import { lightAttributes, parseRun } from "../run/run-item.ts";
import { metadataItem } from "../run/run-metadata.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { check, isAsRead, put, remove } from "../table/expression.ts";
import { listPartitions } from "../table/index-keys.ts";
import { runKey, runMetadataKey } from "../table/keys.ts";
import { queryKeys } from "../table/query.ts";

const runsAtOnce = 100;

/** Safe while others change runs: those are left to another repair. Returns the number of rows corrected. */
export async function repairRunMetadata(table: DynamoTable, organizationId: OrganizationId): Promise<number> {
  const keys = await readIndexedKeys(table, organizationId);
  const rows = { index: "list", partition: listPartitions.runs(organizationId) } as const;
  const runKeys = await queryKeys(table, rows, { skip: 0, limit: Number.POSITIVE_INFINITY });
  let corrected = 0;
  for (let start = 0; start < runKeys.length; start += runsAtOnce) {
    const runs = (await table.batchGet(runKeys.slice(start, start + runsAtOnce), lightAttributes())).map(
      parseRun,
    );
    const keyOf = (id: string) => runMetadataKey(organizationId, id);
    const there = new Map(
      (await table.batchGet(runs.map(({ id }) => keyOf(id)))).map((item) => [String(item.pk), item]),
    );
    for (const run of runs) {
      if (run.deletedAt !== null) continue;
      const [key, item] = [keyOf(run.id), metadataItem(run, keys)];
      if (isDeepStrictEqual(there.get(key.pk), item)) continue;
      const { failed } = await table.transact({
        run: check(runKey(organizationId, run.id), isAsRead(run)),
        row: item === undefined ? remove(key) : put(item),
      });
      if (failed === undefined) corrected += 1;
    }
  }
  return corrected;
}
