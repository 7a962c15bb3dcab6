import type { Json, JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";
import { type FilledOutput, fillInOutput, nobodyGave } from "../placeholder/fill-in.ts";
import type { Plan } from "../plan/plan.ts";
import { failure, type RunEnding, success } from "../run/run-ending.ts";
import type { InputChecker } from "../workflow/input-checker.ts";

interface RunWithOutput {
  readonly deps: { readonly outputChecker: Pick<InputChecker, "check"> };
  readonly job: { readonly organizationId: OrganizationId };
  readonly plan: Plan;
  readonly saved: ReadonlyMap<string, Json>;
}

export const decidedOutput = "model/output";

export function outputOf({ plan, saved }: Pick<RunWithOutput, "plan" | "saved">): FilledOutput {
  const decided = saved.get(decidedOutput);
  if (decided !== undefined) return { kind: "filled", value: decided };
  const finish = plan.trajectory.elements.findLast(({ action }) => action.type === "finish")?.action;
  const template: Json = finish?.type === "finish" ? (finish.output ?? null) : null;
  return fillInOutput(template, { inputs: plan.inputValues, saved, aliases: new Set() });
}

export async function endWithOutput(run: RunWithOutput, output: FilledOutput): Promise<RunEnding> {
  if (output.kind === "missing") {
    return failure("input_missing", nobodyGave("the output", output.name));
  }
  const problem = await outputProblem(run, output.value);
  return problem === undefined ? success : failure("output_invalid", problem);
}

export async function outputProblem(
  { deps, plan, job }: Omit<RunWithOutput, "saved">,
  value: Json,
): Promise<string | undefined> {
  const { outputSchema, id: workflowId } = plan.workflow;
  if (outputSchema === null) return undefined;
  const of = { organizationId: job.organizationId, workflowId };
  // The checker is made for inputs, which are objects, while an output may be any JSON.
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
export function ownValues({ saved }: Pick<RunWithOutput, "saved">): JsonObject {
  return Object.fromEntries([...saved].filter(([name]) => !name.includes("/")));
}
