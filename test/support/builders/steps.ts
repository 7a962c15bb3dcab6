import { noTrail } from "../../../shared/domain/execution/step/trail.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { RunStep } from "../../../shared/domain/run-step/run-step.ts";

/** A click done by a run, without a picture; the first step unless `index` is given. */
export function aStep(run: Run, fields: Partial<RunStep> = {}): RunStep {
  const { organizationId, id: runId, attempt } = run;
  const { index = 1 } = fields;
  return {
    organizationId,
    runId,
    index,
    attempt,
    inAttempt: { step: index, of: 100 },
    assignmentId: run.assignmentId ?? "",
    source: "replay",
    action: { type: "click", x: 10, y: 20, target: "the button Save" },
    status: "done",
    text: null,
    model: null,
    usage: null,
    error: null,
    match: { score: 0.99, secondBest: 0.4, movedBy: { dx: 3, dy: -2 }, waitedMs: 120, reason: null },
    screenshot: null,
    pictureKey: null,
    startedAt: "2026-01-15T12:00:01.000Z",
    durationMs: 240,
    trail: noTrail,
    ...fields,
  };
}
