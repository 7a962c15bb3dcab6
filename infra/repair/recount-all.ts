import { organizationIdOf } from "../../shared/domain/organization-id.ts";
import { systemClock as clock } from "../../shared/runtime/system.ts";
import { countedKinds, recount, recountExecutions } from "../../shared/storage/maintenance/recount.ts";
import { repairRunMetadata } from "../../shared/storage/maintenance/repair-run-metadata.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import type { OpenedTable } from "../operator/open-table.ts";

export async function recountAll(
  { client, tableName }: OpenedTable,
  organization: string,
  say: (line: string) => void,
): Promise<void> {
  const deps = { table: new DynamoTable({ client, tableName, clock }), clock };
  const organizationId = organizationIdOf(organization);
  for (const counted of countedKinds) {
    const corrections = await recount(deps, organizationId, counted);
    if (corrections.length === 0) say(`${counted}: right`);
    for (const { shard, was, is } of corrections) {
      say(`${counted}: shard ${shard} said ${was}, corrected to ${is}`);
    }
  }
  const rows = await repairRunMetadata(deps.table, organizationId);
  say(`RUN_METADATA: ${rows === 0 ? "right" : `${rows} rows corrected`}`);
  const { removed, added } = await recountExecutions(deps, organizationId);
  const wrong = `${removed} that had ended removed, ${added} added`;
  say(`EXECUTIONS: ${removed + added === 0 ? "right" : wrong}`);
}
