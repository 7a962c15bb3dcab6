import type { FileStore } from "../file-store.ts";
import type { Run } from "../run/run.ts";
import type { RunStep } from "../run-step/run-step.ts";
import type { Plan } from "./plan.ts";

export const planBytesMax = 16_000_000;

export function encodePlan(plan: Plan): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(plan));
}

/** Reads a plan of `encodePlan`, unchecked because nothing else writes there. */
export function decodePlan(file: Uint8Array): Plan {
  return JSON.parse(new TextDecoder().decode(file)) as Plan;
}

export async function planOfRun(
  { files }: { readonly files: Pick<FileStore, "get" | "stepKey"> },
  { organizationId, id }: Pick<Run, "organizationId" | "id">,
  { assignmentId }: Pick<RunStep, "assignmentId">,
): Promise<Plan | undefined> {
  const file = await files.get(files.stepKey(organizationId, id, `${assignmentId}-plan`), planBytesMax);
  return file && decodePlan(file);
}
