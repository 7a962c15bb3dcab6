import type { Clock } from "../../clock.ts";
import type { SweepCursor, SweepCursorStore, SweptListing } from "../sweep-cursor-store.ts";

/** The next sweep continues there, or starts over after the last page. */
export async function moveCursor(
  { sweepCursors, clock }: { readonly sweepCursors: SweepCursorStore; readonly clock: Pick<Clock, "now"> },
  listing: SweptListing,
  before: SweepCursor | undefined,
  position: string | null,
): Promise<void> {
  const isAtFront = (before?.position ?? null) === null;
  // An idle deployment writes nothing.
  if (isAtFront && position === null) return;
  const revision = (before?.revision ?? 0) + 1;
  await sweepCursors.replace({ listing, position, notBeforeMs: clock.now(), heldBack: 0, revision }, before);
}
