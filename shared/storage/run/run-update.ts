import type { RunChange, RunExpectation } from "../../domain/run/run-change.ts";
import { sourcesOf } from "../../domain/run/run-status.ts";
import { type Condition, isLiving } from "../table/expression.ts";

/** `refusalOf` as a DynamoDB condition: holds exactly when that returns nothing. */
export function runCondition(change: RunChange, expectation: RunExpectation): Condition {
  const { assignmentId, revision, mustRun } = expectation;
  const sources = change.status === undefined ? undefined : sourcesOf(change.status);
  const names = sources?.map((_, index) => `:source${index}`) ?? [];
  const isOwn = assignmentId === undefined ? "" : " OR assignment_id = :assignment";
  return {
    expression: [
      isLiving,
      `(status <> :running${isOwn})`,
      ...(sources === undefined ? [] : [isOneOf(names)]),
      ...(change.inputValues === undefined ? [] : ["status = :scheduling"]),
      ...(revision === undefined ? [] : ["revision = :revision"]),
      ...(mustRun === true ? ["status = :running"] : []),
    ].join(" AND "),
    values: {
      running: "running",
      ...(assignmentId === undefined ? {} : { assignment: assignmentId }),
      ...Object.fromEntries((sources ?? []).map((source, index) => [`source${index}`, source])),
      ...(change.inputValues === undefined ? {} : { scheduling: "scheduling" }),
      ...(revision === undefined ? {} : { revision }),
    },
  };
}

/** DynamoDB takes no empty list: without names the condition never holds. */
function isOneOf(names: readonly string[]): string {
  return names.length === 0 ? "attribute_not_exists(status)" : `status IN (${names.join(", ")})`;
}
