import type { Execution } from "../../shared/domain/execution/execution.ts";
import type { Machine } from "../../shared/domain/machine/machine.ts";
import type { ModelChoice } from "../../shared/domain/model/model-choice.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import type { Waiting } from "../../shared/domain/run/waiting/explain-waiting.ts";

/** Source: https://docs.aws.amazon.com/lambda/latest/api/API_Event.html */
export interface ExecutionEvent {
  readonly type: string;
  readonly at: string;
  readonly name: string | null;
  readonly operationId: string | null;
  readonly isFailed: boolean;
}

export interface ExecutionHistory {
  readonly arn: string;
  readonly status: string;
  /** The last events, oldest first. */
  readonly events: readonly ExecutionEvent[];
}

export interface LogLine {
  readonly at: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A call of the run to its desktop that has no response yet. */
export interface OpenCall {
  readonly method: string;
  readonly path: string;
  readonly sinceMs: number;
}

/** All that a run's row and its surroundings say at one time, without what it types or reads. */
export interface RunFacts {
  readonly nowMs: number;
  readonly run: Run;
  readonly waiting: Waiting | undefined;
  readonly deletedPoolIds: readonly string[];
  /** The run's machine, else the one that it or its session names. */
  readonly machine: Machine | undefined;
  readonly execution: Execution | undefined;
  readonly history: ExecutionHistory | undefined;
  readonly openCall: OpenCall | undefined;
  readonly model: Pick<ModelChoice, "provider" | "model" | "timeoutSeconds"> | undefined;
  readonly organizationExecutions: { readonly running: number; readonly max: number };
  /** The last lines that name the run, oldest first. */
  readonly lines: readonly LogLine[];
}

export interface Cause {
  readonly code: string;
  /** One sentence: the cause, and what to do. */
  readonly sentence: string;
}

export function forSeconds(facts: Pick<RunFacts, "nowMs">, since: number | string): string {
  const sinceMs = typeof since === "number" ? since : Date.parse(since);
  const seconds = Math.max(0, Math.round((facts.nowMs - sinceMs) / 1_000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
