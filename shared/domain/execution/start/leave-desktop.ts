import { freeIndex } from "../engine/free-index.ts";
import { tryLastPicture } from "../engine/last-picture.ts";
import { countTry, triesOver } from "../engine/tries.ts";
import type { Cursor, RunEnding } from "../execution.ts";
import type { StepResult } from "../replay/step-result.ts";
import type { World } from "../world.ts";
import { reachStart } from "./reach-start.ts";
import { resumeReset } from "./reset-step.ts";

/** How long a desktop is led back at most after the last step, in milliseconds. */
const leaveMs = 60_000;

type End = Extract<StepResult, { readonly kind: "end" }>;

/**
 * Before a run ends its desktop is led back to the first recorded screen, where its workflow says so. What goes wrong
 * with that changes nothing of how the run ends.
 */
export async function leaveDesktop(world: World, before: Cursor, result: StepResult): Promise<StepResult> {
  if (result.kind !== "end") return result;
  const { leave } = before;
  if (leave !== undefined) {
    world.leavesUntilMs = undefined;
    const cursor = { ...result.cursor, leave: { ...leave, end: null } };
    return { ...result, end: leave.end ?? result.end, cursor };
  }
  return isToBeLedBack(world, result.end) ? await beginToLeave(world, result) : result;
}

function isToBeLedBack({ plan }: World, { errorCode }: RunEnding): boolean {
  const { leave, trajectory } = plan;
  if (leave !== "reset" || (trajectory.reset ?? []).length === 0) return false;
  // It was waited for, or led back to, long enough.
  return errorCode !== "machine_unavailable" && errorCode !== "start_not_reached";
}

/** What went wrong is seen before. */
async function beginToLeave(world: World, { end, cursor }: End): Promise<StepResult> {
  const picture = end.status === "error" ? await tryLastPicture(world, cursor) : null;
  return {
    kind: "next",
    waitSeconds: 0,
    yields: false,
    cursor: {
      ...cursor,
      index: await freeIndex(world, cursor),
      element: 0,
      piece: 0,
      waitedMs: 0,
      awayMs: 0,
      reset: { taken: cursor.reset?.taken ?? 0 },
      leave: { end, untilMs: world.deps.clock.now() + leaveMs, picture },
    },
  };
}

/** Does one element of the reset after the run's last step. */
export async function leaveStep(
  world: World,
  cursor: Cursor,
  { end, untilMs }: { readonly end: RunEnding; readonly untilMs: number },
): Promise<StepResult> {
  const ended: End = { kind: "end", end, cursor };
  if (world.deps.clock.now() >= untilMs) return ended;
  world.leavesUntilMs = untilMs;
  const under = await countTry(world, cursor);
  if (triesOver(world, under, cursor, "reset") !== undefined) return ended;
  if (under.kind === "recorded") return await resumeReset(world, cursor, under.step);
  const start = await reachStart(world, cursor);
  return start.kind === "result" ? start.result : ended;
}
