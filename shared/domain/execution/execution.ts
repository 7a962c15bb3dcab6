import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";
import type { OrganizationId } from "../organization-id.ts";

/** The running assignment of a run that the service carries out. Whatever ends the run removes it. */
export interface Execution {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  readonly assignmentId: string;
  readonly machineId: string;
  /** Parts are counted from 1: a long run moves to the next execution before the engine's limits. */
  readonly part: number;
  readonly arn: string | null;
  readonly planKey: string | null;
  readonly cursor: Cursor | null;
  readonly startedAt: string;
}

export type Phase =
  | "put_files"
  | "replay"
  | "see_screen"
  | "ask_model"
  | "act_on_reply"
  | "take_files"
  | "remove_files"
  | "leave_desktop";

/** A cursor is recorded with each step, so it is small. */
export interface Cursor {
  readonly phase: Phase;
  /** Steps are numbered over all attempts of the run. */
  readonly index: number;
  readonly element: number;
  readonly piece: number;
  /** Verifications replay the trajectory twice. @default 1 */
  readonly round?: number;
  readonly replayed: number;
  /** Earlier invocations have waited this long for the step's screen. */
  readonly waitedMs: number;
  readonly awayMs: number;
  readonly files: FilesCursor;
  readonly reset?: ResetCursor;
  readonly leave?: LeaveCursor;
  readonly model?: ModelCursor | undefined;
}

interface ResetCursor {
  /** Null after the reset, absent before it. */
  readonly at?: number | null;
  /** Steps of the reset, which do not count for max_steps. */
  readonly taken: number;
}

interface LeaveCursor {
  readonly end: RunEnding | null;
  readonly untilMs: number;
  readonly picture: number | null;
}

export interface ModelCursor {
  readonly mode: "replay" | "task" | "repair" | "element";
  /** An index of the plan's choices: above 0 a fallback is in use. */
  readonly choice: number;
  /** Replies on record, of all conversations. */
  readonly turn: number;
  /** The first reply of the conversation, counted from 1. */
  readonly from: number;
  /** The next action of the last reply; null where the model is called next. */
  readonly place: { readonly call: number; readonly action: number } | null;
  readonly firstStep: number;
  readonly lookCount: number;
  readonly agentic: number;
  readonly repaired: number;
  readonly repairs: number;
  /** Elements with which the replay goes on, once one of their screens is seen. */
  readonly goals?: readonly number[] | undefined;
  /** The last action, and how often in a row it left the screen unchanged. */
  readonly same: { readonly print: string; readonly times: number };
  /** Consecutive replies: without a call, without an effect, refused, cut off. */
  readonly silent: number;
  readonly idle: number;
  readonly refused: number;
  readonly cutOff: number;
  readonly misfits: number;
  /** Ends at which the work was not seen; absent means none. */
  readonly unseen?: number | undefined;
  readonly waits: number;
  readonly waitedMs: number;
  readonly tokens: readonly (readonly [input: number, output: number, cached: number])[];
}

interface FilesCursor {
  readonly at: number;
  readonly put: number;
  readonly taken: number;
  /** The run's end once its files are handled; null while it acts. */
  readonly end: RunEnding | null;
}

export interface RunEnding {
  readonly status: "success" | "error" | "task_failed";
  readonly errorCode: RunErrorCode | null;
  readonly error: string | null;
}

/** A durable execution's payload: ids, and nothing that could be secret. */
export interface ExecutionJob {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  readonly assignmentId: string;
  readonly part: number;
}

/** The sweeper starts an execution again that has not begun within this time. */
export const startedWithinMs = 60_000;

export const checkedEveryMs = 300_000;

/** Starting the same name again does nothing. */
export function executionName({ assignmentId, part }: Pick<ExecutionJob, "assignmentId" | "part">): string {
  return part === 1 ? assignmentId : `${assignmentId}-${part}`;
}
