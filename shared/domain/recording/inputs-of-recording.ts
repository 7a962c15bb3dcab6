import { placeholdersIn } from "../../vocabulary/placeholders.ts";
import type { JsonObject } from "../json.ts";
import type { Plan } from "../plan/plan.ts";
import { namesOf } from "../trajectory/recorded-inputs.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";

/**
 * A model has seen only the inputs that its task names. Others, such as a machine's, would bind the recording to them.
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
