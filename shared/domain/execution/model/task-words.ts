import { modelWords } from "../../model/model-words.ts";
import { systemPrompt } from "../../model/system-prompt.ts";
import { placeholdersIn } from "../../placeholder/fill-in.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import type { Told } from "./conversation.ts";
import type { CursorWithModel } from "./model-cursor.ts";

const stepsMax = 60;
const stepsOfRepair = 10;
const charactersMax = 12_000;

export function systemWords({ plan }: Invocation): string {
  const { maxSteps, allowShell, outputSchema } = plan.workflow;
  return systemPrompt({
    maxSteps,
    mayUseShell: allowShell,
    outputSchema: outputSchema === null ? null : JSON.stringify(outputSchema),
  });
}

export function taskWords(invocation: Invocation): string {
  return invocation.filled(invocation.plan.model?.prompt ?? "");
}

export async function openingWords(invocation: Invocation, cursor: CursorWithModel): Promise<Told> {
  const text = [taskWords(invocation), ...(await situation(invocation, cursor))].join("\n\n");
  const { pictureKey } = invocation;
  return { role: "user", text, picture: pictureKey === null ? null : { key: pictureKey, part: null } };
}

async function situation(invocation: Invocation, cursor: CursorWithModel): Promise<readonly string[]> {
  const { model } = cursor;
  if (model.turn === 0 && model.mode === "task") return [];
  const step = elementInWords(invocation, cursor);
  if (model.mode === "element") return [modelWords.element(step)];
  const steps = await stepsBefore(invocation, cursor);
  if (model.mode !== "repair") return steps.length === 0 ? [] : [modelWords.wentBefore(inLines(steps))];
  const at = steps.findLastIndex(({ trail }) => trail.next?.kind === "model");
  const done = inLines([...steps.slice(0, Math.max(0, at)).slice(-stepsOfRepair), ...steps.slice(at + 1)]);
  return [modelWords.repair(done, step, steps[at]?.error ?? "its screen was not seen")];
}

/** Recorded points hold no longer. */
function elementInWords(invocation: Invocation, { element }: Cursor): string {
  const recorded = invocation.plan.trajectory.elements[element];
  if (recorded === undefined) return "";
  const { action, isFromScreen } = recorded;
  const isOfPoint = /^(start_|to_)?[xy]$/;
  const fields = Object.entries(action).filter(([name]) => !isOfPoint.test(name));
  return JSON.stringify({
    ...Object.fromEntries(fields),
    ...(isFromScreen && action.type === "type" && { text: wordsFor(action.text) }),
    ...(action.target !== undefined && { target: invocation.filled(action.target) }),
  });
}

function wordsFor(text: string): string {
  const names = placeholdersIn(text).map(({ whole }) => whole);
  return [modelWords.readOff, ...names].join(" ");
}

async function stepsBefore({ deps, job, plan }: Invocation, { index }: Cursor): Promise<readonly RunStep[]> {
  const { organizationId, runId } = job;
  const from = Math.max(plan.stepsBefore + 1, index - stepsMax);
  const found = await Promise.all(
    Array.from({ length: Math.max(0, index - from) }, (_, at) =>
      deps.executions.findStep(organizationId, runId, from + at),
    ),
  );
  return found.filter((step) => step !== undefined);
}

function inLines(steps: readonly RunStep[]): string {
  return steps.map(inWords).join("\n").slice(-charactersMax);
}

function inWords({ action, status, error }: RunStep): string {
  return `- ${JSON.stringify(action).slice(0, 500)}: ${status}${error === null ? "" : `, ${error.slice(0, 300)}`}`;
}
