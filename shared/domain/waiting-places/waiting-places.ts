import { waitingLooksMax } from "../../vocabulary/drivers.ts";
import { keyWaitsMax, organizationWaitsMax } from "../../vocabulary/following.ts";
import type { OrganizationId } from "../organization-id.ts";

/** A request that is about to wait. */
export interface Wait {
  readonly organizationId: OrganizationId;
  /** The key or user that follows a run, or the connection whose screen is watched; it has few of the places. */
  readonly holder: string;
  readonly id: string;
  /** A place that is never given back is free after this time. */
  readonly leaseUntilMs: number;
}

export interface WaitingPlace {
  readonly wait: Wait;
  /** The places of all organizations are divided into shards. */
  readonly shard: number;
}

/** Both methods may be repeated. */
export interface WaitingPlaces {
  /** Returns undefined when the holder, the organization or all organizations together have as many as they may. */
  take(wait: Wait): Promise<WaitingPlace | undefined>;
  giveBack(place: WaitingPlace): Promise<void>;
}

/** Requests that wait for a run, and those that wait for a screen, have places of their own. */
export type WaitKind = "run" | "look";

const holderMax: Readonly<Record<WaitKind, number>> = { run: keyWaitsMax, look: waitingLooksMax };

/** @param ofAll is the number of the deployment's places, of which one organization gets at most half. */
export function waitsAtMost(
  kind: WaitKind,
  ofAll: number,
): { readonly ofHolder: number; readonly ofOrganization: number } {
  const ofOrganization = Math.min(organizationWaitsMax, Math.max(1, Math.floor(ofAll / 2)));
  return { ofHolder: Math.min(holderMax[kind], ofOrganization), ofOrganization };
}
