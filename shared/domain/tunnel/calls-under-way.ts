import type { OrganizationId } from "../organization-id.ts";

export interface CallsUnderWayChange {
  readonly begun: readonly { readonly requestId: string; readonly leaseUntilMs: number }[];
  /** Ids of requests. */
  readonly ended: readonly string[];
}

/** A change of a call's slot, as the stream says it. */
export interface SlotChange extends CallsUnderWayChange {
  readonly organizationId: OrganizationId;
}

/**
 * The number of calls to desktops that an organization has under way, which is read with the machine (`findWithCalls`).
 * One row has a named attribute for each call: adding and removing it is idempotent, where a counter would drift.
 */
export interface CallsUnderWay {
  /** Idempotent. One write, and one more when calls have died. */
  note(organizationId: OrganizationId, change: CallsUnderWayChange): Promise<void>;
}

/**
 * Sums up changes, in their order, by organization. A call that begins and ends among them leaves none, so that a call
 * that is over before the stream brings it costs no write.
 */
export function foldSlotChanges(
  changes: readonly SlotChange[],
): ReadonlyMap<OrganizationId, CallsUnderWayChange> {
  const byOrganization = Map.groupBy(changes, ({ organizationId }) => organizationId);
  const folded = [...byOrganization].map(([organizationId, own]) => {
    const begun = new Map(own.flatMap((change) => change.begun).map((call) => [call.requestId, call]));
    const ended = own.flatMap((change) => change.ended);
    const left = ended.filter((requestId) => !begun.delete(requestId));
    return [organizationId, { begun: [...begun.values()], ended: left }] as const;
  });
  return new Map(folded.filter(([, { begun, ended }]) => begun.length + ended.length > 0));
}
