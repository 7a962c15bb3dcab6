import { trajectoryBytesMax } from "../../../vocabulary/trajectories.ts";
import { isoTimestamp } from "../../clock.ts";
import { firstModelCursor, type ModelCursor } from "../../conversation/conversation-cursor.ts";
import { deriveId } from "../../derive-id.ts";
import { outputOf, ownValues } from "../../filling/output.ts";
import { type Json, type JsonObject, jsonBytes } from "../../json.ts";
import { stepsMax } from "../../recording/generate-trajectory.ts";
import { inputsOfRecording } from "../../recording/inputs-of-recording.ts";
import { dataOf, recordSteps } from "../../recording/record-steps.ts";
import type { RunEnding } from "../../run/run-ending.ts";
import { spill } from "../../spill.ts";
import { hasScreens } from "../../trajectory/keep-data.ts";
import { newTrajectory } from "../../trajectory/trajectory.ts";
import type { Cursor } from "../execution.ts";
import { describeClicks } from "../model/describe-clicks.ts";
import type { Invocation } from "../step/invocation.ts";

export interface RecordedTrajectory {
  readonly trajectoryId: string | null;
  readonly tokens?: ModelCursor["tokens"];
}

/** Pieces that were not cut out within this time are left to a model. */
const cuttingMs = 60_000;

const failuresMax = 2;

export function isToBeRecorded({ status }: RunEnding, { model }: Cursor): boolean {
  return status === "success" && model !== undefined && (model.mode === "task" || model.repairs > 0);
}

/** The trajectory's id derives from the assignment, so that it is created once. A failure does not affect the run. */
export async function recordTrajectory(
  invocation: Invocation,
  cursor: Cursor,
  failures: number,
): Promise<RecordedTrajectory> {
  try {
    return await record(invocation, cursor);
  } catch (cause) {
    if (failures < failuresMax) throw cause;
    const { runId, assignmentId } = invocation.job;
    const ids = { run_id: runId, assignment_id: assignmentId };
    invocation.deps.logger.error("no trajectory was made of a run", { ...ids, cause });
    return notMade;
  }
}

const notMade: RecordedTrajectory = { trajectoryId: null };

async function record(invocation: Invocation, cursor: Cursor): Promise<RecordedTrajectory> {
  const { deps, job, plan } = invocation;
  const { organizationId, runId, assignmentId } = job;
  const id = deriveId(assignmentId, 1);
  if ((await deps.trajectories.find(organizationId, id)) !== undefined) return { trajectoryId: id };
  const run = await deps.runs.find(organizationId, runId);
  if (run?.assignmentId !== assignmentId) return notMade;
  const { items } = await deps.executions.listSteps(organizationId, runId, { skip: 0, limit: stepsMax });
  const output = outputOf(invocation);
  const inputs = { ...ownValues(invocation), ...plan.inputValues };
  const { model = firstModelCursor } = cursor;
  const own = items.filter(({ attempt }) => attempt === plan.attempt);
  const described = await describeClicks(invocation, { ...cursor, model }, own, inputs);
  const { tokens } = described.model;
  const recorded = await recordSteps(deps, {
    steps: described.steps,
    plan,
    isSuccess: true,
    inputs,
    output: output.kind === "filled" ? output.value : null,
    untilMs: deps.clock.now() + cuttingMs,
  });
  const data = dataOf(recorded.elements);
  if (data.length === 0 || jsonBytes(data) > trajectoryBytesMax) return { ...notMade, tokens };
  const { expect, dimensions, endsElsewhere, resetLacks } = recorded;
  const { checks } = plan.trajectory;
  const screens = { expect, checks, reset: dataOf(recorded.reset), endsElsewhere, resetLacks };
  const kept = async (field: string, value: Json) =>
    await spill(deps, { organizationId, kind: "trajectory", id, field, objectId: assignmentId }, value);
  const made = newTrajectory({
    id,
    organizationId,
    userId: run.userId,
    workflowId: run.workflowId,
    name: `Run of ${run.createdAt}`,
    dimensions,
    isGenerated: true,
    runId,
    originalInputValues: inputsOfRecording(run.inputValues, plan, recorded.elements),
    data: await kept("trajectory_data", data),
    screens: hasScreens(screens) ? await kept("screens", screens as unknown as JsonObject) : null,
    createdAt: isoTimestamp(deps.clock.now()),
  });
  const outcome = await deps.trajectories.create(made);
  return { trajectoryId: outcome.kind === "created" ? id : null, tokens };
}
