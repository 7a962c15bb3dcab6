import { type Execution, startedWithinMs } from "../../domain/execution/execution.ts";
import { RunHeld } from "../../domain/execution/run-held.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { RunStep, SavedValue } from "../../domain/run-step/run-step.ts";
import { stepSources, stepStatuses } from "../../vocabulary/run-steps.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, type Condition, hasValue, put, remove, type Write } from "../table/expression.ts";
import { dueRow } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { executionKey, savedValueKey, stepKey } from "../table/keys.ts";
import { type Fields, json, number, oneOf, orElse, orNull, row, tenant, text } from "../table/row.ts";

export const executionRow = row<Execution>("execution", {
  organizationId: tenant,
  runId: text,
  assignmentId: text,
  machineId: text,
  part: number,
  arn: orNull(text),
  planKey: orNull(text),
  cursor: orNull(json()),
  startedAt: text,
  held: orNull(json()),
  callbackId: orNull(text),
  resumed: orNull(json()),
  heldMs: orElse(number, 0),
});

export const stepFields: Fields<RunStep> = {
  organizationId: tenant,
  runId: text,
  index: number,
  attempt: number,
  inAttempt: orNull(json()),
  assignmentId: text,
  source: oneOf(stepSources),
  action: json<JsonObject>(),
  status: oneOf(stepStatuses),
  text: orNull(text),
  model: orNull(text),
  usage: orNull(json()),
  error: orNull(text),
  match: orNull(json()),
  screenshot: orNull(json()),
  pictureKey: orNull(text),
  startedAt: text,
  durationMs: orNull(number),
  trail: json(),
};

export const stepRow = row<RunStep>("step", stepFields);

/** Tries are counted before anything else of a step is written. */
export const triesRow = row<{ readonly assignmentId: string; readonly tries: number }>("step", {
  assignmentId: text,
  tries: orElse(number, 0),
});

const savedRow = row<SavedValue & { readonly assignmentId: string }>("saved_value", {
  assignmentId: text,
  name: text,
  value: json<Json>(),
});

export const parseSaved = savedRow.parse;

export function executionPut(execution: Execution): Write {
  const { organizationId, runId, startedAt } = execution;
  const due = executionDue(runId, Date.parse(startedAt) + startedWithinMs);
  return put({ ...executionKey(organizationId, runId), ...executionRow.write(execution), ...due });
}

export function executionDue(runId: string, atMs: number) {
  return dueRow("OPEN#EXECUTION", runId, atMs);
}

export function executionDelete(run: {
  readonly organizationId: Execution["organizationId"];
  readonly id: string;
}): Write {
  return remove(executionKey(run.organizationId, run.id));
}

export function isExecutedBy(assignmentId: string, arn?: string): Condition {
  return allOf(hasValue("assignment_id", assignmentId), arn === undefined ? undefined : hasValue("arn", arn));
}

/** A held run's executor records no step, so a person and the executor never do so at the same time. */
export function mayStep(assignmentId: string, arn?: string): Condition {
  return allOf(isExecutedBy(assignmentId, arn), hasValue("held", null));
}

/** Reads the row that `mayStep` was refused for. @throws {RunHeld} */
export function refuseHeld(item: Item | undefined, assignmentId: string, arn?: string): void {
  const isIts = item?.assignment_id === assignmentId && (arn === undefined || item.arn === arn);
  if (isIts && item.held !== undefined) throw new RunHeld();
}

export function stepItem(step: RunStep): Item & Key {
  return { ...stepKey(step.organizationId, step.runId, step.index), ...stepRow.write(step) };
}

export interface StepStoreDeps extends StoreDeps {
  /** @default none, and writing steps throws */
  readonly stepDays?: number;
}

export function stepExpiry({ clock, stepDays }: StepStoreDeps): Item {
  if (stepDays === undefined) throw new Error("this function does not know how long steps are kept");
  return { ttl: Math.ceil(clock.now() / 1_000) + stepDays * 24 * 3_600 };
}

/** The step's index must be free: nothing has begun there. */
export function newStepPut(step: RunStep, expiry: Item): Write {
  return put({ ...stepItem(step), ...expiry }, { expression: "attribute_not_exists(status)" });
}

export function savedPut(
  { organizationId, runId, assignmentId }: Pick<RunStep, "organizationId" | "runId" | "assignmentId">,
  saved: SavedValue,
  expiry: Item,
): Write {
  const key = savedValueKey(organizationId, runId, assignmentId, saved.name);
  return put({ ...key, ...savedRow.write({ ...saved, assignmentId }), ...expiry });
}

/** A row that only counts tries has no status. */
export function hasBegun(item: { readonly status?: unknown }): boolean {
  return item.status !== undefined;
}

export function lastIndexIn(count: Item | undefined): number {
  return typeof count?.last === "number" ? count.last : 0;
}
