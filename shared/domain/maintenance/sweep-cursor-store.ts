export type SweptListing = "objects" | "secrets" | "waiting_runs" | "live_machines";

export interface SweepCursor {
  readonly listing: SweptListing;
  /** The next run continues there; null: from the front. */
  readonly position: string | null;
  readonly notBeforeMs: number;
  /** Number of entries on the last page that the sweep kept, though nothing named them. */
  readonly heldBack: number;
  readonly revision: number;
}

export interface SweepCursorStore {
  find(listing: SweptListing): Promise<SweepCursor | undefined>;
  /** False when another run has moved the cursor since. */
  replace(cursor: SweepCursor, before: SweepCursor | undefined): Promise<boolean>;
}
