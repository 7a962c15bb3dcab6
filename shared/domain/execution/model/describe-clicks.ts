import { type Action, isPointing, pointOf } from "../../action/action.ts";
import type { ModelCursor } from "../../conversation/conversation-cursor.ts";
import type { JsonObject } from "../../json.ts";
import { clickQuestion } from "../../model/reading-prompt.ts";
import { markPoint } from "../../picture/edit-picture.ts";
import type { Point } from "../../picture/picture.ts";
import { inputsOfRecording } from "../../recording/inputs-of-recording.ts";
import { namedAction } from "../../recording/named-action.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import { unnamedInputs } from "../../trajectory/recorded-inputs.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Invocation } from "../step/invocation.ts";
import { tokensOver } from "./call-model.ts";
import type { CursorWithModel } from "./model-cursor.ts";
import { answerFromScreen } from "./read-from-screen.ts";

const clicksMax = 10;

const askingMs = 120_000;

const clickWords = {
  question: clickQuestion,
  schema: { type: "string", minLength: 1, maxLength: 120 },
} as const;

export interface DescribedSteps {
  readonly steps: readonly RunStep[];
  readonly model: ModelCursor;
}

/** A click without words may have been on a value. The approval warns of clicks left without an answer. */
export async function describeClicks(
  invocation: Invocation,
  cursor: CursorWithModel,
  steps: readonly RunStep[],
  inputs: JsonObject,
): Promise<DescribedSteps> {
  let { model } = cursor;
  const doubted = doubtedClicks(invocation, steps, inputs);
  if (doubted === "none") return { steps, model };
  const { clock } = invocation.deps;
  const untilMs = clock.now() + askingMs;
  const described = [...steps];
  let asked = 0;
  for (const [at, step] of steps.entries()) {
    const point = pointWithoutTarget(step, inputs, doubted);
    const before = steps[at - 1];
    if (point === undefined || !before?.pictureKey || before.screenshot === null) continue;
    if (asked >= clicksMax || clock.now() >= untilMs || tokensOver(invocation, model) !== undefined) break;
    asked += 1;
    const marked = await keepMarked(invocation, step, before.pictureKey, point);
    const answer = await answerFromScreen(invocation, { ...cursor, model }, clickWords, marked);
    if (answer.kind !== "answered") break;
    ({ model } = answer);
    if (answer.value !== undefined) described[at] = { ...step, text: String(answer.value) };
  }
  return { steps: described, model };
}

type DoubtedClicks = "none" | "without words" | "naming no input";

function doubtedClicks({ plan }: Invocation, steps: readonly RunStep[], inputs: JsonObject): DoubtedClicks {
  const elements = steps.flatMap((step): TrajectoryElement[] => {
    const named = step.status === "done" ? namedAction(step, inputs) : undefined;
    return named === undefined
      ? []
      : [{ action: named.action, by: named.isOfInput ? "model" : "replay", timeoutMs: 0 }];
  });
  const original = inputsOfRecording(plan.inputValues, plan, elements);
  if (unnamedInputs({ original, elements }).length > 0) return "naming no input";
  const isOfRecording = (name: string) =>
    Object.hasOwn(original, name) || !Object.hasOwn(plan.inputValues, name);
  return Object.keys(inputs).some(isOfRecording) ? "without words" : "none";
}

function pointWithoutTarget(step: RunStep, inputs: JsonObject, doubted: DoubtedClicks): Point | undefined {
  const action = step.action as unknown as Action;
  const isModels = step.source === "model" && step.status === "done" && step.trail.element === null;
  if (!isModels || !isPointing(action) || action.target !== undefined) return undefined;
  const named = namedAction(step, inputs);
  const isClear =
    named?.isOfInput === true || (doubted === "without words" && named?.action.target !== undefined);
  return isClear ? undefined : pointOf(action);
}

async function keepMarked(
  invocation: Invocation,
  { index }: RunStep,
  key: string,
  point: Point,
): Promise<string> {
  const { deps, job } = invocation;
  const { picture: before } = await invocation.getPicture(key);
  const marked = deps.files.stepKey(job.organizationId, job.runId, `${job.assignmentId}-click-${index}`);
  const picture = markPoint(before, point);
  await deps.files.put(marked, deps.pictures.encode(picture), "image/png");
  return marked;
}
