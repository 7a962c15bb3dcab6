import { forEachBounded } from "../../bounded-parallel.ts";
import type { Clock } from "../../clock.ts";
import type { Logger } from "../../logger.ts";
import type { SweepCursor, SweepCursorStore } from "../sweep-cursor-store.ts";

/** No request or retry that may still name its object lasts this long: both end with their idempotency record. */
export const unnamedAgeMs = 24 * 3_600_000;

/** Leftovers are rare; a round once an hour keeps an idle deployment nearly free. */
const roundEveryMs = 3_600_000;

/** This many leftovers are removed from any page, however short: a crash in a small deployment leaves some. */
const leftoversAlways = 5;

export interface RemoveUnnamedDeps {
  readonly sweepCursors: SweepCursorStore;
  /** Objects that carry another table's id, or none, are left alone. */
  readonly ownTableId: () => Promise<string>;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Pick<Logger, "warn">;
}

/** Things outside the table that are created before the row that names them, and remain if their creator crashed. */
export interface Leftovers<Entry> {
  readonly listing: "objects" | "secrets";
  readonly list: (
    position: string | null,
    tableId: string,
  ) => Promise<{ readonly entries: readonly Entry[]; readonly next?: string }>;
  readonly isUnnamed: (entry: Entry, tableId: string) => Promise<boolean>;
  readonly remove: (entry: Entry) => Promise<void>;
}

export interface SweptLeftovers {
  readonly removed: number;
  readonly heldBack: number;
}

/**
 * Crashes leave less than a tenth of a page. More means that rows were lost, and restoring them needs what they named:
 * the sweep then removes nothing, and reads the same page again in an hour.
 */
export async function removeUnnamed<Entry>(
  deps: RemoveUnnamedDeps,
  { listing, ...leftovers }: Leftovers<Entry>,
): Promise<SweptLeftovers> {
  const now = deps.clock.now();
  const cursor = await deps.sweepCursors.find(listing);
  if (cursor !== undefined && now < cursor.notBeforeMs) return { removed: 0, heldBack: cursor.heldBack };
  const tableId = await deps.ownTableId();
  const from = cursor?.position ?? null;
  const page = await leftovers.list(from, tableId);
  let removed = 0;
  // The sweep continues past a failed page, which would block all later ones; the next round retries it.
  let next = nextOf(page.next ?? null, now);
  try {
    const unnamed: Entry[] = [];
    await forEachBounded(page.entries, async (entry) => {
      if (await leftovers.isUnnamed(entry, tableId)) unnamed.push(entry);
    });
    if (unnamed.length > Math.max(leftoversAlways, page.entries.length / 10)) {
      next = { position: from, notBeforeMs: now + roundEveryMs, heldBack: unnamed.length };
      const counts = { unnamed: unnamed.length, page: page.entries.length };
      deps.logger.warn("more is unnamed than crashes leave, so nothing is removed", { listing, ...counts });
    } else {
      await forEachBounded(unnamed, async (entry) => {
        await leftovers.remove(entry);
        removed += 1;
      });
    }
  } finally {
    const revision = (cursor?.revision ?? 0) + 1;
    await deps.sweepCursors.replace({ listing, ...next, revision }, cursor);
  }
  return { removed, heldBack: next.heldBack };
}

function nextOf(position: string | null, now: number): Omit<SweepCursor, "listing" | "revision"> {
  return { position, notBeforeMs: position === null ? now + roundEveryMs : now, heldBack: 0 };
}
