import { type Caller, requireScope } from "../access/caller.ts";
import { notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { InvalidInput, valueError } from "../invalid-input.ts";
import { type CreateRunInput, createRun } from "../run/create/create-run.ts";
import type { Run } from "../run/run.ts";
import type { RunDeps } from "../run/run-deps.ts";
import { quoted, typedFromScreen } from "./approval/approval-warnings.ts";
import { readContent } from "./read-data.ts";
import { changedUnnamedInputs, hasOtherInputs, unnamedInputs } from "./recorded-inputs.ts";
import type { TrajectoryDeps } from "./trajectory-deps.ts";
import type { TrajectoryReader } from "./trajectory-reader.ts";
import type { TrajectoryStore } from "./trajectory-store.ts";

export interface VerifyTrajectoryDeps extends RunDeps {
  readonly trajectories: Pick<TrajectoryStore, "find">;
}

export interface VerifyTrajectoryInput
  extends Pick<CreateRunInput, "machineId" | "poolIds" | "inputValues" | "sensitiveValues" | "dryRunUntil"> {
  readonly trajectoryId: string;
}

/**
 * The verification does the work again, by default with the recording's inputs.
 * @throws {InvalidInput} as `createRun`.
 * @throws {DomainError} as `createRun`, and `conflict` where a worker carries out the workflow's runs.
 * @throws {AlreadyOnRecord}
 */
export async function verifyTrajectory(
  deps: VerifyTrajectoryDeps,
  caller: Caller,
  { trajectoryId, inputValues, ...input }: VerifyTrajectoryInput,
  idempotency?: Idempotency,
): Promise<Run> {
  requireScope(caller, "write");
  const trajectory = await deps.trajectories.find(caller.organizationId, trajectoryId);
  if (trajectory === undefined) throw notFound("trajectory", trajectoryId);
  const { workflowId, originalInputValues } = trajectory;
  const whole = { ...originalInputValues, ...inputValues };
  return await createRun(
    deps,
    caller,
    { ...input, workflowId, trajectoryId, inputValues: whole },
    idempotency,
  );
}

export interface VerificationWarningsDeps extends Pick<TrajectoryDeps, "files" | "clock"> {
  readonly trajectories: Pick<TrajectoryDeps["trajectories"], "find">;
  readonly trajectoryReader: TrajectoryReader;
}

/**
 * @throws {InvalidInput} for other inputs of a recording that types text from its own screen.
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 */
export async function verificationWarnings(
  deps: VerificationWarningsDeps,
  caller: Caller,
  { trajectoryId, inputValues: given }: Pick<VerifyTrajectoryInput, "trajectoryId" | "inputValues">,
): Promise<readonly string[]> {
  requireScope(caller, "write");
  const trajectory = await deps.trajectories.find(caller.organizationId, trajectoryId);
  const content = trajectory && (await readContent(deps, trajectory, { withData: true, withScreens: false }));
  if (!trajectory || !content?.data) throw notFound("trajectory", trajectoryId);
  const { originalInputValues: original } = trajectory;
  const placed = content.data.flatMap((value, at) => {
    const read = deps.trajectoryReader.readElement(value);
    return read.kind === "element" ? [{ at, element: read.element }] : [];
  });
  const recorded = { original, elements: placed.map(({ element }) => element) };
  const inputs = { ...original, ...given };
  const [typed] = typedFromScreen(placed);
  if (typed !== undefined && hasOtherInputs(recorded, inputs)) {
    throw new InvalidInput([
      valueError(
        ["body", "input_values"],
        `element ${typed.at + 1} types ${quoted(typed.text)}, which stood on the recorded screen: with other inputs it is another text; save it by read or copy_to_clipboard, and type it as {name}`,
      ),
    ]);
  }
  const changed = new Set(changedUnnamedInputs(recorded, inputs));
  return unnamedInputs(recorded).map((name) =>
    changed.has(name)
      ? `no element names the input {${name}}, and it has another value than in the recording: the run ends as input_not_recorded before its desktop is touched`
      : `no element names the input {${name}} of the recording: another value of it would not be replayed, and the verification shows nothing of it`,
  );
}
