/** Listings swept one page per run. */
export type SweptListing = "objects" | "secrets" | "waiting_runs" | "live_machines";

/** The progress of a sweep. */
export interface SweepCursor {
  readonly listing: SweptListing;
  /** Where the next run continues; null: from the front. */
  readonly position: string | null;
  /** Skip runs before that time, in ms. */
  readonly notBeforeMs: number;
  /** Number of entries on the last page that the sweep kept, though nothing named them. */
  readonly heldBack: number;
  /** Incremented with each write. */
  readonly revision: number;
}

export interface SweepCursorStore {
  /** One consistent read; undefined before the first run. */
  find(listing: SweptListing): Promise<SweepCursor | undefined>;
  /**
   * Replaces the cursor that was read. False when another run has moved it since.
   *
   * @param before undefined when there was none.
   */
  replace(cursor: SweepCursor, before: SweepCursor | undefined): Promise<boolean>;
}
