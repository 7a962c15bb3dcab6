import type { RunStep as WireStep } from "../../shared/contract/run/run-step.ts";
import { hasExpected } from "../../shared/domain/run-progress/get-step-expected.ts";
import type { RunStep } from "../../shared/domain/run-step/run-step.ts";
import type { StepStatus } from "../../shared/vocabulary/run-steps.ts";

/** A step of this status was not done for this reason, although its place was found. */
const reasons: Readonly<Record<StepStatus, string | null>> = {
  sending: null,
  done: null,
  failed: "not_done",
  skipped: "not_done",
  unknown: "outcome_unknown",
};

export function presentStep(step: RunStep): WireStep {
  const { match, screenshot, usage, status } = step;
  return {
    index: step.index,
    attempt: step.attempt,
    source: step.source,
    action: { ...step.action },
    status: step.status,
    text: step.text,
    error: step.error,
    match: match && {
      score: match.score,
      second_best: match.secondBest,
      moved_by: { dx: match.movedBy.dx, dy: match.movedBy.dy },
      waited_ms: match.waitedMs,
      reason: match.reason ?? reasons[status],
    },
    expected: hasExpected(step) ? `/v1/runs/${step.runId}/steps/${step.index}/expected` : null,
    screenshot: screenshot && { width: screenshot.width, height: screenshot.height },
    model: step.model,
    usage: usage && {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cached_tokens: usage.cachedTokens,
    },
    started_at: step.startedAt,
    duration_ms: step.durationMs,
  };
}
