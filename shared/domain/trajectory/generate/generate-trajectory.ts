import { type Caller, requireScope } from "../../access/caller.ts";
import { pictureBytesMax } from "../../computer/png.ts";
import { DomainError } from "../../errors.ts";
import type { Plan } from "../../execution/engine/plan.ts";
import type { RunStep } from "../../execution/execution.ts";
import type { ExecutionStore } from "../../execution/execution-store.ts";
import type { FileStore } from "../../file-store.ts";
import type { Idempotency } from "../../idempotency/idempotency.ts";
import { type Json, type JsonObject, jsonBytes } from "../../json.ts";
import { changedRegion } from "../../picture/changes.ts";
import { cutAnchor } from "../../picture/cut-anchor.ts";
import type { Picture, Rectangle } from "../../picture/picture.ts";
import type { Run } from "../../run/run.ts";
import { runNotFound } from "../../run/run-deps.ts";
import { isTerminal } from "../../run/run-status.ts";
import type { RunStore } from "../../run/run-store.ts";
import { unspill } from "../../spill.ts";
import { type Action, isFilledIn, isPointing, pointOf } from "../action.ts";
import { createTrajectory } from "../create-trajectory.ts";
import type { Trajectory } from "../trajectory.ts";
import type { TrajectoryDeps } from "../trajectory-deps.ts";
import type { RecordedPiece, TrajectoryElement } from "../trajectory-element.ts";
import { nameInputs } from "./name-inputs.ts";
import { planOfRun } from "./plan-of-run.ts";
import { recordElement, recordPiece, screenTimeoutMs } from "./record-element.ts";
import { workerAction } from "./worker-action.ts";

export interface GenerateDeps extends TrajectoryDeps {
  readonly files: TrajectoryDeps["files"] & Pick<FileStore, "stepKey">;
  readonly runs: Pick<RunStore, "find">;
  readonly executions: Pick<ExecutionStore, "listSteps">;
}

/** Most steps of a run, of all its attempts that are still there. */
export const stepsMax = 1_000;

/** How long pieces are cut out, in milliseconds, before a model has to decide the rest: the response must be in time. */
const cuttingMs = 15_000;

/** What one response may hold. */
const elementsBytesMax = 4_194_304;

/**
 * Makes a trajectory, not approved, of what was done in the run's last attempt. A step that was replayed stays as it was
 * recorded; of another one pieces are cut out of the picture before it, and a model decides where none is unique.
 *
 * @throws {DomainError} `insufficient_scope`, `not_found`, `conflict` when the run has not ended or has no steps left,
 * or `answer_too_large`.
 * @throws {AlreadyOnRecord}
 */
export async function generateTrajectory(
  deps: GenerateDeps,
  caller: Caller,
  { runId }: { readonly runId: string },
  idempotency?: Idempotency,
): Promise<Trajectory> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const run = await deps.runs.find(organizationId, runId);
  if (run === undefined) throw runNotFound(runId);
  if (!isTerminal(run.status)) {
    throw new DomainError("conflict", `the run is ${run.status}: a trajectory is made of one that has ended`);
  }
  const { items } = await deps.executions.listSteps(organizationId, runId, { skip: 0, limit: stepsMax });
  const steps = items.filter(({ attempt, status }) => attempt === run.attempt && status === "done");
  const last = steps.at(-1);
  if (last === undefined) {
    throw new DomainError(
      "conflict",
      "the run has no steps that a trajectory could be made of, or none any more",
    );
  }
  const plan = await planOfRun(deps, run, last);
  const made = await recordSteps(deps, run, steps, plan);
  const data = made.elements.map(({ timeoutMs, ...element }) => ({ ...element, timeout_ms: timeoutMs }));
  const bytes = jsonBytes(data as unknown as Json);
  if (bytes > elementsBytesMax) {
    throw new DomainError("answer_too_large", `the trajectory would have ${bytes} bytes of pieces`);
  }
  return await createTrajectory(
    deps,
    caller,
    {
      ...{ workflowId: run.workflowId, data: data as unknown as readonly Json[] },
      ...{ dimensions: made.dimensions, expect: made.expect, checks: plan?.trajectory.checks ?? [] },
      ...{ name: `Run of ${run.createdAt}`, isGenerated: true, runId, originalInputValues: run.inputValues },
    },
    idempotency,
  );
}

interface Recorded {
  readonly elements: readonly TrajectoryElement[];
  readonly expect: readonly RecordedPiece[];
  readonly dimensions: Trajectory["dimensions"];
}

