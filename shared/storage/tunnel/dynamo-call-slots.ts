import { tunnelInFlightMax } from "../../contract/tunnel.ts";
import type { CallName, CallOutcome } from "../../domain/tunnel/call-records.ts";
import { type CallSlot, type CallSlots, callLeaseMs } from "../../domain/tunnel/call-slots.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, type Condition, hasValue } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { callSlotKey, formerCallSlotKey } from "../table/keys.ts";
import { maybe, number, row, tenant, text } from "../table/row.ts";
import { callRow } from "./call-row.ts";

const isLeased: Condition = { expression: "attribute_exists(lease_until_ms)" };

const keptSeconds = 24 * 3_600;

const slotRow = row<Pick<CallName, "organizationId" | "requestId"> & { readonly leaseUntilMs?: number }>(
  "call_place",
  { organizationId: tenant, requestId: text, leaseUntilMs: maybe(number) },
);

export class DynamoCallSlots extends DynamoStore<StoreDeps> implements CallSlots {
  async take(call: CallName): Promise<CallSlot | undefined> {
    const { organizationId, connectionId, requestId } = call;
    const nowMs = this.deps.clock.now();
    for (const number of slotsInTurn(call)) {
      const item = {
        ...callSlotKey(organizationId, connectionId, number),
        ...slotRow.write({ organizationId, requestId, leaseUntilMs: nowMs + callLeaseMs }),
        ttl: Math.ceil(nowMs / 1_000) + keptSeconds,
      };
      const outcome = await this.table.put(item, {
        expression:
          "(attribute_not_exists(lease_until_ms) OR lease_until_ms < :now) AND (attribute_not_exists(request_id) OR request_id <> :request_id)",
        values: { now: nowMs, request_id: requestId },
      });
      // This call wrote it, and lost the response to an earlier attempt.
      if (outcome.kind === "written" || outcome.item?.request_id === requestId) return { call, number };
    }
    return undefined;
  }

  async giveBack({ call, number }: CallSlot): Promise<void> {
    await this.#giveBack(callSlotKey(call.organizationId, call.connectionId, number), call, {});
  }

  async release(call: CallName, outcome: CallOutcome): Promise<void> {
    const set = callRow.set({ ...outcome });
    const keys = [callSlotKey, formerCallSlotKey].flatMap((keyOf) =>
      slotsInTurn(call).map((number) => keyOf(call.organizationId, call.connectionId, number)),
    );
    for (const key of keys) if (await this.#giveBack(key, call, set)) return;
  }

  /** Returns whether the slot names the call. */
  async #giveBack(key: Key, { requestId }: CallName, set: Item): Promise<boolean> {
    const written = await this.table.update(
      key,
      { set, remove: ["lease_until_ms"] },
      allOf(hasValue("request_id", requestId), isLeased),
    );
    return written.item?.request_id === requestId;
  }
}

/** Concurrent calls seldom begin with the same slot, because the last digit of their ids is random. */
function slotsInTurn({ requestId }: Pick<CallName, "requestId">): readonly number[] {
  const first = Number.parseInt(requestId.slice(-1), 16) || 0;
  return Array.from({ length: tunnelInFlightMax }, (_, tried) => (first + tried) % tunnelInFlightMax);
}
