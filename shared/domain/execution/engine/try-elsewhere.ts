import { isoTimestamp } from "../../clock.ts";
import { scheduled } from "../../run/create/new-run.ts";
import type { Run } from "../../run/run.ts";
import { targetOfRun } from "../../run/waiting/target.ts";
import { reasonAmong } from "../../run/waiting/waiting-reason.ts";
import type { ExecutionJob } from "../execution.ts";
import type { ExecutorDeps } from "../executor-deps.ts";

export type Elsewhere =
  | { readonly kind: "rescheduled" }
  | { readonly kind: "ends"; readonly sentence?: string };

const readMax = 100;

/** A run whose start was not reached has done nothing, so another machine of its pools may try it once. */
export async function tryElsewhere(
  deps: Pick<ExecutorDeps, "runs" | "waitingView" | "clock" | "logger">,
  { organizationId, runId, assignmentId }: ExecutionJob,
): Promise<Elsewhere> {
  const run = await deps.runs.find(organizationId, runId);
  if (run?.assignmentId !== assignmentId || run.trajectoryId !== null) return { kind: "ends" };
  const target = targetOfRun(run);
  if (target.kind !== "pools") return { kind: "ends" };
  if (run.triedMachineId !== null) {
    return {
      kind: "ends",
      sentence: `the machine ${run.triedMachineId} was tried before, with the same end`,
    };
  }
  const { machines } = await deps.waitingView.members(organizationId, target.poolIds, readMax);
  const others = machines.filter(({ id }) => id !== run.machineId);
  const reason = reasonAmong(others, null);
  if (reason !== undefined && reason !== "all_busy") {
    return { kind: "ends", sentence: "no other machine of its pools is ready to try it" };
  }
  const again = asWaiting(run, isoTimestamp(deps.clock.now()));
  if (!(await deps.runs.reschedule(run, again))) return { kind: "ends" };
  const ids = { organization_id: organizationId, run_id: runId, assignment_id: assignmentId };
  deps.logger.info("run goes to another machine", { ...ids, machine_id: run.machineId });
  return { kind: "rescheduled" };
}

/** Values of the machine stay with the machine. */
function asWaiting(run: Run, queuedAt: string): Run {
  const own = Object.entries(run.inputValues).filter(([name]) => !run.inheritedNames.includes(name));
  return {
    ...run,
    ...scheduled(queuedAt),
    inputValues: Object.fromEntries(own),
    machineId: null,
    triedMachineId: run.machineId,
    attempt: run.attempt + 1,
    revision: run.revision + 1,
  };
}
