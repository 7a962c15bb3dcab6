import { notFound } from "../entity/not-found.ts";
import { ChangedTooOften, DomainError } from "../errors.ts";
import type { Run } from "./run.ts";
import { requestableStatuses } from "./run-status.ts";
import type { UpdateRunOutcome } from "./run-store.ts";

/** @throws {DomainError} that fits the outcome of a refused write. */
export function requireUpdatedRun(runId: string, outcome: UpdateRunOutcome): Run {
  switch (outcome.kind) {
    case "updated":
      return outcome.run;
    case "not_found":
      throw notFound("run", runId);
    case "illegal_transition":
      throw illegalTransition(outcome.run);
    case "assignment_mismatch":
      throw new DomainError("assignment_mismatch", mismatch(outcome.run));
    case "inputs_frozen":
      throw new DomainError("conflict", "input_values can change only until a machine has the run", {
        details: { status: outcome.run.status },
      });
    case "held":
    case "changed":
      throw new ChangedTooOften("the run");
  }
}

function mismatch({ id, status }: Run): string {
  return status === "running"
    ? `the run is running: send the assignment_id of its attempt, which GET /v1/runs/${id} shows; a key with the scope write cancels it without one (POST /v1/runs/${id}/cancel)`
    : `a key without the scope write changes a run only while it is running; this one is ${status}`;
}

export function illegalTransition(run: Pick<Run, "status">): DomainError {
  const allowed = requestableStatuses(run.status);
  return new DomainError(
    "illegal_transition",
    `a run that is ${run.status} can become ${allowed.join(", ") || "nothing else"} by a request`,
    { details: { status: run.status, allowed } },
  );
}
