import * as z from "zod";
import type { Actor } from "../../domain/audit/act.ts";
import type { CallOutcome, DesktopCall } from "../../domain/tunnel/call-records.ts";
import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import { actorFields } from "../table/act-stamp.ts";
import { as, converted, maybe, number, row, spread, tenant, text } from "../table/row.ts";

interface CallRow extends DesktopCall, Partial<CallOutcome> {
  /** A call that has ended has no lease. */
  readonly leaseUntilMs?: number;
}

/** The text is a driver's status in digits, or an error code. */
const outcome = converted<CallOutcome["outcome"], string>(
  () => z.string(),
  (written) => (/^\d+$/.test(written) ? Number(written) : (written as ErrorCode)),
  String,
);

/** The kind has the name that it had while the record of a call was the row of its slot. */
export const callRow = row<CallRow>("call_slot", {
  organizationId: tenant,
  machineId: text,
  connectionId: text,
  requestId: text,
  callerRequestId: text,
  actor: spread<Actor>("", { ...actorFields, kind: as("actor_kind", actorFields.kind) }),
  method: text,
  path: text,
  requestBytes: number,
  takenAtMs: number,
  leaseUntilMs: maybe(number),
  outcome: maybe(outcome),
  durationMs: maybe(number),
  bytes: maybe(number),
});
