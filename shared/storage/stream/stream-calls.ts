import * as z from "zod";
import type { SlotChange } from "../../domain/tunnel/calls-under-way.ts";
import { organizationIdAttribute } from "../table/row.ts";
import { imagesOf, type TableStreamRecord } from "./stream-changes.ts";

const Slot = z.object({
  kind: z.literal("call_slot"),
  organization_id: organizationIdAttribute,
  request_id: z.string(),
  lease_until_ms: z.number().optional(),
});

/** What a change of a call's slot says; undefined for other rows. */
export function readSlotChange(record: TableStreamRecord): SlotChange | undefined {
  const { before, after } = imagesOf(record);
  const [old, { data: slot }] = [Slot.safeParse(before).data, Slot.safeParse(after)];
  if (!slot) return undefined;
  const { organization_id: organizationId, request_id: requestId, lease_until_ms: leaseUntilMs } = slot;
  const begun = leaseUntilMs === undefined ? [] : [{ requestId, leaseUntilMs }];
  // Given back, or taken over after the end of its lease.
  const hasEnded = old?.lease_until_ms !== undefined && (old.request_id !== requestId || begun.length === 0);
  return { organizationId, begun, ended: hasEnded ? [old.request_id] : [] };
}
