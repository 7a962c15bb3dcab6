import * as z from "zod";
import type { RequestLog } from "../../domain/audit/request-log.ts";
import { isoTimestamp } from "../../domain/clock.ts";
import type { SlotChange } from "../../domain/tunnel/calls-under-way.ts";
import type { Item } from "../table/item.ts";
import { organizationIdAttribute } from "../table/row.ts";
import { slotRow } from "../tunnel/dynamo-call-slots.ts";
import { imagesOf, type TableStreamRecord } from "./stream-changes.ts";

const Slot = z.object({
  kind: z.literal("call_slot"),
  organization_id: organizationIdAttribute,
  request_id: z.string(),
  lease_until_ms: z.number().optional(),
});

export function readSlotChange(record: TableStreamRecord): SlotChange | undefined {
  const { before, after } = imagesOf(record);
  const [old, { data: slot }] = [Slot.safeParse(before).data, Slot.safeParse(after)];
  if (!slot) return undefined;
  const { organization_id: organizationId, request_id: requestId, lease_until_ms: leaseUntilMs } = slot;
  const begun = leaseUntilMs === undefined ? [] : [{ requestId, leaseUntilMs }];
  // The slot was given back, or taken over after the end of its lease.
  const hasEnded = old?.lease_until_ms !== undefined && (old.request_id !== requestId || begun.length === 0);
  return { organizationId, begun, ended: hasEnded ? [old.request_id] : [] };
}

/** A call is over when its slot is given back, or left behind by a caller that died. */
export function readRequestLog(record: TableStreamRecord): RequestLog | undefined {
  const { before, after } = imagesOf(record);
  const isTaken = before?.kind === "call_slot" && before.lease_until_ms !== undefined;
  const isOther = after === undefined || before?.request_id !== after.request_id;
  if (isTaken && isOther) return lineOf(before);
  const isOver = after?.kind === "call_slot" && after.lease_until_ms === undefined;
  return isOver && (isTaken || isOther) ? lineOf(after) : undefined;
}

function lineOf(slot: Item): RequestLog {
  const {
    requestId: id,
    callerRequestId: requestId,
    takenAtMs,
    durationMs,
    outcome,
    ...call
  } = slotRow.parse(slot);
  const { organizationId, machineId, actor, method, path, requestBytes } = call;
  return {
    id,
    organizationId,
    machineId,
    requestId,
    actor,
    method,
    path,
    requestBytes,
    statusCode: typeof outcome === "number" ? outcome : null,
    errorCode: typeof outcome === "number" ? null : (outcome ?? "outcome_unknown"),
    createdAt: isoTimestamp(takenAtMs),
    completedAt: durationMs === undefined ? null : isoTimestamp(takenAtMs + durationMs),
    durationMs: durationMs ?? null,
    responseBytes: call.bytes ?? 0,
  };
}

export function slotAttributes(): readonly string[] {
  return slotRow.attributes();
}
