import * as z from "zod";
import { tunnelInFlightMax } from "../../contract/tunnel.ts";
import type { Actor } from "../../domain/audit/act.ts";
import { driverCallTimeoutMs } from "../../domain/tunnel/call-driver.ts";
import type { CallSlot, CallSlots, SlotCall, SlotOutcome } from "../../domain/tunnel/call-slots.ts";
import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import { actorFields } from "../table/act-stamp.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { hasValue } from "../table/expression.ts";
import { callSlotKey } from "../table/keys.ts";
import { as, converted, maybe, number, row, spread, tenant, text } from "../table/row.ts";

/** The lease outlasts a call, and API Gateway's wait for its caller. */
const leaseMs = driverCallTimeoutMs + 5_000;

const keptSeconds = 24 * 3_600;

interface SlotRow extends SlotCall, Partial<SlotOutcome> {
  readonly takenAtMs: number;
  /** A slot that is given back has no lease. */
  readonly leaseUntilMs?: number;
}

/** The text is a driver's status in digits, or an error code. */
const outcome = converted<SlotOutcome["outcome"], string>(
  () => z.string(),
  (written) => (/^\d+$/.test(written) ? Number(written) : (written as ErrorCode)),
  String,
);

export const slotRow = row<SlotRow>("call_slot", {
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

export class DynamoCallSlots extends DynamoStore<StoreDeps> implements CallSlots {
  async take(call: SlotCall): Promise<CallSlot | undefined> {
    const nowMs = this.deps.clock.now();
    const first = firstSlotOf(call.requestId);
    for (let tried = 0; tried < tunnelInFlightMax; tried++) {
      const slot = { call, number: (first + tried) % tunnelInFlightMax };
      const item = {
        ...keyOf(slot),
        ...slotRow.write({ ...call, takenAtMs: nowMs, leaseUntilMs: nowMs + leaseMs }),
        ttl: ttlFrom(nowMs),
      };
      const outcome = await this.table.put(item, {
        expression: "attribute_not_exists(lease_until_ms) OR lease_until_ms < :now",
        values: { now: nowMs },
      });
      // This very call wrote it, and lost the response to an earlier attempt.
      if (outcome.kind === "written" || outcome.item?.request_id === call.requestId) return slot;
    }
    return undefined;
  }

  async giveBack(slot: CallSlot, outcome: SlotOutcome): Promise<void> {
    await this.table.update(
      keyOf(slot),
      { set: slotRow.set({ ...outcome }), remove: ["lease_until_ms"] },
      hasValue("request_id", slot.call.requestId),
    );
  }

  async note(call: SlotCall, outcome: SlotOutcome): Promise<void> {
    const nowMs = this.deps.clock.now();
    await this.table.put({
      ...callSlotKey(call.organizationId, call.connectionId, call.requestId),
      ...slotRow.write({ ...call, ...outcome, takenAtMs: nowMs - outcome.durationMs }),
      ttl: ttlFrom(nowMs),
    });
  }
}

function ttlFrom(nowMs: number): number {
  return Math.ceil(nowMs / 1_000) + keptSeconds;
}

function keyOf({ call, number }: CallSlot) {
  return callSlotKey(call.organizationId, call.connectionId, number);
}

/** The last digit of an id is random, so calls at once seldom begin with the same slot. */
function firstSlotOf(requestId: string): number {
  return (Number.parseInt(requestId.slice(-1), 16) || 0) % tunnelInFlightMax;
}
