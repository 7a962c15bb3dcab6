import type { Durable } from "../../durable/durable.ts";
import { decodePlan, planBytesMax } from "../../plan/plan-file.ts";
import type { ExecutionJob } from "../execution.ts";
import type { ExecutorDeps } from "../executor-deps.ts";
import { Invocation } from "../step/invocation.ts";

export async function loadInvocation(
  deps: ExecutorDeps,
  durable: Durable,
  job: ExecutionJob,
): Promise<Invocation | undefined> {
  const { execution, lastStep, saved } = await deps.executions.readState(job);
  if (execution === undefined || execution.planKey === null) return undefined;
  const file = await deps.files.get(execution.planKey, planBytesMax);
  if (file === undefined) throw new Error("what the run goes by is not in the bucket");
  const desktop = deps.openDesktop(execution);
  return new Invocation({ deps, job, durable, desktop, plan: decodePlan(file), left: { lastStep, saved } });
}
