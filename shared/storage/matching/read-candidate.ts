import type { Candidate } from "../../domain/matching/match-store.ts";
import { earlierRunIds } from "../../domain/matching/queue-places.ts";
import type { WaitingRunEntry } from "../../domain/run/waiting/queue-entry.ts";
import { providerSlots } from "../../vocabulary/providers.ts";
import { parseMachine } from "../machine/machine-item.ts";
import { parsePool } from "../pool/pool-item.ts";
import { parseProviderCredential } from "../provider/dynamo-provider-credential-store.ts";
import { parseRun } from "../run/run-item.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item, Key } from "../table/item.ts";
import { machineKey, poolKey, providerCredentialKey, runKey, workflowKey } from "../table/keys.ts";
import { parseWorkflow } from "../workflow/workflow-item.ts";

/** The queue entry names the items to read, so one batch is enough unless the run has changed since. */
export async function readCandidate(
  table: DynamoTable,
  entry: WaitingRunEntry,
  machineId?: string,
): Promise<Candidate | undefined> {
  const { organizationId, waiting } = entry;
  const machine = machineId === undefined ? undefined : machineKey(organizationId, machineId);
  const items = new Map<string, Item>();
  await read(table, items, [
    runKey(organizationId, waiting.runId),
    ...(machine === undefined ? [] : [machine]),
    workflowKey(organizationId, waiting.workflowId),
    ...waiting.poolIds.map((poolId) => poolKey(organizationId, poolId)),
    ...providerSlots.map((slot) => providerCredentialKey(organizationId, slot)),
    ...waiting.earlierRunIds.map((runId) => runKey(organizationId, runId)),
  ]);
  const runOf = (runId: string) => living(items, runKey(organizationId, runId), parseRun);
  const run = runOf(waiting.runId);
  if (run === undefined) return undefined;
  const earlier = earlierRunIds(run);
  const unread = earlier.filter((runId) => !waiting.earlierRunIds.includes(runId));
  if (unread.length > 0)
    await read(
      table,
      items,
      unread.map((runId) => runKey(organizationId, runId)),
    );
  return {
    run,
    machine: machine && living(items, machine, parseMachine),
    workflow: living(items, workflowKey(organizationId, run.workflowId), parseWorkflow),
    pools: present(run.poolIds.map((poolId) => living(items, poolKey(organizationId, poolId), parsePool))),
    credentials: present(
      providerSlots.map((slot) => items.get(providerCredentialKey(organizationId, slot).pk)),
    ).map(parseProviderCredential),
    earlier: new Map(present(earlier.map(runOf)).map((step) => [step.id, step])),
  };
}

/** Each of these rows is alone under its partition key. */
async function read(table: DynamoTable, items: Map<string, Item>, keys: readonly Key[]): Promise<void> {
  const distinct = [...new Map(keys.map((key) => [key.pk, key])).values()];
  for (const item of await table.batchGet(distinct)) items.set(String(item.pk), item);
}

function living<T extends { readonly deletedAt: string | null }>(
  items: ReadonlyMap<string, Item>,
  { pk }: Key,
  parse: (item: Item) => T,
): T | undefined {
  const item = items.get(pk);
  const entity = item && parse(item);
  return entity?.deletedAt === null ? entity : undefined;
}

function present<T>(values: readonly (T | undefined)[]): readonly T[] {
  return values.filter((value) => value !== undefined);
}
