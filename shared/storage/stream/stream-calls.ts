import type { RequestLog } from "../../domain/audit/request-log.ts";
import { isoTimestamp } from "../../domain/clock.ts";
import { notModified, screenshotPath } from "../../vocabulary/drivers.ts";
import type { Item } from "../table/item.ts";
import { callRow } from "../tunnel/call-row.ts";
import { imagesOf, type TableStreamRecord } from "./stream-changes.ts";

/**
 * Returns the call that ended with the change: its record has an outcome, or its caller died. Where the answer came before
 * the record, the call ends with the record. A look that saw nothing new is left out, because who follows a screen makes
 * many of them.
 */
export function readRequestLog(record: TableStreamRecord): RequestLog | undefined {
  const { before, after } = imagesOf(record);
  const isTaken = before?.kind === "call_slot" && before.lease_until_ms !== undefined;
  const isOther = after === undefined || before?.request_id !== after.request_id;
  if (isTaken && isOther) return lineOf(before);
  const isOver =
    after?.kind === "call_slot" && after.lease_until_ms === undefined && after.outcome !== undefined;
  const line = isOver && (isTaken || isOther) ? lineOf(after) : undefined;
  return line?.path === screenshotPath && line.statusCode === notModified ? undefined : line;
}

function lineOf(record: Item): RequestLog {
  const {
    requestId: id,
    callerRequestId: requestId,
    takenAtMs,
    durationMs,
    outcome,
    ...call
  } = callRow.parse(record);
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

export function callAttributes(): readonly string[] {
  return callRow.attributes();
}
