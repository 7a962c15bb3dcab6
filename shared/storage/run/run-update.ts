import type { RunChange, RunExpectation } from "../../domain/run/run-change.ts";
import { statusesBefore } from "../../domain/run/run-status.ts";
import { type RunStatus, terminalRunStatuses } from "../../vocabulary/runs.ts";
import { allOf, type Condition, hasValue, isOneOf, living } from "../table/expression.ts";

export const isEnded = isOneOf("status", terminalRunStatuses);

/** The condition holds exactly when `refusalOf` returns nothing. */
export function runCondition(change: RunChange, expectation: RunExpectation): Condition {
  const { revision, mustRun, mustBeFree } = expectation;
  return allOf(
    living,
    expectation.ofAnyAssignment === true ? undefined : isAssigned(expectation),
    change.status === undefined ? undefined : isOneOf("status", statusesBefore(change.status)),
    change.inputValues === undefined ? undefined : hasStatus("scheduling"),
    revision === undefined ? undefined : hasValue("revision", revision),
    mustRun === true ? hasStatus("running") : undefined,
    mustBeFree === true ? hasValue("held", null) : undefined,
  );
}

function isAssigned({ assignmentId }: RunExpectation): Condition {
  if (assignmentId === undefined) {
    return { expression: "status <> :running", values: { running: "running" } };
  }
  return {
    expression: "(status <> :running OR assignment_id = :assignment)",
    values: { running: "running", assignment: assignmentId },
  };
}

function hasStatus(status: RunStatus): Condition {
  return { expression: `status = :${status}`, values: { [status]: status } };
}
