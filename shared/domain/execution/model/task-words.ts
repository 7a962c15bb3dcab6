import { modelWords } from "../../model/model-words.ts";
import { systemPrompt } from "../../model/system-prompt.ts";
import type { Cursor, ModelCursor, RunStep } from "../execution.ts";
import { fillIn } from "../texts/fill-in.ts";
import type { World } from "../world.ts";
import type { Told } from "./exchange.ts";

/** Most steps, and characters of them, that another model is told of. */
const stepsMax = 60;
const charactersMax = 12_000;

export function systemWords({ plan }: World): string {
  const { maxSteps, allowShell, outputSchema } = plan.workflow;
  return systemPrompt({
    ...{ maxSteps, mayUseShell: allowShell },
    outputSchema: outputSchema === null ? null : JSON.stringify(outputSchema),
  });
}

/** With inputs filled in, secrets as `{$alias}`. */
export function taskWords({ plan, saved }: World): string {
  const prompt = plan.model?.prompt ?? "";
  const filled = fillIn(prompt, { inputs: plan.inputValues, saved, aliases: new Set(plan.aliases) });
  return filled.kind === "filled" ? filled.shown : prompt;
}

/** What begins a conversation: the task, and what went before. */
export async function openingWords(world: World, cursor: Cursor, model: ModelCursor): Promise<Told> {
  const before = model.turn === 0 ? "" : await stepsInWords(world, cursor);
  const text = [taskWords(world), ...(before === "" ? [] : [modelWords.wentBefore(before)])].join("\n\n");
  const { pictureKey } = world;
  return { role: "user", text, picture: pictureKey === null ? null : { key: pictureKey, part: null } };
}

/** What was done in this attempt, the last ones, a line each. */
async function stepsInWords({ deps, job, plan }: World, { index }: Cursor): Promise<string> {
  const { organizationId, runId } = job;
  const from = Math.max(plan.stepsBefore + 1, index - stepsMax);
  const found = await Promise.all(
    Array.from({ length: Math.max(0, index - from) }, (_, at) =>
      deps.executions.findStep(organizationId, runId, from + at),
    ),
  );
  return found
    .filter((step) => step !== undefined)
    .map(inWords)
    .join("\n")
    .slice(-charactersMax);
}

function inWords({ action, status, error }: RunStep): string {
  return `- ${JSON.stringify(action).slice(0, 500)}: ${status}${error === null ? "" : `, ${error.slice(0, 300)}`}`;
}
