import { isoTimestamp } from "../../clock.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "./invocation.ts";
import { durationOf, freeIndex, newStep } from "./new-step.ts";

const lastLookMs = 5_000;

/** A desktop without a readable picture does not keep the run from ending. */
export async function tryLastPicture(invocation: Invocation, cursor: Cursor): Promise<number | null> {
  try {
    return (await lastPicture(invocation, cursor)) ?? null;
  } catch (cause) {
    const { runId, assignmentId } = invocation.job;
    const ids = { run_id: runId, assignment_id: assignmentId };
    invocation.deps.logger.warn("a run has no last picture", { ...ids, cause });
    return null;
  }
}

async function lastPicture(invocation: Invocation, cursor: Cursor): Promise<number | undefined> {
  const { deps, job, desktop, plan } = invocation;
  if (!plan.workflow.keepScreenshots) return undefined;
  const last = await deps.executions.findLastStep(job.organizationId, job.runId);
  // An earlier try of this end has taken the picture.
  if (last?.assignmentId === job.assignmentId && isLastPicture(last)) return last.index;
  const startedAt = isoTimestamp(deps.clock.now());
  if (invocation.see(await desktop.look(0, lastLookMs)) === undefined) return undefined;
  const index = await freeIndex(invocation, cursor);
  const step = newStep(
    invocation,
    { index },
    {
      action: { type: "screenshot" },
      source: "service",
      status: "done",
      trail: { ...invocation.trail, element: null },
      startedAt,
      ...(await invocation.keepPicture({ index })),
    },
  );
  return (await invocation.record({ ...step, durationMs: durationOf(invocation, step) })) ? index : undefined;
}

function isLastPicture({ source, action }: RunStep): boolean {
  return source === "service" && action.type === "screenshot";
}
