import type { OrganizationId } from "../../domain/organization-id.ts";
import type { DynamoTable } from "./dynamo-table.ts";
import { update, type Write } from "./expression.ts";
import type { Key } from "./item.ts";
import {
  type Counted,
  counterKey,
  counterPartition,
  type LimitedKind,
  type Listed,
  limitKey,
  listedCountKey,
  listedTypes,
} from "./keys.ts";
import { queryItems } from "./query.ts";

export type CountWrite = (
  entity: { readonly organizationId: OrganizationId; readonly id: string },
  by: 1 | -1,
) => Write;

export function counting(counted: Counted): CountWrite {
  return (entity, by) => countWrite(counted, entity, by);
}

/** One row counts all of a kind, so that a creation beyond the limit fails. */
export function limiting(kind: LimitedKind, max: number): CountWrite {
  return ({ organizationId }, by) =>
    boundedCountWrite({ ...limitKey(organizationId, kind), kind: "limit" }, by, max);
}

export async function readLimitCount(
  table: DynamoTable,
  organizationId: OrganizationId,
  kind: LimitedKind,
): Promise<number> {
  const item = await table.get(limitKey(organizationId, kind));
  return Number(item?.count ?? 0);
}

export function countWrite(
  counted: Counted,
  entity: { readonly organizationId: OrganizationId; readonly id: string },
  by: 1 | -1,
): Write {
  const key = counterKey(entity.organizationId, counted, entity.id);
  return update(key, { set: { kind: "counter" }, add: { count: by } });
}

function boundedCountWrite(row: Key & { readonly kind: string }, by: 1 | -1, max: number): Write {
  const { kind, ...key } = row;
  const hasRoom = { expression: "attribute_not_exists(count) OR count < :max", values: { max } };
  return update(key, { set: { kind }, add: { count: by } }, by === 1 ? hasRoom : undefined);
}

export function listedCountWrite(
  organizationId: OrganizationId,
  listed: Listed,
  by: 1 | -1,
  max: number,
): Write {
  const row = { ...listedCountKey(organizationId, listed), kind: `${listedTypes[listed]}_count` };
  return boundedCountWrite(row, by, max);
}

export function countWrites(
  counted: Counted,
  entities: readonly { readonly organizationId: OrganizationId; readonly id: string }[],
): readonly Write[] {
  const shards = new Map<string, { readonly key: Key; count: number }>();
  for (const { organizationId, id } of entities) {
    const key = counterKey(organizationId, counted, id);
    const name = `${key.pk} ${key.sk}`;
    const shard = shards.get(name) ?? { key, count: 0 };
    shard.count += 1;
    shards.set(name, shard);
  }
  return [...shards.values()].map(({ key, count }) =>
    update(key, { set: { kind: "counter" }, add: { count } }),
  );
}

/** The count is always exact: one strongly consistent query over at most 16 small rows. */
export async function readCount(
  table: DynamoTable,
  organizationId: OrganizationId,
  counted: Counted,
): Promise<number> {
  const shards = await queryItems(table, { partition: counterPartition(organizationId, counted) });
  return shards.reduce((sum, shard) => sum + Number(shard.count ?? 0), 0);
}
