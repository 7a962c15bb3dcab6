import type { Json, JsonObject } from "../../json.ts";
import { type FilledOutput, fillInOutput } from "../../placeholder/fill-in.ts";
import type { RunEnding } from "../../run/run-ending.ts";
import { failure, success } from "../../run/run-ending.ts";
import type { Invocation } from "./invocation.ts";

export const decidedOutput = "model/output";

export function outputOf({ plan, saved }: Invocation): FilledOutput {
  const decided = saved.get(decidedOutput);
  if (decided !== undefined) return { kind: "filled", value: decided };
  const finish = plan.trajectory.elements.findLast(({ action }) => action.type === "finish")?.action;
  const template: Json = finish?.type === "finish" ? (finish.output ?? null) : null;
  return fillInOutput(template, { inputs: plan.inputValues, saved, aliases: new Set() });
}

export async function endWithOutput(invocation: Invocation, output: FilledOutput): Promise<RunEnding> {
  if (output.kind === "missing") {
    return failure("input_missing", `the output names {${output.name}}, which nobody gave`);
  }
  const problem = await outputProblem(invocation, output.value);
  return problem === undefined ? success : failure("output_invalid", problem);
}

export async function outputProblem(
  { deps, plan, job }: Invocation,
  value: Json,
): Promise<string | undefined> {
  const { outputSchema, id: workflowId } = plan.workflow;
  if (outputSchema === null) return undefined;
  const of = { organizationId: job.organizationId, workflowId };
  // The checker is made for inputs, which are objects; an output may be any JSON.
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

/** The service's own values have a slash in their names. */
export function ownValues({ saved }: Pick<Invocation, "saved">): JsonObject {
  return Object.fromEntries([...saved].filter(([name]) => !name.includes("/")));
}
