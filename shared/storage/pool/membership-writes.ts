import type { Machine } from "../../domain/machine/machine.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import {
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

/** The list is compared as a whole: a concurrent join or leave is detected, and a ping does not conflict. */
export function poolIdsWrite(
  { organizationId, id, poolIds: before }: Pick<Machine, "organizationId" | "id" | "poolIds">,
  poolIds: readonly string[],
  required: "living" | "there",
): Write {
  const condition: Condition = {
    expression: `${required === "living" ? isLiving : "attribute_exists(pk)"} AND pool_ids = :before`,
    values: { before },
  };
  const change = { set: { pool_ids: poolIds }, add: { revision: 1 } };
  return update(machineKey(organizationId, id), change, condition);
}

export function joinWrite(organizationId: OrganizationId, poolId: string, machineId: string): Write {
  const key = memberKey(organizationId, poolId, machineId);
  return put({ ...key, ...memberRow.write({ organizationId, poolId, machineId }) });
}

export function leaveWrite(organizationId: OrganizationId, poolId: string, machineId: string): Write {
  return remove(memberKey(organizationId, poolId, machineId));
}

/** With 0 the write only checks that the pool exists. */
export function memberCountWrite(organizationId: OrganizationId, poolId: string, by: number): Write {
  const key = poolKey(organizationId, poolId);
  if (by === 0) return check(key, living);
  return update(key, { add: { machine_count: by } }, living);
}
