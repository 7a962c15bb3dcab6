import { type Caller, requireScope } from "../access/caller.ts";
import { required } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { InvalidInput, valueError } from "../invalid-input.ts";
import type { RunStore } from "../run/run-store.ts";
import { type CreateTrajectoryInput, createTrajectory } from "../trajectory/create-trajectory.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import type { TrajectoryDeps } from "../trajectory/trajectory-deps.ts";
import type { Warned } from "../trajectory/trajectory-store.ts";

/**
 * The run that it names is one of its workflow; the id stays when the run is deleted.
 *
 * @throws {InvalidInput} @throws {DomainError} those of `createTrajectory`, and `not_found` for the run.
 * @throws {AlreadyOnRecord}
 */
export async function sendInTrajectory(
  deps: TrajectoryDeps & { readonly runs: Pick<RunStore, "find"> },
  caller: Caller,
  input: CreateTrajectoryInput,
  idempotency?: Idempotency,
): Promise<Trajectory & Warned> {
  requireScope(caller, "write");
  const { runId, workflowId } = input;
  if (runId != null) {
    const run = required(await deps.runs.find(caller.organizationId, runId), "run", runId);
    if (run.workflowId !== workflowId) {
      throw new InvalidInput([valueError(["body", "run_id"], "the run is one of another workflow")]);
    }
  }
  return await createTrajectory(deps, caller, input, idempotency);
}
