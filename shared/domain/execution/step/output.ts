import type { Json, JsonObject } from "../../json.ts";
import { type FilledOutput, fillInOutput } from "../../placeholder/fill-in.ts";
import type { RunEnding } from "../execution.ts";
import type { Invocation } from "./invocation.ts";
import { failure, success } from "./step-result.ts";

/** Under which a model's output is kept; no text can name it. */
export const decidedOutput = "model/output";

/** The output of a successful run, made of its inputs and saved values, so that it is this run's. */
export function outputOf({ plan, saved }: Invocation): FilledOutput {
  const decided = saved.get(decidedOutput);
  if (decided !== undefined) return { kind: "filled", value: decided };
  const finish = plan.trajectory.elements.findLast(({ action }) => action.type === "finish")?.action;
  const template: Json = finish?.type === "finish" ? (finish.output ?? null) : null;
  return fillInOutput(template, { inputs: plan.inputValues, saved, aliases: new Set() });
}

/** How a run ends whose output that is: it has to fit the workflow's schema. */
export async function endWithOutput(invocation: Invocation, output: FilledOutput): Promise<RunEnding> {
  if (output.kind === "missing") {
    return failure("input_missing", `the output names {${output.name}}, which nobody gave`);
  }
  const problem = await outputProblem(invocation, output.value);
  return problem === undefined ? success : failure("output_invalid", problem);
}

/** Why it does not fit the workflow's schema. */
export async function outputProblem(
  { deps, plan, job }: Invocation,
  value: Json,
): Promise<string | undefined> {
  const { outputSchema, id: workflowId } = plan.workflow;
  if (outputSchema === null) return undefined;
  const of = { organizationId: job.organizationId, workflowId };
  // Any JSON can be an output; inputs, for which the checker is made, are objects.
  const check = await deps.outputChecker.check(outputSchema, value as JsonObject, { of });
  switch (check.kind) {
    case "valid":
      return undefined;
    case "invalid": {
      const [first] = check.errors;
      const where = first === undefined ? "output_data" : ["output_data", ...first.path].join(".");
      return `${where} ${first?.message ?? "does not fit the workflow's output_schema"}`;
    }
    default:
      return `the workflow's output_schema: ${check.message}`;
  }
}
