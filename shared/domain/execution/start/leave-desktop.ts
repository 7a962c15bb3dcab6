import type { Cursor, RunEnding } from "../execution.ts";
import { freeIndex } from "../step/free-index.ts";
import type { Invocation } from "../step/invocation.ts";
import { tryLastPicture } from "../step/last-picture.ts";
import type { StepResult } from "../step/step-result.ts";
import { countTry, triesOver } from "../step/tries.ts";
import { reachStart } from "./reach-start.ts";
import { resumeReset } from "./reset-step.ts";

/** How long a desktop is led back at most after the last step, in milliseconds. */
const leaveMs = 60_000;

type End = Extract<StepResult, { readonly kind: "end" }>;

/**
 * Before a run ends its desktop is led back to the first recorded screen, where its workflow says so. What goes wrong
 * with that changes nothing of how the run ends.
 */
export async function leaveDesktop(
  invocation: Invocation,
  before: Cursor,
  result: StepResult,
): Promise<StepResult> {
  if (result.kind !== "end") return result;
  const { leave } = before;
  if (leave !== undefined) {
    invocation.leavesUntilMs = undefined;
    const cursor = { ...result.cursor, leave: { ...leave, end: null } };
    return { ...result, end: leave.end ?? result.end, cursor };
  }
  return isToBeLedBack(invocation, result.end) ? await beginToLeave(invocation, result) : result;
}

function isToBeLedBack({ plan }: Invocation, { errorCode }: RunEnding): boolean {
  const { leave, trajectory } = plan;
  if (leave !== "reset" || (trajectory.reset ?? []).length === 0) return false;
  // It was waited for, or led back to, long enough.
  return errorCode !== "machine_unavailable" && errorCode !== "start_not_reached";
}

/** What went wrong is seen before. */
async function beginToLeave(invocation: Invocation, { end, cursor }: End): Promise<StepResult> {
  const picture = end.status === "error" ? await tryLastPicture(invocation, cursor) : null;
  return {
    kind: "next",
    waitSeconds: 0,
    yields: false,
    cursor: {
      ...cursor,
      index: await freeIndex(invocation, cursor),
      element: 0,
      piece: 0,
      waitedMs: 0,
      awayMs: 0,
      reset: { taken: cursor.reset?.taken ?? 0 },
      leave: { end, untilMs: invocation.deps.clock.now() + leaveMs, picture },
    },
  };
}

/** Does one element of the reset after the run's last step. */
export async function leaveStep(
  invocation: Invocation,
  cursor: Cursor,
  { end, untilMs }: { readonly end: RunEnding; readonly untilMs: number },
): Promise<StepResult> {
  const ended: End = { kind: "end", end, cursor };
  if (invocation.deps.clock.now() >= untilMs) return ended;
  invocation.leavesUntilMs = untilMs;
  const under = await countTry(invocation, cursor);
  if (triesOver(invocation, under, cursor, "reset") !== undefined) return ended;
  if (under.kind === "recorded") return await resumeReset(invocation, cursor, under.step);
  const start = await reachStart(invocation, cursor);
  return start.kind === "result" ? start.result : ended;
}
