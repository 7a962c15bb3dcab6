import { trajectoryBytesMax } from "../../vocabulary/trajectories.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { findKind } from "../action/action.ts";
import { required } from "../entity/not-found.ts";
import { ChangedTooOften, DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { InvalidInput, valueError } from "../invalid-input.ts";
import { jsonBytes } from "../json.ts";
import { namedAction } from "../recording/named-action.ts";
import { dataOf, recordSteps } from "../recording/record-steps.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { createTrajectory } from "../trajectory/create-trajectory.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import type { TrajectoryDeps } from "../trajectory/trajectory-deps.ts";
import type { TrajectoryStore, Warned } from "../trajectory/trajectory-store.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { RecordingNamed } from "./change-recording.ts";
import { joinedTyping } from "./joined-typing.ts";
import { keptUntilMs, type Recording, recordingEnded, requireMaker, statusOf } from "./recording.ts";
import { machineOf, type RecordingDeps, requireRecording } from "./recording-deps.ts";

export interface FinishRecordingDeps extends RecordingDeps, Omit<TrajectoryDeps, "trajectories"> {
  readonly trajectories: Pick<TrajectoryStore, "find">;
}

export interface FinishRecordingInput extends RecordingNamed {
  readonly name?: string | undefined;
  readonly workflowId?: string | undefined;
}

/** More than a person does in an hour. */
const stepsMax = 10_000;

/** The response must be in time, so the elements that remain are left to a model. */
const cuttingMs = 15_000;

/**
 * The trajectory, the end of the recording and that of the machine's hold are one transaction. A repeat returns the same
 * trajectory.
 *
 * @throws {InvalidInput} without a workflow. @throws {DomainError} `insufficient_scope`, `not_found`, `machine_held`,
 * `illegal_transition`, `conflict` when nothing was recorded, or `answer_too_large`.
 * @throws {AlreadyOnRecord} @throws {ChangedTooOften}
 */
export async function finishRecording(
  deps: FinishRecordingDeps,
  caller: Caller,
  input: FinishRecordingInput,
  idempotency?: Idempotency,
): Promise<Trajectory & Warned> {
  requireScope(caller, "write");
  const recording = await requireRecording(deps, caller, input.recordingId);
  if (recording.status === "finished") return await trajectoryOf(deps, recording);
  requireMaker(recording, caller, deps.clock.now());
  requireKept(recording, deps.clock.now());
  const workflowId = input.workflowId ?? recording.workflowId;
  if (workflowId === null) {
    const error = "the recording names no workflow: name the one that the trajectory is of";
    throw new InvalidInput([valueError(["body", "workflow_id"], error)]);
  }
  const { organizationId, id } = recording;
  const { items } = await deps.recordings.listSteps(organizationId, id, { skip: 0, limit: stepsMax });
  const steps = joinedTyping(items);
  if (!steps.some(isAction)) {
    throw new DomainError("conflict", "nothing has been recorded yet that a trajectory could be made of");
  }
  const made = await recordSteps(deps, {
    steps,
    plan: undefined,
    inputs: recording.inputValues,
    isSuccess: true,
    output: outputOf(steps, recording),
    untilMs: deps.clock.now() + cuttingMs,
    recordingId: id,
  });
  const data = dataOf(made.elements);
  const bytes = jsonBytes(data);
  if (bytes > trajectoryBytesMax) {
    throw new DomainError("answer_too_large", `the trajectory would have ${bytes} bytes of pieces`);
  }
  try {
    return await createTrajectory(
      { ...deps, trajectories: { create: (...created) => create(deps, caller, id, created) } },
      caller,
      {
        workflowId,
        data,
        dimensions: made.dimensions,
        expect: made.expect,
        endsElsewhere: made.endsElsewhere,
        name: input.name ?? `Recording of ${recording.createdAt}`,
        isGenerated: true,
        originalInputValues: recording.inputValues,
      },
      idempotency,
    );
  } catch (error) {
    if (error instanceof FinishedMeanwhile) return await trajectoryOf(deps, error.recording);
    throw error;
  }
}

/** Another request was faster. */
class FinishedMeanwhile extends Error {
  readonly recording: Recording;

  constructor(recording: Recording) {
    super("the recording was finished meanwhile");
    this.name = "FinishedMeanwhile";
    this.recording = recording;
  }
}

type Created = Parameters<TrajectoryStore["create"]>;

async function create(
  deps: FinishRecordingDeps,
  caller: Caller,
  recordingId: string,
  [trajectory, idempotency]: Created,
): ReturnType<TrajectoryStore["create"]> {
  return await untilWritten(deps, {
    what: "the recording",
    read: () => requireRecording(deps, caller, recordingId),
    decide: async (before) => {
      if (before.status === "finished") throw new FinishedMeanwhile(before);
      requireKept(before, deps.clock.now());
      const machine = await machineOf(deps, before);
      const outcome = await deps.recordings.finish(before, machine, trajectory, idempotency);
      if (outcome === "changed") return overtaken;
      return { kind: outcome === "finished" ? "created" : "workflow_not_found" } as const;
    },
  });
}

async function trajectoryOf(deps: FinishRecordingDeps, recording: Recording): Promise<Trajectory> {
  const { organizationId, trajectoryId } = recording;
  if (trajectoryId === null) throw new ChangedTooOften("the recording");
  const trajectory = await deps.trajectories.find(organizationId, trajectoryId);
  return required(trajectory, "trajectory", trajectoryId);
}

function requireKept(recording: Recording, nowMs: number): void {
  const status = statusOf(recording, nowMs);
  if (status === "discarded") throw recordingEnded(recording, status, "its steps are removed");
  if (status !== "expired" || nowMs < keptUntilMs(recording)) return;
  throw recordingEnded(recording, status, "it could be finished for 24 hours, and its steps are removed");
}

function isAction({ status, action }: RunStep): boolean {
  return status === "done" && findKind(action.type)?.doneBy !== "service";
}

/** What was copied is what the work was for. */
function outputOf(steps: readonly RunStep[], { inputValues }: Recording) {
  const names = steps
    .filter(isAction)
    .map((step) => namedAction(step, inputValues)?.action)
    .flatMap((action) => (action !== undefined && "save_as" in action ? [String(action.save_as)] : []));
  if (names.length === 0) return null;
  return Object.fromEntries(names.map((name) => [name, `{${name}}`]));
}
