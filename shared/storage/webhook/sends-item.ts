import type { OrganizationId } from "../../domain/organization-id.ts";
import type { OrganizationSends, Send } from "../../domain/webhook/delivery/sends.ts";
import type { Item } from "../table/item.ts";
import { leaseOf } from "../table/leased-sets.ts";

/**
 * The row of an organization's sends in flight. One write takes a place of both kinds, because the attributes of its
 * endpoints are beside the organization's; names are expressions' own, so ids have underscores.
 */
export const sendsAttributes = {
  inFlight: "in_flight",
  waitingToken: "waiting_token",
  sendsOf: (endpointId: string) => `sends_${named(endpointId)}`,
  waitingFor: (endpointId: string) => `waiting_${named(endpointId)}`,
  pauseOf: (endpointId: string) => `pause_${named(endpointId)}`,
} as const;

/** The end of a delivery's or an event's id is random; with round and attempt it is the send's own. */
export function elementOf({ id }: Pick<Send, "id">): string {
  return named(id.slice(24));
}

export function parseSends(
  organizationId: OrganizationId,
  item: Item | undefined,
  { nowMs, countMax }: { readonly nowMs: number; readonly countMax: number },
): OrganizationSends {
  const live = (attribute: string) =>
    elementsIn(item, attribute).filter((element) => leaseOf(item, element) >= nowMs).length;
  const { inFlight, waitingToken, sendsOf, waitingFor, pauseOf } = sendsAttributes;
  const ids = Object.keys(item ?? {}).flatMap(
    (name) => /^(?:sends|waiting|pause)_(.{36})$/.exec(name)?.[1] ?? [],
  );
  const endpoints = [...new Set(ids)].map((name) => {
    const id = name.replaceAll("_", "-");
    const pause = item?.[pauseOf(id)];
    return {
      id,
      count: live(sendsOf(id)),
      isWaitedFor: item?.[waitingFor(id)] === true,
      pausedUntilMs: pause === undefined ? null : Number(pause),
    };
  });
  const token = item?.[waitingToken];
  return {
    organizationId,
    count: live(inFlight),
    countMax,
    endpoints,
    waitingToken: token === undefined ? null : String(token),
  };
}

function elementsIn(item: Item | undefined, attribute: string): readonly string[] {
  const elements = item?.[attribute];
  return elements instanceof Set ? [...elements].map(String) : [];
}

function named(id: string): string {
  return id.replaceAll("-", "_");
}
