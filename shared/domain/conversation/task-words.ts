import { placeholdersIn } from "../../vocabulary/placeholders.ts";
import { modelWords } from "../model/model-words.ts";
import { systemPrompt } from "../model/system-prompt.ts";
import type { RunStep } from "../run-step/run-step.ts";
import type { Told } from "./conversation.ts";
import type { ConversationPlace } from "./conversation-cursor.ts";
import type { ConversingRun } from "./conversing-run.ts";

const stepsMax = 60;
const stepsOfRepair = 10;
const charactersMax = 12_000;

export function systemWords({ plan }: ConversingRun): string {
  const { maxSteps, mayAsk = false, allowShell, outputSchema } = plan.workflow;
  return systemPrompt({
    maxSteps,
    mayAsk,
    mayUseShell: allowShell,
    outputSchema: outputSchema === null ? null : JSON.stringify(outputSchema),
  });
}

export function taskWords(run: ConversingRun): string {
  return run.filled(run.plan.model?.prompt ?? "");
}

export async function openingWords(run: ConversingRun, cursor: ConversationPlace): Promise<Told> {
  const text = [taskWords(run), ...(await situation(run, cursor))].join("\n\n");
  const { pictureKey } = run;
  return { role: "user", text, picture: pictureKey === null ? null : { key: pictureKey, part: null } };
}

async function situation(run: ConversingRun, cursor: ConversationPlace): Promise<readonly string[]> {
  const { model } = cursor;
  if (model.turn === 0 && model.mode === "task") return [];
  const step = elementInWords(run, cursor);
  if (model.mode === "element") return [modelWords.element(step)];
  const steps = await stepsBefore(run, cursor);
  if (model.mode !== "repair") return steps.length === 0 ? [] : [modelWords.wentBefore(inLines(steps))];
  const at = steps.findLastIndex(({ trail }) => trail.next?.kind === "model");
  const done = inLines([...steps.slice(0, Math.max(0, at)).slice(-stepsOfRepair), ...steps.slice(at + 1)]);
  return [modelWords.repair(done, step, steps[at]?.error ?? "its screen was not seen")];
}

/** Recorded points no longer hold. */
function elementInWords(run: ConversingRun, { element }: ConversationPlace): string {
  const recorded = run.plan.trajectory.elements[element];
  if (recorded === undefined) return "";
  const { action, isFromScreen } = recorded;
  const isOfPoint = /^(start_|to_)?[xy]$/;
  const fields = Object.entries(action).filter(([name]) => !isOfPoint.test(name));
  return JSON.stringify({
    ...Object.fromEntries(fields),
    ...(isFromScreen && action.type === "type" && { text: readOffWords(action.text) }),
    ...(action.target !== undefined && { target: run.filled(action.target) }),
  });
}

function readOffWords(text: string): string {
  const names = placeholdersIn(text).map(({ whole }) => whole);
  return [modelWords.readOff, ...names].join(" ");
}

async function stepsBefore(
  { deps, job, plan }: ConversingRun,
  { index }: ConversationPlace,
): Promise<readonly RunStep[]> {
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
