import type { Plan } from "../../plan/plan.ts";
import { decodePlan, planBytesMax } from "../../plan/plan-file.ts";
import type { Execution, ExecutionJob } from "../execution.ts";
import { type ExecutorDeps, noTrail, type World } from "../world.ts";
import type { Durable } from "./durable.ts";

/** What an invocation has to know to go on: the execution, its plan, and what its steps have left. */
export async function loadWorld(
  deps: ExecutorDeps,
  durable: Durable,
  job: ExecutionJob,
): Promise<World | undefined> {
  const { execution, lastStep, saved } = await deps.executions.readState(job);
  if (execution === undefined || execution.planKey === null) return undefined;
  const file = await deps.files.get(execution.planKey, planBytesMax);
  if (file === undefined) throw new Error("what the run goes by is not in the bucket");
  return {
    ...firstWorld(deps, durable, job, { execution, plan: decodePlan(file) }),
    saved: new Map(saved.map(({ name, value }) => [name, value])),
    trail: lastStep?.trail ?? noTrail,
    pictureKey: lastStep?.pictureKey ?? null,
    hasTaken: false,
  };
}

/** Of an execution of which no step was tried. */
export function firstWorld(
  deps: ExecutorDeps,
  durable: Durable,
  job: ExecutionJob,
  { execution, plan }: { readonly execution: Execution; readonly plan: Plan },
): World {
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
    hasTaken: true,
    hasWaited: false,
    tries: 0,
    failures: 0,
    secrets: undefined,
  };
}
