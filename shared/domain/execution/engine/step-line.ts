import type { StepWait } from "../../../vocabulary/run-steps.ts";
import type { Cursor, Phase } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import type { RecordedResult } from "../step/step-result.ts";

/**
 * Writes one line of a step of the engine, which a replay does not carry out again. It has ids, numbers and names of
 * lists, never what was typed, read or said.
 */
export function logStep(
  { deps, job, times }: Pick<Invocation, "deps" | "job" | "times">,
  { index, phase }: Cursor,
  result: RecordedResult,
): void {
  deps.logger.info("step taken", {
    organization_id: job.organizationId,
    run_id: job.runId,
    assignment_id: job.assignmentId,
    step: index,
    phase,
    ...times.fields(),
    waits_for: waitOf(result),
    wait_seconds: result.kind === "next" ? result.waitSeconds : 0,
  });
}

const movesFiles: ReadonlySet<Phase> = new Set(["put_files", "take_files", "remove_files"]);

/** The next step follows at once where it is null. */
function waitOf(result: RecordedResult): StepWait | null {
  if (result.kind === "held") return "person";
  if (result.kind !== "next") return null;
  const { cursor, waitSeconds, yields } = result;
  if (waitSeconds === 0) return yields ? "invocation" : null;
  if (cursor.awayMs > 0) return "desktop";
  if ((cursor.model?.waits ?? 0) > 0) return "provider";
  return movesFiles.has(cursor.phase) ? "files" : "time";
}
