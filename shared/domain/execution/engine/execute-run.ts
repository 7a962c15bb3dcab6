import type { Durable } from "../../durable/durable.ts";
import { RetryingEngine } from "../../durable/retrying-engine.ts";
import { type Cursor, type ExecutionJob, executionName } from "../execution.ts";
import type { ExecutorDeps } from "../executor-deps.ts";
import type { Invocation } from "../step/invocation.ts";
import type { RecordedResult } from "../step/step-result.ts";
import { pauseSecondsLeft } from "../step/time-left.ts";
import { beginExecution, loadInvocation } from "./begin-execution.ts";
import { endExecution } from "./end-execution.ts";
import { isToBeRecorded, type RecordedTrajectory, recordTrajectory } from "./record-trajectory.ts";
import { standStill } from "./stand-still.ts";
import { handOver } from "./start-execution.ts";
import { logStep } from "./step-line.ts";
import { takeStep } from "./take-step.ts";

export const stepsOfExecutionMax = 100;

/**
 * The engine allows 3,000 operations of one execution; a failing step, its wait and the handover take fewer than a
 * hundred.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const operationsMax = 2_500;

export type Executed =
  | { readonly kind: "ended"; readonly status: string }
  | { readonly kind: "rescheduled" }
  | { readonly kind: "stopped"; readonly reason: "run_ended" | "taken" }
  | { readonly kind: "handed_over"; readonly to: string };

/** Everything is a step of the durable engine, so that an invocation can end anywhere and the next one continues. */
export async function executeRun(durable: Durable, deps: ExecutorDeps, job: ExecutionJob): Promise<Executed> {
  let loaded: Invocation | undefined;
  const invocation = async (): Promise<Invocation | undefined> => {
    loaded ??= await loadInvocation(deps, durable, job);
    return loaded;
  };
  const ids = { run_id: job.runId, assignment_id: job.assignmentId };
  const engine = new RetryingEngine({ durable, of: { noun: "a run", ids }, logger: deps.logger });
  const begun = await engine.step("begin", async () => {
    const { begun: outcome, invocation: made } = await beginExecution(durable, deps, job);
    loaded = made;
    return outcome;
  });
  if (begun.kind === "stopped") return begun;
  if (begun.kind === "ended") return { kind: "ended", status: begun.status };
  let cursor: Cursor = begun.cursor;
  const first = cursor.index;
  let hasWaited = false;
  for (;;) {
    const at = cursor;
    if (at.index - first >= stepsOfExecutionMax || engine.operations > operationsMax) {
      const handed = await engine.step("hand over", async () => {
        await loaded?.desktop.settled();
        return await handOver(durable, deps, job, at);
      });
      if (!handed.isOurs) return { kind: "stopped", reason: "run_ended" };
      return { kind: "handed_over", to: executionName({ ...job, part: job.part + 1 }) };
    }
    const result = await engine.step(
      stepName(at),
      async (failures) => {
        const here = await invocation();
        if (here === undefined) return { kind: "ended" as const };
        let result: RecordedResult | undefined;
        try {
          result = await takeStep(here, at, { failures, hasWaited });
          logStep(here, at, result);
          return result;
        } finally {
          if (!goesOn(result)) await here.desktop.settled();
        }
      },
      () => pauseSecondsLeft(loaded, at),
    );
    if (result.kind === "ended") return { kind: "stopped", reason: "run_ended" };
    if (result.kind === "held") {
      const resumed = await standStill(engine, durable, deps, job, result.cursor, result);
      if (resumed === undefined) return { kind: "stopped", reason: "run_ended" };
      // A person's steps, and the time that the run stood still, are read again.
      loaded = undefined;
      cursor = resumed;
      hasWaited = true;
      continue;
    }
    if (result.kind === "end") {
      const { end } = result;
      let last = result.cursor;
      if (isToBeRecorded(end, last)) {
        const { tokens } = await engine.step("record", async (failures): Promise<RecordedTrajectory> => {
          const here = await invocation();
          return here === undefined
            ? { trajectoryId: null }
            : await recordTrajectory(here, result.cursor, failures);
        });
        if (tokens && last.model) last = { ...last, model: { ...last.model, tokens } };
      }
      const endStep = async () => {
        const here = await invocation();
        return here === undefined ? { kind: "over" as const } : await endExecution(here, end, last);
      };
      let ended = await engine.step("end", endStep);
      while (ended.kind === "held") {
        if ((await standStill(engine, durable, deps, job, last, ended)) === undefined) break;
        ended = await engine.step("end", endStep);
      }
      const { kind } = ended;
      return kind === "rescheduled" ? { kind } : { kind: "ended", status: end.status };
    }
    if (result.waitSeconds > 0) await engine.wait("wait", result.waitSeconds);
    else if (result.yields) await engine.wait("yield", 1);
    hasWaited = result.waitSeconds > 0 || result.yields;
    cursor = result.cursor;
  }
}

function goesOn(result: RecordedResult | undefined): boolean {
  return result?.kind === "next" && result.waitSeconds === 0 && !result.yields;
}

function stepName({ index, phase, model }: Cursor): string {
  return phase === "ask_model" && model !== undefined ? `ask ${model.turn + 1}` : `step ${index}`;
}
