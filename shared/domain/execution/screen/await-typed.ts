import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { isSameSize, overlap, type Picture } from "../../picture/picture.ts";
import type { Invocation } from "../step/invocation.ts";
import { fitsWait, leftMs, pauseMs, sleepWithin } from "../step/time-left.ts";
import type { SentStep } from "./sent-step.ts";
import { fieldOf, hasTyped } from "./typed-text.ts";

/** Between two looks of which the second shows no more letters than the first: longer than from one letter to the next. */
const stillMs = 500;

export type AwaitedText =
  | "typed"
  /** In time, nothing was. */
  | "nothing"
  /** The display is of another size than before. */
  | "resized"
  /** The desktop could not be seen meanwhile. */
  | "away"
  /** The time of this invocation, or of the run, is over. */
  | "pauses";

/**
 * Looks until what was typed is to be seen: remote desktops and busy programs show letters late, and a screen on which
 * nothing has changed yet counts as still. Once letters come it looks until no more do.
 *
 * @param timeoutMs after which nothing was typed there.
 */
export async function awaitTyped(
  invocation: Invocation,
  sent: SentStep,
  timeoutMs: number,
): Promise<AwaitedText> {
  const { clock } = invocation.deps;
  let after = invocation.screen?.picture;
  if (after === undefined || hasTyped(sent, after)) return "typed";
  const untilMs = clock.now() + timeoutMs;
  for (let isSeen = false; clock.now() < untilMs; ) {
    if (isResized(sent, after)) return "resized";
    if (!fitsWait(invocation) || leftMs(invocation) === 0) return "pauses";
    await sleepWithin(invocation, Math.min(isSeen ? stillMs : pauseMs, untilMs - clock.now()));
    const now: Picture | undefined = (await invocation.look())?.picture;
    if (now === undefined) return "away";
    if (isSeen && isStill(sent, after, now)) return "typed";
    isSeen = hasTyped(sent, now);
    after = now;
  }
  return hasTyped(sent, after) ? "typed" : "nothing";
}

/** No waiting gives a display its size back. */
function isResized({ before }: SentStep, after: Picture): boolean {
  return before !== undefined && !isSameSize(before, after);
}

/** Whether no letter was added between two looks; a clock that ticks elsewhere is none. */
function isStill(sent: SentStep, before: Picture, after: Picture): boolean {
  if (!isSameSize(before, after)) return false;
  const field = fieldOf(sent);
  const changed = changedParts(before, after).filter(isMoreThanCaret);
  return !changed.some((part) => field === undefined || overlap(part, field));
}
