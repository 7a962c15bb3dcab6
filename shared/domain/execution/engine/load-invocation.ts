import type { Plan } from "../../plan/plan.ts";
import { decodePlan, planBytesMax } from "../../plan/plan-file.ts";
import type { Durable } from "../durable.ts";
import type { Execution, ExecutionJob } from "../execution.ts";
import { type ExecutorDeps, type Invocation, noTrail } from "../step/invocation.ts";

/** What an invocation has to know to go on: the execution, its plan, and what its steps have left. */
export async function loadInvocation(
  deps: ExecutorDeps,
  durable: Durable,
  job: ExecutionJob,
): Promise<Invocation | undefined> {
  const { execution, lastStep, saved } = await deps.executions.readState(job);
  if (execution === undefined || execution.planKey === null) return undefined;
  const file = await deps.files.get(execution.planKey, planBytesMax);
  if (file === undefined) throw new Error("what the run goes by is not in the bucket");
  return {
    ...firstInvocation(deps, durable, job, { execution, plan: decodePlan(file) }),
    saved: new Map(saved.map(({ name, value }) => [name, value])),
    trail: lastStep?.trail ?? noTrail,
    pictureKey: lastStep?.pictureKey ?? null,
    isContinuation: false,
  };
}

/** Of an execution of which no step was tried. */
export function firstInvocation(
  deps: ExecutorDeps,
  durable: Durable,
  job: ExecutionJob,
  { execution, plan }: { readonly execution: Execution; readonly plan: Plan },
): Invocation {
  return {
    deps,
    job,
    durable,
    desktop: deps.openDesktop(execution),
    plan,
    saved: new Map(),
    trail: noTrail,
    screen: undefined,
    pictureKey: null,
    isContinuation: true,
    hasWaited: false,
    tries: 0,
    failures: 0,
    secrets: undefined,
  };
}
