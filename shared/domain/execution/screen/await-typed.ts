import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { isSameSize, overlap, type Picture } from "../../picture/picture.ts";
import { fieldOf, hasTyped, type SentStep } from "../../screen/typed-text.ts";
import type { Invocation } from "../step/invocation.ts";
import { fitsWait, leftMs, pauseMs, sleepWithin } from "../step/time-left.ts";

/** Longer than the gap between two letters, in milliseconds. */
const stillMs = 500;

export type AwaitedText =
  | "typed"
  | "nothing"
  /** The display has changed its size. */
  | "resized"
  /** The desktop could not be seen. */
  | "away"
  /** The time of this invocation, or of the run, is over. */
  | "pauses";

/**
 * Remote desktops and busy programs show letters late, and a screen without a change counts as still. Once letters
 * come, it waits until no more do.
 *
 * @param timeoutMs bounds the wait for the first letter.
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

/** Waiting does not restore a display's size. */
function isResized({ before }: SentStep, after: Picture): boolean {
  return before !== undefined && !isSameSize(before, after);
}

/** Changes outside the field, such as a clock's, are no letters. */
function isStill(sent: SentStep, before: Picture, after: Picture): boolean {
  if (!isSameSize(before, after)) return false;
  const field = fieldOf(sent);
  const changed = changedParts(before, after).filter(isMoreThanCaret);
  return !changed.some((part) => field === undefined || overlap(part, field));
}
