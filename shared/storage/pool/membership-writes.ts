import type { Edit } from "../../domain/entity/edition.ts";
import type { Machine } from "../../domain/machine/machine.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { hasEdition, withNextEdition } from "../entity/edition-writes.ts";
import {
  allOf,
  type Condition,
  check,
  isLiving,
  living,
  put,
  remove,
  update,
  type Write,
} from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { machineKey, memberKey, poolKey } from "../table/keys.ts";
import { row, tenant, text } from "../table/row.ts";

interface Member {
  readonly organizationId: OrganizationId;
  readonly poolId: string;
  readonly machineId: string;
}

const memberRow = row<Member>("pool_member", { organizationId: tenant, poolId: text, machineId: text });

export function memberId(item: Item): string {
  return memberRow.parse(item).machineId;
}

/**
 * The list is compared as a whole: a concurrent join or leave is detected, and a ping does not conflict.
 * @param edit is a person's, of a living machine; the projector's writes have none.
 */
export function poolIdsWrite(
  { organizationId, id, poolIds: before }: Pick<Machine, "organizationId" | "id" | "poolIds">,
  poolIds: readonly string[],
  edit: Edit | undefined,
): Write {
  const isAsRead: Condition = {
    expression: `${edit ? isLiving : "attribute_exists(pk)"} AND pool_ids = :before`,
    values: { before },
  };
  const change = { set: { pool_ids: poolIds }, add: { revision: 1 } };
  const key = machineKey(organizationId, id);
  if (edit === undefined) return update(key, change, isAsRead);
  return update(key, withNextEdition(change), allOf(isAsRead, hasEdition(edit)));
}

export function joinWrite(organizationId: OrganizationId, poolId: string, machineId: string): Write {
  const key = memberKey(organizationId, poolId, machineId);
  return put({ ...key, ...memberRow.write({ organizationId, poolId, machineId }) });
}

export function leaveWrite(organizationId: OrganizationId, poolId: string, machineId: string): Write {
  return remove(memberKey(organizationId, poolId, machineId));
}

/** With 0 the write only checks that the pool exists. */
export function memberCountWrite(
  organizationId: OrganizationId,
  poolId: string,
  by: number,
  edit: Edit | undefined,
): Write {
  const key = poolKey(organizationId, poolId);
  const condition = allOf(living, edit && hasEdition(edit));
  if (by === 0) return check(key, condition);
  const change = { add: { machine_count: by } };
  return update(key, edit ? withNextEdition(change) : change, condition);
}
