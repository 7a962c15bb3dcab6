import * as z from "zod";
import { tunnelInFlightMax } from "../../contract/tunnel.ts";
import type { Actor } from "../../domain/audit/act.ts";
import {
  type CallSlot,
  type CallSlots,
  callLeaseMs,
  type CallName,
  type DesktopCall,
  type CallOutcome,
} from "../../domain/tunnel/call-slots.ts";
import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import { actorFields } from "../table/act-stamp.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, type Condition, hasValue } from "../table/expression.ts";
import type { Key } from "../table/item.ts";
import { callSlotKey, formerCallSlotKey } from "../table/keys.ts";
import { as, converted, maybe, number, row, spread, tenant, text } from "../table/row.ts";

const isLeased: Condition = { expression: "attribute_exists(lease_until_ms)" };

const keptSeconds = 24 * 3_600;

interface SlotRow extends DesktopCall, Partial<CallOutcome> {
  readonly takenAtMs: number;
  /** A slot that is given back has no lease. */
  readonly leaseUntilMs?: number;
}

/** The text is a driver's status in digits, or an error code. */
const outcome = converted<CallOutcome["outcome"], string>(
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
  async take(call: DesktopCall): Promise<CallSlot | undefined> {
    const nowMs = this.deps.clock.now();
    for (const number of slotsInTurn(call)) {
      const slot = { call, number };
      const item = {
        ...callSlotKey(call.organizationId, call.connectionId, number),
        ...slotRow.write({ ...call, takenAtMs: nowMs, leaseUntilMs: nowMs + callLeaseMs }),
        ttl: ttlFrom(nowMs),
      };
      const outcome = await this.table.put(item, {
        expression:
          "(attribute_not_exists(lease_until_ms) OR lease_until_ms < :now) AND (attribute_not_exists(request_id) OR request_id <> :request_id)",
        values: { now: nowMs, request_id: call.requestId },
      });
      // This call wrote it, and lost the response to an earlier attempt; it may be given back already.
      if (outcome.kind === "written" || outcome.item?.request_id === call.requestId) return slot;
    }
    return undefined;
  }

  async giveBack(slot: CallSlot, outcome: CallOutcome): Promise<void> {
    const { organizationId, connectionId, requestId } = slot.call;
    await this.#giveBack(callSlotKey(organizationId, connectionId, slot.number), requestId, outcome);
  }

  async release(call: CallName, outcome: CallOutcome): Promise<boolean> {
    const { organizationId, connectionId, requestId } = call;
    const keys = [callSlotKey, formerCallSlotKey].flatMap((keyOf) =>
      slotsInTurn(call).map((number) => keyOf(organizationId, connectionId, number)),
    );
    for (const key of keys) if (await this.#giveBack(key, requestId, outcome)) return true;
    return false;
  }

  /** Returns whether the slot names the call. */
  async #giveBack(key: Key, requestId: string, outcome: CallOutcome): Promise<boolean> {
    const written = await this.table.update(
      key,
      { set: slotRow.set({ ...outcome }), remove: ["lease_until_ms"] },
      allOf(hasValue("request_id", requestId), isLeased),
    );
    return written.item?.request_id === requestId;
  }

  async note(call: DesktopCall, outcome: CallOutcome): Promise<void> {
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

/** Concurrent calls seldom begin with the same slot, because the last digit of their ids is random. */
function slotsInTurn({ requestId }: Pick<DesktopCall, "requestId">): readonly number[] {
  const first = Number.parseInt(requestId.slice(-1), 16) || 0;
  return Array.from({ length: tunnelInFlightMax }, (_, tried) => (first + tried) % tunnelInFlightMax);
}
