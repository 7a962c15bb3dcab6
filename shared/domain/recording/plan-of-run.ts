import type { FileStore } from "../file-store.ts";
import type { Plan } from "../plan/plan.ts";
import { decodePlan, planBytesMax } from "../plan/plan-file.ts";
import type { Run } from "../run/run.ts";
import type { RunStep } from "../run-step/run-step.ts";

/** Undefined where the plan was deleted or never written. */
export async function planOfRun(
  { files }: { readonly files: Pick<FileStore, "get" | "stepKey"> },
  { organizationId, id }: Pick<Run, "organizationId" | "id">,
  { assignmentId }: Pick<RunStep, "assignmentId">,
): Promise<Plan | undefined> {
  const file = await files.get(files.stepKey(organizationId, id, `${assignmentId}-plan`), planBytesMax);
  return file && decodePlan(file);
}
