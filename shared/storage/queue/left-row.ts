import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { MatchChange } from "../../domain/matching/match-trigger.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { executionsKind } from "../execution/executions-under-way.ts";
import type { Item, Key } from "../table/item.ts";
import { leftKey } from "../table/keys.ts";
import { converted, row, tenant, text } from "../table/row.ts";
import { queueItem } from "./queue-rows.ts";

/** The stream's filters recognize the row by this kind. */
export const leftKind = "left";

interface LeftRow {
  readonly organizationId: OrganizationId;
  /** The images of the stream's record, as far as the matcher reads them. */
  readonly images: readonly Item[];
  /** A new id makes each put an event. */
  readonly writeId: string;
}

const Images = z.array(z.record(z.string(), z.unknown()));

const leftRow = row<LeftRow>(leftKind, {
  organizationId: tenant,
  images: converted(
    () => z.string(),
    (json) => Images.parse(JSON.parse(json)),
    (images) => JSON.stringify(images),
  ),
  writeId: text,
});

export const { parse: parseLeft, attributes: leftAttributes } = leftRow;

/** The stream delivers the row to the matcher once more; nobody else reads it. */
export function leftItem(organizationId: OrganizationId, changes: readonly MatchChange[]): Item & Key {
  const left = leftRow.write({ organizationId, images: changes.map(imageOf), writeId: randomUUID() });
  return { ...leftKey(organizationId), ...left };
}

function imageOf(change: MatchChange): Item {
  const { organizationId: organization_id } = change;
  switch (change.kind) {
    case "queued":
      return { ...queueItem(change.entry), idle_after: change.idleAfter };
    case "machine_changed":
      return { kind: "machine", organization_id, id: change.machineId };
    case "execution_ended":
      return {
        kind: executionsKind,
        organization_id,
        refused: change.refused,
        idle_after: change.idleAfter,
      };
    case "pool_left":
      return {
        kind: "pool_member",
        organization_id,
        machine_id: change.machineId,
        left_pool_id: change.poolId,
      };
    case "session_ended":
      return { kind: "session", organization_id, id: change.sessionId, status: "ended" };
    case "chain_stopped":
      return { kind: "stopped_chain", organization_id, id: change.chainId, session_id: change.sessionId };
  }
}
