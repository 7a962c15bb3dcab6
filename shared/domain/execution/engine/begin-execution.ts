import type { Durable } from "../../durable/durable.ts";
import { makePlan } from "../../plan/make-plan.ts";
import type { Refusal } from "../../plan/plan.ts";
import { decodePlan, encodePlan, planBytesMax } from "../../plan/plan-file.ts";
import { endRun } from "../../run/end-run.ts";
import { truncated } from "../../run/run-ending.ts";
import type { Cursor, ExecutionJob } from "../execution.ts";
import type { ExecutorDeps } from "../executor-deps.ts";
import { Invocation } from "../step/invocation.ts";

export type Begun =
  | { readonly kind: "going"; readonly cursor: Cursor }
  | { readonly kind: "stopped"; readonly reason: "run_ended" | "taken" }
  | { readonly kind: "ended"; readonly status: string };

/** The run's plan is pinned, so later changes do not affect it. A refused run ends before its desktop is touched. */
export async function beginExecution(
  durable: Durable,
  deps: ExecutorDeps,
  job: ExecutionJob,
): Promise<{
  readonly begun: Begun;
  readonly invocation?: Invocation;
}> {
  const { organizationId, runId } = job;
  // Rows that were read too early are refused when the plan is pinned.
  const [outcome, lastStep, run] = await Promise.all([
    deps.executions.begin(job, durable.arn),
    deps.executions.findLastStep(organizationId, runId),
    deps.runs.find(organizationId, runId),
  ]);
  if (outcome.kind === "ended") return { begun: runEnded };
  if (outcome.kind === "taken") return { begun: { kind: "stopped", reason: "taken" } };
  const { execution } = outcome;
  if (execution.cursor !== null) return { begun: { kind: "going", cursor: execution.cursor } };
  const stepsBefore = lastStep?.index ?? 0;
  const begun = { kind: "going", cursor: firstCursor(stepsBefore) } as const;
  // An interrupted invocation has pinned the plan, and may have taken steps.
  if (execution.planKey !== null) return { begun };
  if (run?.assignmentId !== job.assignmentId || run.status !== "running") return { begun: runEnded };
  const desktop = deps.openDesktop(execution);
  const { startedAt } = execution;
  const programs = async () => await desktop.programs();
  const made = await makePlan(deps, { run, startedAt, stepsBefore, programs });
  if (made.kind === "refused") return { begun: await endAtOnce(deps, job, made) };
  const key = deps.files.stepKey(organizationId, runId, `${job.assignmentId}-plan`);
  await deps.files.put(key, encodePlan(made.plan), "application/json");
  const pinned = await deps.executions.pin(job, key);
  if (pinned === undefined) return { begun: runEnded };
  return { begun, invocation: new Invocation({ deps, job, durable, desktop, plan: made.plan }) };
}

const runEnded: Begun = { kind: "stopped", reason: "run_ended" };

export function firstCursor(stepsBefore: number): Cursor {
  const files = { at: 0, put: 0, taken: 0, end: null };
  return {
    phase: "put_files",
    index: stepsBefore + 1,
    element: 0,
    piece: 0,
    replayed: 0,
    waitedMs: 0,
    awayMs: 0,
    files,
  };
}

async function endAtOnce(
  deps: ExecutorDeps,
  job: ExecutionJob,
  { errorCode, error }: Refusal,
): Promise<Begun> {
  const { organizationId, runId, assignmentId } = job;
  const end = { status: "error", errorCode, reason: truncated(error), assignmentId } as const;
  if (!(await endRun(deps, organizationId, runId, end))) return runEnded;
  deps.logger.info("run not begun", { run_id: runId, assignment_id: assignmentId, error_code: errorCode });
  return { kind: "ended", status: end.status };
}

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
  const pinned = decodePlan(file);
  const plan = { ...pinned, endsAtMs: pinned.endsAtMs + execution.heldMs };
  return new Invocation({ deps, job, durable, desktop, plan, left: { lastStep, saved } });
}
