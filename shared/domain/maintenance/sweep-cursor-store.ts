/** What is gone through page by page, one page a run. */
export type SweptListing = "objects" | "waiting_runs" | "live_machines";

/** How far a sweep has come. */
export interface SweepCursor {
  readonly listing: SweptListing;
  /** Where the next run goes on; null: at the front. */
  readonly position: string | null;
  /** Nothing is to be done before that moment, in ms. */
  readonly notBeforeMs: number;
  /** Goes up by one with each write. */
  readonly revision: number;
}

export interface SweepCursorStore {
  /** One consistent read; undefined before the first run. */
  find(listing: SweptListing): Promise<SweepCursor | undefined>;
  /**
   * Writes it in place of the one that was read. False when another run has moved it since.
   *
   * @param before undefined when there was none.
   */
  replace(cursor: SweepCursor, before: SweepCursor | undefined): Promise<boolean>;
}
