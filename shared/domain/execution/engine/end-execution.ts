import { isoTimestamp } from "../../clock.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { RunChange } from "../../run/run-change.ts";
import { type Spilled, spill } from "../../spill.ts";
import type { Cursor, RunEnding, RunStep } from "../execution.ts";
import { outputIds } from "../files/take-files.ts";
import { outputOf } from "../replay/finish-step.ts";
import { keepPicture } from "../replay/keep-picture.ts";
import { newStep } from "../replay/new-step.ts";
import { Screen } from "../replay/screen.ts";
import type { World } from "../world.ts";
import { freeIndex } from "./free-index.ts";
import { recordVerified } from "./verification.ts";

/** How long a last picture is waited for, in milliseconds. */
const lastLookMs = 5_000;

/**
 * Ends the run in one transaction with all that follows from it, unless it has ended. What went wrong is shown: a last
 * picture is taken if the desktop responds in time.
 */
export async function endExecution(
  world: World,
  end: RunEnding,
  cursor: Cursor,
): Promise<{ readonly ended: boolean }> {
  const { deps, job } = world;
  const picture = end.status === "error" ? await tryLastPicture(world, cursor) : undefined;
  const output = end.status === "success" ? await keptOutput(world) : null;
  const change: RunChange = {
    status: end.status,
    errorCode: end.errorCode,
    error: [
      ...(end.error === null ? [] : [end.error]),
      ...(picture === undefined ? [] : [`the screenshot of step ${picture} shows the desktop at the end`]),
    ],
    outputData: output,
    outputAttachmentIds: outputIds(job, cursor),
    usageMetadata: usageOf(world, cursor),
    endedAt: isoTimestamp(deps.clock.now()),
  };
  // First: once the run has ended, no invocation comes back to it.
  if (end.status === "success") await recordVerified(world);
  const { organizationId, runId, assignmentId } = job;
  const outcome = await deps.runs.update(organizationId, runId, change, { assignmentId, mustRun: true });
  deps.logger.info("run carried out", {
    organization_id: organizationId,
    ...{ run_id: runId, assignment_id: assignmentId, status: end.status, error_code: end.errorCode },
    ...{ replayed_steps: cursor.replayed, outcome: outcome.kind },
  });
  return { ended: outcome.kind === "updated" };
}

/** In all, and of each model that was asked. */
function usageOf({ plan }: World, { replayed, model }: Cursor): JsonObject {
  const { agentic = 0, repaired = 0, tokens = [] } = model ?? {};
  const sum = (of: 0 | 1 | 2) => tokens.reduce((total, each) => total + each[of], 0);
  const models = tokens.flatMap(([input_tokens, output_tokens, cached_tokens], at) => {
    const choice = plan.model?.choices[at];
    if (choice === undefined || input_tokens + output_tokens === 0) return [];
    const { provider, model: name } = choice;
    return [{ provider, model: name, input_tokens, output_tokens, cached_tokens }];
  });
  return {
    ...{ agentic_steps: agentic, replayed_steps: replayed, repaired_steps: repaired },
    ...{ input_tokens: sum(0), output_tokens: sum(1), cached_tokens: sum(2) },
    ...(models.length > 0 && { models }),
  };
}

/** A desktop that sends none that can be read does not keep the run from its end. */
async function tryLastPicture(world: World, cursor: Cursor): Promise<number | undefined> {
  try {
    return await lastPicture(world, cursor);
  } catch (cause) {
    const { runId, assignmentId } = world.job;
    const ids = { run_id: runId, assignment_id: assignmentId };
    world.deps.logger.warn("a run has no last picture", { ...ids, cause });
    return undefined;
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
        ...{ action: { type: "screenshot" }, source: "service", status: "done", match: null },
        ...{ trail: { ...world.trail, element: null }, startedAt: isoTimestamp(startedAtMs) },
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

/** Under the assignment's own name, so that a second try writes the same object. */
async function keptOutput(world: World): Promise<Spilled | null> {
  const output = outputOf(world);
  const value: Json = output.kind === "filled" ? output.value : null;
  if (value === null) return null;
  const { organizationId, runId: id, assignmentId: objectId } = world.job;
  return await spill(world.deps, { organizationId, kind: "run", id, field: "output_data", objectId }, value);
}
