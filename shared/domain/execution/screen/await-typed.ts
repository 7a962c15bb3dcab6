import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { isSameSize, overlap, type Picture } from "../../picture/picture.ts";
import { fieldOf, hasTyped, type SentStep } from "../../screen/typed-text.ts";
import type { Invocation } from "../step/invocation.ts";
import { fitsWait, leftMs, pauseMs, sleepWithin } from "../step/time-left.ts";

/** This is longer than the gap between two letters, in milliseconds. */
const stillMs = 500;

export type AwaitedText = "typed" | "nothing" | "resized" | "away" | "pauses";

/** Remote desktops and busy programs show letters late. Once letters appear, the wait lasts until no more do. */
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
    if (isSeen && isFieldStill(sent, after, now)) return "typed";
    isSeen = hasTyped(sent, now);
    after = now;
  }
  return hasTyped(sent, after) ? "typed" : "nothing";
}

function isResized({ before }: SentStep, after: Picture): boolean {
  return before !== undefined && !isSameSize(before, after);
}

/** Changes outside the field, such as a clock's, are not letters. */
function isFieldStill(sent: SentStep, before: Picture, after: Picture): boolean {
  if (!isSameSize(before, after)) return false;
  const field = fieldOf(sent);
  const changed = changedParts(before, after).filter(isMoreThanCaret);
  return !changed.some((part) => field === undefined || overlap(part, field));
}
