import type { ModelCursor } from "../conversation/conversation-cursor.ts";
import type { Hold } from "../hold/hold.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Resumption } from "../run/hold/hold-store.ts";
import type { RunEnding } from "../run/run-ending.ts";

/** The running assignment of a run that the service carries out. Whatever ends the run removes it. */
export interface Execution {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  readonly assignmentId: string;
  readonly machineId: string;
  /** Parts count from 1: a long run moves to the next execution before it reaches the engine's limits. */
  readonly part: number;
  readonly arn: string | null;
  readonly planKey: string | null;
  readonly cursor: Cursor | null;
  readonly startedAt: string;
  /** While it is there, nothing is sent to the desktop, even after the hold has expired. */
  readonly held: Hold | null;
  /** The engine's callback that a waiting execution is woken by. */
  readonly callbackId: string | null;
  /** The last resumption, until the executor has gone on from it. */
  readonly resumed: Resumption | null;
  /** The time of all earlier holds, which does not count as the run's own. */
  readonly heldMs: number;
}

export type Phase =
  | "put_files"
  | "replay"
  | "see_screen"
  | "ask_model"
  | "act_on_reply"
  | "take_files"
  | "remove_files"
  | "resume"
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
  /** The time that earlier invocations have waited for the step's screen. */
  readonly waitedMs: number;
  readonly awayMs: number;
  readonly files: FilesCursor;
  readonly reset?: ResetCursor;
  readonly leave?: LeaveCursor;
  readonly model?: ModelCursor | undefined;
  /** The phase that a hold has interrupted, until the resumption. */
  readonly interrupted?: Phase;
  /** The number of steps of persons and resumptions, which do not count for max_steps. */
  readonly unowned?: number;
}

interface ResetCursor {
  /** Null after the reset, and absent before it. */
  readonly at?: number | null;
  /** The number of reset steps, which do not count for max_steps. */
  readonly taken: number;
}

interface LeaveCursor {
  readonly end: RunEnding | null;
  readonly untilMs: number;
  readonly picture: number | null;
}

interface FilesCursor {
  readonly at: number;
  readonly put: number;
  readonly taken: number;
  /** The run's end once its files are handled; null while the run acts. */
  readonly end: RunEnding | null;
}

/** A durable execution's payload, which has only ids and nothing that could be secret. */
export interface ExecutionJob {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  readonly assignmentId: string;
  readonly part: number;
}

/** The sweeper restarts an execution that has not begun within this time. */
export const startedWithinMs = 60_000;

export const checkedEveryMs = 300_000;

/** Starting the same name again does nothing. */
export function executionName({ assignmentId, part }: Pick<ExecutionJob, "assignmentId" | "part">): string {
  return part === 1 ? assignmentId : `${assignmentId}-${part}`;
}
