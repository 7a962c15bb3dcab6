import type { ExecutionJob } from "../execution.ts";
import { type ExecutorDeps, noTrail, type World } from "../world.ts";
import type { Durable } from "./durable.ts";
import { decodePlan, planBytesMax } from "./plan-file.ts";

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
    deps,
    job,
    durable,
    desktop: deps.openDesktop(execution),
    plan: decodePlan(file),
    saved: new Map(saved.map(({ name, value }) => [name, value])),
    trail: lastStep?.trail ?? noTrail,
    screen: undefined,
    pictureKey: lastStep?.pictureKey ?? null,
    failures: 0,
    secrets: undefined,
  };
}
