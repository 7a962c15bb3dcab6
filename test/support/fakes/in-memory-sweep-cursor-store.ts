import type {
  SweepCursor,
  SweepCursorStore,
  SweptListing,
} from "../../../shared/domain/maintenance/sweep-cursor-store.ts";

export class InMemorySweepCursorStore implements SweepCursorStore {
  readonly #rows = new Map<SweptListing, SweepCursor>();

  async find(listing: SweptListing): Promise<SweepCursor | undefined> {
    return this.#rows.get(listing);
  }

  async replace(cursor: SweepCursor, before: SweepCursor | undefined): Promise<boolean> {
    if (this.#rows.get(cursor.listing)?.revision !== before?.revision) return false;
    this.#rows.set(cursor.listing, cursor);
    return true;
  }
}
