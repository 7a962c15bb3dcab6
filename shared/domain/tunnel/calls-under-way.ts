import type { OrganizationId } from "../organization-id.ts";

export interface CallsUnderWayChange {
  readonly begun: readonly { readonly requestId: string; readonly leaseUntilMs: number }[];
  readonly ended: readonly string[];
}

export interface SlotChange extends CallsUnderWayChange {
  readonly organizationId: OrganizationId;
}

/** Each call has an attribute in one row: adding and removing it is idempotent, where a counter would drift. */
export interface CallsUnderWay {
  note(organizationId: OrganizationId, change: CallsUnderWayChange): Promise<void>;
}

/** A call that begins and ends among the changes leaves none, so one that is over soon costs no write. */
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
