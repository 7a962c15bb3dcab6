import { askedSeconds } from "../../../vocabulary/holds.ts";
import { isoTimestamp } from "../../clock.ts";
import type { Hold } from "../../hold/hold.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import { overtaken, untilWritten } from "../../until-written.ts";
import type { Cursor } from "../execution.ts";
import { RunHeld } from "../run-held.ts";
import type { Invocation } from "../step/invocation.ts";
import { recordStep } from "../step/perform-once.ts";
import { ended, type StepResult } from "../step/step-result.ts";
import { type Decision, followDecision, notOfScreen } from "./judge-decision.ts";

/** The question is recorded and the run is held in one write, so that an executor which finds the step stands still. */
export async function askPerson(
  invocation: Invocation,
  cursor: Cursor,
  { model, exchange, step }: Pick<Decision, "model" | "exchange" | "step">,
): Promise<StepResult> {
  const { deps, job, durable } = invocation;
  const trail = { ...step.trail, decided: notOfScreen(model) };
  const row: RunStep = { ...step, status: "done", durationMs: 0, trail };
  const followed = followDecision(cursor, model, exchange, row);
  // A question that was asked too often ends the run, which a hold would delay.
  if (followed.kind === "end") return await recordStep(invocation, row, () => followed);
  const isAsked = await untilWritten(deps, {
    what: "the run",
    read: () => deps.runs.find(job.organizationId, job.runId),
    decide: async (run) => {
      if (run?.assignmentId !== job.assignmentId || run.status !== "running") return false;
      if (run.held !== null) throw new RunHeld();
      const held = heldByModel(String(step.action.question), deps.clock.now());
      const asked = await deps.holds.ask(run, held, { step: row, arn: durable.arn });
      return asked === undefined ? overtaken : true;
    },
  });
  return isAsked ? standsStill(followed) : ended;
}

function heldByModel(question: string, nowMs: number): Hold {
  return {
    by: { kind: "model", id: null },
    reason: question,
    since: isoTimestamp(nowMs),
    until: isoTimestamp(nowMs + askedSeconds * 1_000),
  };
}

export function standsStill(followed: StepResult): StepResult {
  return followed.kind === "next" ? { kind: "asked", cursor: followed.cursor } : followed;
}
