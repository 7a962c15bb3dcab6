import type { RunEnding } from "../../run/run-ending.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { tryLastPicture } from "../step/last-picture.ts";
import { freeIndex } from "../step/new-step.ts";
import { type End, ends, type Next, next, type StepResult } from "../step/step-result.ts";
import { leftMs } from "../step/time-left.ts";
import { reachStart, resumeReset } from "./reach-start.ts";

const leaveMs = 60_000;

/** A failure to lead the desktop back does not affect the run's end. */
export async function leaveDesktop(invocation: Invocation, before: Cursor, result: End): Promise<Next | End> {
  const { leave } = before;
  if (leave !== undefined) {
    const cursor = { ...result.cursor, leave: { ...leave, end: null } };
    return { ...result, end: leave.end ?? result.end, cursor };
  }
  return isToBeLedBack(invocation, result.end) ? await beginToLeave(invocation, result) : result;
}

function isToBeLedBack({ plan }: Invocation, { errorCode }: RunEnding): boolean {
  const { leave, trajectory } = plan;
  if (leave !== "reset" || (trajectory.reset ?? []).length === 0) return false;
  // The desktop was awaited, or led back, long enough already.
  return errorCode !== "machine_unavailable" && errorCode !== "start_not_reached";
}

/** The last picture comes first, since it shows what went wrong. */
async function beginToLeave(invocation: Invocation, { end, cursor }: End): Promise<Next> {
  const picture = end.status === "error" ? await tryLastPicture(invocation, cursor) : null;
  return next({
    ...cursor,
    phase: "leave_desktop",
    index: await freeIndex(invocation, cursor),
    element: 0,
    piece: 0,
    waitedMs: 0,
    awayMs: 0,
    reset: { taken: cursor.reset?.taken ?? 0 },
    leave: { end, untilMs: invocation.deps.clock.now() + leaveMs, picture },
  });
}

export async function leaveStep(invocation: Invocation, cursor: Cursor, end: RunEnding): Promise<StepResult> {
  if (leftMs(invocation) === 0) return ends(cursor, end);
  const under = await invocation.countTry(cursor, "reset");
  if (under.kind === "over") return ends(cursor, end);
  if (under.kind === "recorded") return await resumeReset(invocation, cursor, under.step);
  const start = await reachStart(invocation, cursor);
  return start.kind === "result" ? start.result : ends(cursor, end);
}
