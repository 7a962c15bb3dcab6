import { keyWaitsMax, organizationWaitsMax } from "../../vocabulary/following.ts";
import type { Caller } from "../access/caller.ts";

/** A request that is about to wait. */
export interface Wait extends Pick<Caller, "organizationId" | "principal"> {
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
  /** Returns undefined when the key, the organization or all organizations together have as many as they may. */
  take(wait: Wait): Promise<WaitingPlace | undefined>;
  giveBack(place: WaitingPlace): Promise<void>;
}

/** @param ofAll is the number of the deployment's places, of which one organization gets at most half. */
export function waitsAtMost(ofAll: number): { readonly ofKey: number; readonly ofOrganization: number } {
  const ofOrganization = Math.min(organizationWaitsMax, Math.max(1, Math.floor(ofAll / 2)));
  return { ofKey: Math.min(keyWaitsMax, ofOrganization), ofOrganization };
}
