import { type Caller, requireScope } from "../access/caller.ts";
import { required } from "../entity/not-found.ts";
import { DomainError } from "../errors.ts";
import { planOfRun } from "../plan/plan-file.ts";
import type { Run } from "../run/run.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import { type GenerateDeps, stepsMax } from "./generate-trajectory.ts";

/**
 * Returns the newest trajectory made of the run, or else the one that it replayed.
 * @throws {DomainError} `insufficient_scope`, `not_found` for the run or without a trajectory, or `search_too_broad`.
 */
export async function getRunTrajectory(
  deps: Pick<GenerateDeps, "runs" | "executions" | "trajectories" | "files">,
  caller: Caller,
  { runId }: { readonly runId: string },
): Promise<Trajectory> {
  requireScope(caller, "read");
  const { organizationId } = caller;
  const run = required(await deps.runs.find(organizationId, runId), "run", runId);
  const { workflowId, createdAt: createdAtFrom } = run;
  const made = await deps.trajectories.list(
    organizationId,
    { workflowId, runId, createdAtFrom },
    { skip: 0, limit: 1 },
    { withData: true, withScreens: true },
  );
  const trajectory = made.items[0] ?? (await followed(deps, run));
  if (trajectory === undefined) throw new DomainError("not_found", `the run ${runId} has no trajectory`);
  return trajectory;
}

async function followed(
  deps: Pick<GenerateDeps, "executions" | "trajectories" | "files">,
  run: Run,
): Promise<Trajectory | undefined> {
  const { organizationId, id } = run;
  const page = { skip: 0, limit: stepsMax };
  const last =
    run.trajectoryId === null
      ? (await deps.executions.listSteps(organizationId, id, page)).items.at(-1)
      : undefined;
  const plan = last && (await planOfRun(deps, run, last));
  const trajectoryId = run.trajectoryId ?? plan?.trajectoryId ?? undefined;
  return trajectoryId === undefined ? undefined : await deps.trajectories.find(organizationId, trajectoryId);
}