async function recordSteps(
  deps: GenerateDeps,
  run: Run,
  steps: readonly RunStep[],
  plan: Plan | undefined,
): Promise<Recorded> {
  const untilMs = deps.clock.now() + cuttingMs;
  const elements: TrajectoryElement[] = [];
  const replayed = new Set<number>();
  let before: Picture | undefined;
  let changed: Rectangle | undefined;
  let isWhole = true;
  for (const step of steps) {
    const recorded = recordedElement(step, plan);
    if (recorded !== undefined) {
      // A long text was typed in several steps.
      if (!replayed.has(recorded.at)) elements.push(recorded.element);
      replayed.add(recorded.at);
      before = undefined;
      continue;
    }
    isWhole = false;
    const action = namedAction(step.action, run.inputValues);
    const isInTime = deps.clock.now() < untilMs;
    const after = isInTime ? await pictureOf(deps, step) : undefined;
    const isComparable = before && after && before.width === after.width && before.height === after.height;
    const seen = { before: isInTime ? before : undefined, after: isComparable ? after : undefined, changed };
    if (action !== undefined) elements.push(elementOf(deps, action, seen));
    const near = action !== undefined && isPointing(action.action) ? pointOf(action.action) : undefined;
    if (isComparable) changed = changedRegion(before as Picture, after as Picture, { near }) ?? changed;
    before = after;
  }
  const isSuccess = run.status === "success";
  if (plan !== undefined && isWhole && isSuccess) {
    const { expect, dimensions } = plan.trajectory;
    return { elements, expect, dimensions };
  }
  const ended = elements.at(-1)?.action.type;
  if (isSuccess && ended !== "finish") elements.push(await finishOf(deps, run));
  const size = before && { width: before.width, height: before.height };
  return {
    elements,
    expect: isSuccess ? lastScreen(deps, before, changed) : [],
    dimensions: size ?? plan?.trajectory.dimensions ?? null,
  };
}

/** One that was replayed as it is in what the run went by. */
function recordedElement(
  { source, trail }: RunStep,
  plan: Plan | undefined,
): { readonly at: number; readonly element: TrajectoryElement } | undefined {
  if (source !== "replay" || trail.element === null) return undefined;
  const element = plan?.trajectory.elements[trail.element];
  return element && { at: trail.element, element };
}

/** In terms of inputs; undefined for what is no step of the work. */
function namedAction(
  shown: JsonObject,
  inputs: JsonObject,
): { readonly action: Action; readonly isOfInput: boolean } | undefined {
  if (shown.type === "screenshot" || shown.type === "list_files") return undefined;
  const named = Object.fromEntries(
    Object.entries(workerAction(shown, inputs)).map(([name, value]) => [
      name,
      typeof value === "string" && (isFilledIn(shown, name) || (name === "target" && shown.type !== "key"))
        ? nameInputs(value, inputs)
        : value,
    ]),
  );
  // Steps are recorded in the vocabulary of actions.
  return { action: named as unknown as Action, isOfInput: named.target !== shown.target };
}

interface SeenStep {
  readonly before: Picture | undefined;
  readonly after: Picture | undefined;
  /** What the step before had changed. */
  readonly changed: Rectangle | undefined;
}

function elementOf(
  { pictures }: GenerateDeps,
  { action, isOfInput }: { readonly action: Action; readonly isOfInput: boolean },
  { before, after, changed }: SeenStep,
): TrajectoryElement {
  const isSeen = isPointing(action) || action.type === "type" || action.type === "key";
  const bare = { action, by: "replay", timeoutMs: screenTimeoutMs } as const;
  if (!isSeen) return bare;
  // What it acts on is another one with other inputs.
  if (isOfInput && isPointing(action)) return { ...bare, by: "model" };
  if (before === undefined)
    return isPointing(action) && pointOf(action) === undefined ? bare : { ...bare, by: "model" };
  const element = recordElement(pictures, { action, before, changed, after });
  const isUnseen = !isPointing(action) && element.guard === undefined;
  return isUnseen ? { ...element, by: "model" } : element;
}

async function pictureOf(
  deps: GenerateDeps,
  { pictureKey, screenshot }: RunStep,
): Promise<Picture | undefined> {
  if (pictureKey === null || screenshot === null) return undefined;
  const png = await deps.files.get(pictureKey, pictureBytesMax);
  return png && deps.pictures.decode(png);
}

/** The output in terms of inputs; a model decides one that has anything else. */
async function finishOf(deps: GenerateDeps, run: Run): Promise<TrajectoryElement> {
  let isOwn = true;
  const named = (value: Json): Json => {
    if (value === null) return null;
    if (typeof value === "object") {
      const entries = Object.entries(value as JsonObject).map(([name, each]) => [name, named(each)] as const);
      return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
    }
    const text = nameInputs(String(value), run.inputValues);
    if (/^\{[^{}]+\}$/.test(text)) return text;
    isOwn = false;
    return value;
  };
  const output = named(await unspill(deps, run.outputData));
  return { action: { type: "finish", output }, by: isOwn ? "replay" : "model", timeoutMs: screenTimeoutMs };
}

/** What the last action had changed. */
function lastScreen(
  { pictures }: GenerateDeps,
  screen: Picture | undefined,
  changed: Rectangle | undefined,
): readonly RecordedPiece[] {
  if (screen === undefined || changed === undefined) return [];
  const middle = {
    x: Math.floor(changed.x + changed.width / 2),
    y: Math.floor(changed.y + changed.height / 2),
  };
  const anchor = cutAnchor(screen, middle);
  return anchor === null ? [] : [recordPiece(pictures, anchor)];
}
