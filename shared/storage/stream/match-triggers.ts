import * as z from "zod";
import type { MatchChange, MatchTrigger } from "../../domain/matching/match-trigger.ts";
import { executionsKind } from "../execution/executions-under-way.ts";
import { serviceExecutionsKind } from "../execution/service-executions.ts";
import { leftAttributes, leftKind, parseLeft } from "../queue/left-row.ts";
import { parseQueueEntry, queueAttributes, queueKind } from "../queue/queue-rows.ts";
import type { Item } from "../table/item.ts";
import { organizationIdAttribute } from "../table/row.ts";
import { imagesOf, type TableStreamRecord } from "./stream-changes.ts";

const Row = z.object({
  kind: z.string(),
  organization_id: organizationIdAttribute,
  id: z.string().optional(),
  machine_id: z.string().optional(),
  session_id: z.string().optional(),
  status: z.string().optional(),
  idle_after: z.string().optional(),
  left_pool_id: z.string().optional(),
  refused: z.array(z.string()).optional(),
});

/** The event source's filter passes some changes that trigger nothing, for which this returns undefined. */
export function readMatchTrigger(record: TableStreamRecord): MatchTrigger | undefined {
  const { before, after } = imagesOf(record);
  if (before?.kind === "pool_member" && after === undefined) {
    return changeOf({ ...before, left_pool_id: before.pool_id });
  }
  if (before?.kind === executionsKind && before.refused instanceof Set && after?.refused === undefined) {
    return changeOf({ ...before, refused: [...before.refused] });
  }
  if (after?.kind === serviceExecutionsKind) return { kind: "place_freed" };
  if (after?.kind !== leftKind) return changeOf(after);
  const { organizationId, images } = parseLeft(after);
  return { kind: "left", organizationId, changes: images.flatMap((image) => changeOf(image) ?? []) };
}

export function triggerAttributes(): readonly string[] {
  return [...Object.keys(Row.shape), "pool_id", ...queueAttributes(), ...leftAttributes()];
}

function changeOf(after: Item | undefined): MatchChange | undefined {
  const parsed = Row.safeParse(after);
  if (!parsed.success || after === undefined) return undefined;
  const { kind, organization_id: organizationId, id, machine_id: machineId, ...row } = parsed.data;
  if (kind === queueKind) {
    const idleAfter = row.idle_after;
    const entry = parseQueueEntry(after);
    return { kind: "queued", organizationId, entry, ...(idleAfter !== undefined && { idleAfter }) };
  }
  if (kind === executionsKind && row.refused !== undefined) {
    const { refused, idle_after: idleAfter } = row;
    return {
      kind: "execution_ended",
      organizationId,
      refused,
      ...(idleAfter !== undefined && { idleAfter }),
    };
  }
  if (kind === "machine" && id !== undefined) {
    return { kind: "machine_changed", organizationId, machineId: id };
  }
  if (kind === "pool_member" && machineId !== undefined) {
    const poolId = row.left_pool_id;
    if (poolId !== undefined) return { kind: "pool_left", organizationId, machineId, poolId };
    return { kind: "machine_changed", organizationId, machineId };
  }
  if (kind === "session" && id !== undefined && row.status === "ended") {
    return { kind: "session_ended", organizationId, sessionId: id };
  }
  if (kind === "stopped_chain" && id !== undefined && row.session_id !== undefined) {
    return { kind: "chain_stopped", organizationId, sessionId: row.session_id, chainId: id };
  }
  return undefined;
}
