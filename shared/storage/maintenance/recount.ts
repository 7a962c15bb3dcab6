import type { Clock } from "../../domain/clock.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import {
  executionAdded,
  executionsRemoved,
  runMember,
  runningIn,
} from "../execution/executions-under-way.ts";
import { lightAttributes, parseRun } from "../run/run-item.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { check, isAsRead } from "../table/expression.ts";
import { filterPartitions, listPartitions } from "../table/index-keys.ts";
import { type Counted, counterPartition, counterShardOf, executionsKey, runKey } from "../table/keys.ts";
import { queryItems, queryKeys } from "../table/query.ts";

const listed = {
  MACHINE: listPartitions.machines,
  CONNECTION: listPartitions.connections,
  WORKFLOW: listPartitions.workflows,
  RUN: listPartitions.runs,
  ATTACHMENT: listPartitions.attachments,
  POOL: listPartitions.pools,
  TRAJECTORY: listPartitions.trajectories,
} as const satisfies Record<Counted, (organizationId: OrganizationId) => string>;

export const countedKinds = Object.keys(listed) as readonly Counted[];

export interface Correction {
  readonly counted: Counted;
  readonly shard: string;
  readonly was: number;
  readonly is: number;
}

/** The lag of an index is shorter, except when DynamoDB itself fails. */
const indexLagMs = 2_000;

/** Safe while others create and delete. A shard that changed between two counts is left for another recount. */
export async function recount(
  deps: { readonly table: DynamoTable; readonly clock: Clock },
  organizationId: OrganizationId,
  counted: Counted,
): Promise<readonly Correction[]> {
  const first = await countBoth(deps.table, organizationId, counted);
  const wrong = shardsThatDiffer(first);
  if (wrong.length === 0) return [];
  await deps.clock.sleep(indexLagMs);
  const second = await countBoth(deps.table, organizationId, counted);
  const corrections: Correction[] = [];
  for (const shard of wrong) {
    const was = second.shards.get(shard) ?? 0;
    const is = second.entities.get(shard) ?? 0;
    const isSteady = was === (first.shards.get(shard) ?? 0) && is === (first.entities.get(shard) ?? 0);
    if (!isSteady || was === is) continue;
    const outcome = await deps.table.update(
      { pk: counterPartition(organizationId, counted), sk: shard },
      { set: { kind: "counter", count: is } },
      { expression: "attribute_not_exists(count) OR count = :was", values: { was } },
    );
    if (outcome.kind === "updated") corrections.push({ counted, shard, was, is });
  }
  return corrections;
}

/** Safe while others begin and end runs, because only members that were wrong twice are corrected. */
export async function recountExecutions(
  { table, clock }: { readonly table: DynamoTable; readonly clock: Clock },
  organizationId: OrganizationId,
): Promise<{ readonly removed: number; readonly added: number }> {
  const first = await readExecutions(table, organizationId);
  if (first.stale.length + first.missing.length === 0) return { removed: 0, added: 0 };
  await clock.sleep(indexLagMs);
  const second = await readExecutions(table, organizationId);
  const stale = second.stale.filter((element) => first.stale.includes(element));
  if (stale.length > 0) {
    const { key, change } = executionsRemoved(organizationId, stale);
    await table.update(key, change);
  }
  let added = 0;
  for (const run of second.missing) {
    const key = runKey(organizationId, run.id);
    const { failed } = await table.transact({
      run: check(key, isAsRead(run)),
      executions: executionAdded(run),
    });
    if (failed === undefined) added += 1;
  }
  return { removed: stale.length, added };
}

async function readExecutions(table: DynamoTable, organizationId: OrganizationId) {
  const inRow = runningIn(await table.get(executionsKey(organizationId)));
  const rows = {
    index: "filter4",
    partition: filterPartitions.runsByStatus(organizationId, "running"),
  } as const;
  const keys = await queryKeys(table, rows, { skip: 0, limit: Number.POSITIVE_INFINITY });
  const runs = (await table.batchGet(keys, lightAttributes())).map(parseRun);
  const running = runs.filter(({ status, executor }) => status === "running" && executor === "service");
  const elements = new Set(running.map(({ id }) => runMember(id)));
  return {
    stale: [...inRow].filter((element) => !elements.has(element)),
    missing: running.filter(({ id }) => !inRow.has(runMember(id))),
  };
}

interface BothCounts {
  readonly shards: ReadonlyMap<string, number>;
  readonly entities: ReadonlyMap<string, number>;
}

async function countBoth(
  table: DynamoTable,
  organizationId: OrganizationId,
  counted: Counted,
): Promise<BothCounts> {
  const rows = { index: "list", partition: listed[counted](organizationId) } as const;
  const keys = await queryKeys(table, rows, { skip: 0, limit: Number.POSITIVE_INFINITY });
  const entities = new Map<string, number>();
  for (const { pk } of keys) {
    const shard = counterShardOf(pk);
    entities.set(shard, (entities.get(shard) ?? 0) + 1);
  }
  const items = await queryItems(table, { partition: counterPartition(organizationId, counted) });
  return { shards: new Map(items.map(({ sk, count }) => [String(sk), Number(count ?? 0)])), entities };
}

function shardsThatDiffer({ shards, entities }: BothCounts): readonly string[] {
  const all = new Set([...shards.keys(), ...entities.keys()]);
  return [...all].filter((shard) => (shards.get(shard) ?? 0) !== (entities.get(shard) ?? 0)).sort();
}
