import type { Json } from "../../json.ts";
import type { Action } from "../../trajectory/action.ts";
import type { Cursor, ModelCursor, RunStep, SavedValue } from "../execution.ts";
import { decidedOutput, outputProblem } from "../replay/finish-step.ts";
import { failure, inShort, type StepResult } from "../replay/step-result.ts";
import { fillInOutput } from "../texts/fill-in.ts";
import { readSecrets } from "../texts/read-secrets.ts";
import { redactJson } from "../texts/redact.ts";
import type { World } from "../world.ts";
import type { Exchange } from "./exchange.ts";
import { goToNext } from "./model-cursor.ts";
import { notOfScreen } from "./settle-decided.ts";

/** An output that does not fit is told so often. */
const misfitsToldMax = 2;

export interface TaskEnd {
  readonly model: ModelCursor & { readonly place: NonNullable<ModelCursor["place"]> };
  readonly exchange: Exchange;
  readonly action: Action;
}

/** Ends the task as the model says: with an output that fits, or with its reason. */
export async function endTask(
  world: World,
  cursor: Cursor,
  { step, ...end }: TaskEnd & { readonly step: RunStep },
): Promise<StepResult> {
  const { action, model } = end;
  const output = action.type === "finish" ? await filledOutput(world, action.output ?? null) : null;
  const problem = action.type === "finish" ? await outputProblem(world, output) : undefined;
  const recorded: RunStep = {
    ...step,
    // Its output is the run's, once: it may be large.
    ...{ action: action.type === "finish" ? { type: "finish" } : step.action, durationMs: 0 },
    ...{ status: problem === undefined ? "done" : "failed", error: problem ?? null },
    trail: { ...step.trail, decided: notOfScreen(model) },
  };
  const isOutput = action.type === "finish" && problem === undefined && output !== null;
  const saved: SavedValue | undefined = isOutput ? { name: decidedOutput, value: output } : undefined;
  if (!(await world.deps.executions.recordStep(recorded, saved))) return { kind: "ended" };
  if (saved !== undefined) world.saved.set(saved.name, saved.value);
  world.trail = recorded.trail;
  return endAfter(cursor, end, recorded);
}

async function filledOutput(world: World, template: Json): Promise<Json> {
  const { plan, saved } = world;
  const filled = fillInOutput(template, { inputs: plan.inputValues, saved, aliases: new Set() });
  const value = filled.kind === "filled" ? filled.value : template;
  return redactJson(value, await readSecrets(world));
}

/** What follows from its row. */
export function endAfter(
  before: Cursor,
  { model, action }: TaskEnd,
  { status, error }: Pick<RunStep, "status" | "error">,
): StepResult {
  const decided: ModelCursor = { ...model, place: null, idle: 0, agentic: model.agentic + 1 };
  const cursor = { ...before, index: before.index + 1, model: decided };
  if (action.type === "fail") {
    const end = { status: "task_failed", errorCode: "task_failed", error: inShort(action.reason) } as const;
    return { kind: "end", end, cursor };
  }
  if (status === "done") {
    return { kind: "end", end: { status: "success", errorCode: null, error: null }, cursor };
  }
  const misfits = model.misfits + 1;
  if (misfits <= misfitsToldMax) return goToNext(before, { ...decided, misfits });
  return { kind: "end", end: failure("output_invalid", error ?? "the output does not fit"), cursor };
}
