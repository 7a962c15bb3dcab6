import type { FleetFall } from "../../vocabulary/machines.ts";

export type SweptListing = "objects" | "secrets" | "waiting_runs" | "live_machines" | FleetFall;

export interface SweepCursor {
  readonly listing: SweptListing;
  /** The next sweep continues there; null is the front. Of the fleet it is the last sample. */
  readonly position: string | null;
  readonly notBeforeMs: number;
  /** The number of entries on the last page that the sweep kept, although no row named them. */
  readonly heldBack: number;
  readonly revision: number;
}

export interface SweepCursorStore {
  find(listing: SweptListing): Promise<SweepCursor | undefined>;
  /** Returns false when another sweep has moved the cursor since. */
  replace(cursor: SweepCursor, before: SweepCursor | undefined): Promise<boolean>;
}
