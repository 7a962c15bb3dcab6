import type { JsonObject } from "../json.ts";
import { placeholdersIn } from "../placeholder/fill-in.ts";
import type { Plan } from "../plan/plan.ts";
import { namesOf } from "../trajectory/recorded-inputs.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";

/**
 * The inputs that a recording may depend on. A model has seen those alone that its task names; what else a run has, such as
 * parameters of its machine, would keep the recording from every other machine.
 */
export function inputsOfRecording(
  inputs: JsonObject,
  plan: Pick<Plan, "model"> | undefined,
  elements: readonly TrajectoryElement[],
): JsonObject {
  const prompt = plan?.model?.prompt;
  if (prompt === undefined) return inputs;
  const inPrompt = placeholdersIn(prompt).map(({ name }) => name);
  const named = new Set([...inPrompt, ...elements.flatMap(namesOf)].map((name) => name.split(".")[0]));
  return Object.fromEntries(
    Object.entries(inputs).filter(([name]) => named.has(name) || inPrompt.includes(name)),
  );
}
