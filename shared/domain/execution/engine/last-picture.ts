import { isoTimestamp } from "../../clock.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { Cursor } from "../execution.ts";
import { keepPicture } from "../replay/keep-picture.ts";
import { newStep } from "../replay/new-step.ts";
import { Screen } from "../replay/screen.ts";
import type { World } from "../world.ts";
import { freeIndex } from "./free-index.ts";

/** How long a last picture is waited for, in milliseconds. */
const lastLookMs = 5_000;

/**
 * Takes a picture of the desktop at the run's end. A desktop that sends none that can be read does not keep the run from it.
 *
 * @returns the step that has it.
 */
export async function tryLastPicture(world: World, cursor: Cursor): Promise<number | null> {
  try {
    return (await lastPicture(world, cursor)) ?? null;
  } catch (cause) {
    const { runId, assignmentId } = world.job;
    const ids = { run_id: runId, assignment_id: assignmentId };
    world.deps.logger.warn("a run has no last picture", { ...ids, cause });
    return null;
  }
}

/** @returns the step that has it. */
async function lastPicture(world: World, cursor: Cursor): Promise<number | undefined> {
  const { deps, job, desktop, plan } = world;
  if (!plan.workflow.keepScreenshots) return undefined;
  const last = await deps.executions.findLastStep(job.organizationId, job.runId);
  // Taken by an earlier try of this end.
  if (last?.assignmentId === job.assignmentId && isLastPicture(last)) return last.index;
  const startedAtMs = deps.clock.now();
  const seen = await desktop.look(0, lastLookMs);
  if (seen === undefined) return undefined;
  world.screen = new Screen(deps.pictures, seen);
  const index = await freeIndex(world, cursor);
  const kept = await keepPicture(world, { index });
  const isOurs = await deps.executions.recordStep({
    ...newStep(
      world,
      { index },
      {
        action: { type: "screenshot" },
        source: "service",
        status: "done",
        match: null,
        trail: { ...world.trail, element: null },
        startedAt: isoTimestamp(startedAtMs),
      },
    ),
    ...kept,
    durationMs: deps.clock.now() - startedAtMs,
  });
  return isOurs ? index : undefined;
}

function isLastPicture({ source, action }: RunStep): boolean {
  return source === "service" && action.type === "screenshot";
}
