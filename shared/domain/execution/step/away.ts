import type { Cursor, ExecutionJob } from "../execution.ts";
import type { Invocation } from "./invocation.ts";
import { failure, type StepResult } from "./step-result.ts";
import { releaseTry } from "./tries.ts";

/** Until the desktop is called again, in seconds. */
const pauseSeconds = 5;

/**
 * How long a desktop may be away. The sweeper ends a run whose machine is disconnected for so long before; this is for
 * one that is connected and does not respond.
 */
const awayMsMax = 300_000;

/** The id by which the driver knows a step's action: the same for each try. */
export function actionIdOf({
  assignmentId,
  index,
}: Pick<ExecutionJob, "assignmentId"> & { readonly index: number }): string {
  return `${assignmentId}-${index}`;
}

/** Leaves the step for later: its desktop cannot be reached. */
export async function leaveForLater(invocation: Invocation, cursor: Cursor): Promise<StepResult> {
  invocation.screen = undefined;
  await releaseTry(invocation, cursor);
  const awayMs = cursor.awayMs + pauseSeconds * 1_000;
  if (awayMs > awayMsMax) {
    const error = `the machine could not be reached for ${awayMsMax / 60_000} minutes`;
    return { kind: "end", end: failure("machine_unavailable", error), cursor };
  }
  return { kind: "next", cursor: { ...cursor, awayMs }, waitSeconds: pauseSeconds, yields: false };
}

/** Leaves the step for the next invocation: this one's time is nearly over. */
export async function leaveForNext(invocation: Invocation, cursor: Cursor): Promise<StepResult> {
  invocation.screen = undefined;
  await releaseTry(invocation, cursor);
  return { kind: "next", cursor, waitSeconds: 0, yields: true };
}
