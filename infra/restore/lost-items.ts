import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import { forEachBounded } from "../../shared/domain/bounded-parallel.ts";
import { type OrganizationId, organizationIdOf } from "../../shared/domain/organization-id.ts";
import { fromAttributes, type Item, toAttributes } from "../../shared/storage/table/item.ts";
import { organizationPrefix, runKey } from "../../shared/storage/table/keys.ts";
import { batchKeysMax } from "../../shared/vocabulary/table.ts";

type Attributes = Record<string, AttributeValue>;

/** The sweeper, the matcher or a recount recreates these, or they have expired. */
const leftOut: ReadonlySet<unknown> = new Set([
  ...["queue", "idle", "left", "pool_set", "counter", "executions", "run_metadata"],
  ...["call_place", "call_slot", "calls_under_way", "mailbox_part", "rate_bucket", "ticket", "sweep_cursor"],
  // Nothing is done on a desktop that the table no longer knows.
  "execution",
]);

/** Segments are scanned at the same time, each with ten writes under way. */
const segments = 8;

export interface LostItemsOptions {
  readonly client: Pick<DynamoDBClient, "send">;
  readonly from: string;
  readonly to: string;
  /** @default all */
  readonly organizationId?: OrganizationId | undefined;
  readonly copies: boolean;
  readonly nowMs: number;
}

export interface LostItems {
  readonly seen: number;
  readonly lost: ReadonlyMap<string, number>;
  /** The totals of these organizations must be recounted. */
  readonly organizationIds: ReadonlySet<string>;
  readonly secretNames: ReadonlySet<string>;
  /** Nothing continues runs that were under way at the time of the restored table. */
  readonly runningRunIds: readonly string[];
}

/** The condition is part of each write, so it may run while the service is used, and again after a failure. */
export async function copyLostItems(options: LostItemsOptions): Promise<LostItems> {
  const found = {
    seen: 0,
    lost: new Map<string, number>(),
    organizationIds: new Set<string>(),
    secretNames: new Set<string>(),
    runningRunIds: [] as string[],
  };
  const scanned = Array.from({ length: segments }, async (_, segment) => {
    for await (const page of pagesOf(options, segment)) {
      const wanted = page.filter((item) => isWanted(fromAttributes(item), options));
      found.seen += wanted.length;
      for (let at = 0; at < wanted.length; at += batchKeysMax) {
        const missing = await missingOf(options, wanted.slice(at, at + batchKeysMax));
        await forEachBounded(missing, async (attributes) => {
          const item = await asOfNow(options, attributes);
          if (options.copies && !(await putIfAbsent(options, item))) return;
          note(found, fromAttributes(item));
        });
      }
    }
  });
  await Promise.all(scanned);
  return found;
}

async function* pagesOf({ client, from }: LostItemsOptions, segment: number): AsyncGenerator<Attributes[]> {
  const input = { TableName: from, Segment: segment, TotalSegments: segments };
  for await (const { Items = [] } of paginateScan({ client: client as DynamoDBClient }, input)) yield Items;
}

function isWanted(
  { kind, ttl, pk, organization_id: owner }: Item,
  { organizationId, nowMs }: LostItemsOptions,
): boolean {
  if (leftOut.has(kind) || (typeof ttl === "number" && ttl * 1_000 < nowMs)) return false;
  if (organizationId === undefined) return true;
  return owner === organizationId || String(pk).startsWith(organizationPrefix(organizationId));
}

async function missingOf(
  { client, to }: LostItemsOptions,
  items: readonly Attributes[],
): Promise<readonly Attributes[]> {
  const there = new Set<string>();
  let keys = items.map(keyOf);
  while (keys.length > 0) {
    const asked = { Keys: keys, ProjectionExpression: "pk, sk", ConsistentRead: true };
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [to]: asked } }),
    );
    for (const item of Responses[to] ?? []) there.add(nameOf(item));
    keys = (UnprocessedKeys[to]?.Keys ?? []).map(keyOf);
  }
  return items.filter((item) => !there.has(nameOf(item)));
}

/** A machine with a run that has ended since, or that is missing, would never be free. */
async function asOfNow(options: LostItemsOptions, attributes: Attributes): Promise<Attributes> {
  const { kind, current_run_id: runId, organization_id: owner } = fromAttributes(attributes);
  if (kind !== "machine" || typeof runId !== "string") return attributes;
  const key = toAttributes({ ...runKey(organizationIdOf(String(owner)), runId) });
  const { client, to, from } = options;
  for (const table of [to, from]) {
    const { Responses = {} } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys: [key], ConsistentRead: true } } }),
    );
    const run = Responses[table]?.[0];
    if (run !== undefined && run.status?.S === "running") return attributes;
    if (run !== undefined) break;
  }
  const { current_run_id: _, ...free } = attributes;
  return free;
}

/** Returns false when the item has been written since. */
async function putIfAbsent({ client, to }: LostItemsOptions, item: Attributes): Promise<boolean> {
  try {
    const condition = { ConditionExpression: "attribute_not_exists(pk)" };
    await client.send(new PutItemCommand({ TableName: to, Item: item, ...condition }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

function note(
  found: {
    readonly lost: Map<string, number>;
    readonly organizationIds: Set<string>;
    readonly secretNames: Set<string>;
    readonly runningRunIds: string[];
  },
  { kind, id, status, organization_id: owner, secret_name: secretName }: Item,
): void {
  found.lost.set(String(kind), (found.lost.get(String(kind)) ?? 0) + 1);
  if (typeof owner === "string") found.organizationIds.add(owner);
  if (typeof secretName === "string") found.secretNames.add(secretName);
  if (kind === "run" && status === "running") found.runningRunIds.push(String(id));
}

function keyOf({ pk, sk }: Attributes): Attributes {
  if (pk === undefined || sk === undefined) throw new Error("an item has no key");
  return { pk, sk };
}

function nameOf({ pk, sk }: Attributes): string {
  return JSON.stringify([pk, sk]);
}
