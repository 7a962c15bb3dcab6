import { ChangedTooOften } from "../changed-too-often.ts";
import { DomainError } from "../errors.ts";
import type { Run } from "./run.ts";
import { runNotFound } from "./run-deps.ts";
import { requestableStatuses } from "./run-status.ts";
import type { UpdateRunOutcome } from "./run-store.ts";

/** @throws {DomainError} by the outcome of a refused write. */
export function requireUpdatedRun(runId: string, outcome: UpdateRunOutcome): Run {
  switch (outcome.kind) {
    case "updated":
      return outcome.run;
    case "not_found":
      throw runNotFound(runId);
    case "illegal_transition":
      throw illegalTransition(outcome.run);
    case "assignment_mismatch":
      throw new DomainError(
        "assignment_mismatch",
        "a running run is changed under the assignment_id that its machine was given, and by a worker no other run",
      );
    case "inputs_frozen":
      throw new DomainError("conflict", "input_values can change only until a machine has the run", {
        details: { status: outcome.run.status },
      });
    case "changed":
      throw new ChangedTooOften("the run");
  }
}

/** The message names the legal transitions. */
export function illegalTransition(run: Pick<Run, "status">): DomainError {
  const allowed = requestableStatuses(run.status);
  return new DomainError(
    "illegal_transition",
    `a run that is ${run.status} can become ${allowed.join(", ") || "nothing else"} by a request`,
    { details: { status: run.status, allowed } },
  );
}
