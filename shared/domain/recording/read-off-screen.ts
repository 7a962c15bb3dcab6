import type { Action } from "../action/action.ts";
import { constantsIn } from "../placeholder/fill-in.ts";
import type { Plan } from "../plan/plan.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { standsIn } from "./name-inputs.ts";

/** The text stood on the screen if neither task, inputs nor saved values have some part of it. */
export function isReadOffScreen(
  { source }: Pick<RunStep, "source">,
  action: Action,
  plan: Pick<Plan, "model"> | undefined,
): boolean {
  const prompt = plan?.model?.prompt;
  if (source !== "model" || action.type !== "type" || prompt === undefined) return false;
  return constantsIn(action.text).some((part) => !standsIn(prompt, part));
}
