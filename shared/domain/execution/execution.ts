import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";
import type { OrganizationId } from "../organization-id.ts";

/** The running assignment of a run that the service carries out. Whatever ends the run removes it. */
export interface Execution {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  readonly assignmentId: string;
  readonly machineId: string;
  /** Executions that follow one another: a long run is handed on before the engine's limits. Counted from 1. */
  readonly part: number;
  /** The ARN of the durable execution; null until it has begun. */
  readonly arn: string | null;
  /** The object with what the run goes by; null until that is pinned. */
  readonly planKey: string | null;
  /** Where the next part goes on; null in the first one. */
  readonly cursor: Cursor | null;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** The purpose of a run's next step. */
export type Phase =
  /** The run's files are put on the desktop, one a step. */
  | "put_files"
  /** The next element of the trajectory is replayed. */
  | "replay"
  /** The screen is seen, since a model has to know it. */
  | "see_screen"
  /** The model is asked, and the first action of its reply is done. */
  | "ask_model"
  /** The next action of the model's reply is done. */
  | "act_on_reply"
  /** The exports are taken from the desktop, after the last action. */
  | "take_files"
  /** The run's own files are removed from the desktop. */
  | "remove_files"
  /** The desktop is led back to the first recorded screen. */
  | "leave_desktop";

/** Where an execution is. Recorded with each step, so it is small. */
export interface Cursor {
  readonly phase: Phase;
  /** The number of the next step, over all attempts of the run. */
  readonly index: number;
  /** The trajectory's element, counted from 0. */
  readonly element: number;
  /** The piece of a text that is typed in pieces, counted from 0. */
  readonly piece: number;
  /** The round of a verification, which replays the trajectory twice: counted from 1. @default 1 */
  readonly round?: number;
  /** Elements done. */
  readonly replayed: number;
  /** How long the step's screen has been waited for in earlier invocations. */
  readonly waitedMs: number;
  /** How long the desktop has been away. */
  readonly awayMs: number;
  readonly files: FilesCursor;
  /** Absent before the first screen was missed. */
  readonly reset?: ResetCursor;
  /** Absent before the run's end, and where the desktop is left as it is. */
  readonly leave?: LeaveCursor;
  /** Absent as long as no model was asked. */
  readonly model?: ModelCursor | undefined;
}

/** Where an execution is with the elements that lead back to the first recorded screen. */
interface ResetCursor {
  /** The next of them; null when they are over, absent before. */
  readonly at?: number | null;
  /** Steps of them, which do not count for max_steps. */
  readonly taken: number;
}

/** Leads the desktop back after the last step. */
interface LeaveCursor {
  /** How the run ends afterwards; null once it does. */
  readonly end: RunEnding | null;
  /** In milliseconds since the epoch. */
  readonly untilMs: number;
  /** The step with the last picture before; null where there is none. */
  readonly picture: number | null;
}

/** Where an execution is with its models. */
export interface ModelCursor {
  /** The model's task; `replay` while it has none. */
  readonly mode: "replay" | "task" | "repair" | "element";
  /** Among the plan's choices: above 0 a fallback is in use. */
  readonly choice: number;
  /** Replies that are on record, of all conversations. */
  readonly turn: number;
  /** The conversation's first one, counted from 1. */
  readonly from: number;
  /** The next call of the last reply, and that call's next action; null where the model is called next. */
  readonly place: { readonly call: number; readonly action: number } | null;
  /** Index of the first step of the last reply. */
  readonly firstStep: number;
  /** Steps in which it was only seen: they are none of the model's. */
  readonly lookCount: number;
  /** Steps that models decided, and those of repairs. */
  readonly agentic: number;
  readonly repaired: number;
  readonly repairs: number;
  /** The elements with which a repair's replay goes on, once one of their screens is seen. */
  readonly goals?: readonly number[] | undefined;
  /** The last action, as often as it was done in a row without changing the screen. */
  readonly same: { readonly print: string; readonly times: number };
  /** In a row: replies without a call, replies that did nothing, refusals, replies that were cut off. */
  readonly silent: number;
  readonly idle: number;
  readonly refused: number;
  readonly cutOff: number;
  /** Outputs that did not fit. */
  readonly misfits: number;
  /** Ends at which the work was not to be seen; absent: none. */
  readonly unseen?: number | undefined;
  /** For the provider, since it last replied. */
  readonly waits: number;
  readonly waitedMs: number;
  /** Input, output and cached tokens of each of the plan's choices. */
  readonly tokens: readonly (readonly [input: number, output: number, cached: number])[];
}

/** Where an execution is with the run's files. */
interface FilesCursor {
  /** Steps of their phase that are done. */
  readonly at: number;
  /** Input files that are on the desktop. */
  readonly put: number;
  /** Output attachments that are made. */
  readonly taken: number;
  /** How the run ends when its files are seen to; null while it acts. */
  readonly end: RunEnding | null;
}

/** How the service ends a run. */
export interface RunEnding {
  readonly status: "success" | "error" | "task_failed";
  readonly errorCode: RunErrorCode | null;
  /** A sentence that a person can act on. */
  readonly error: string | null;
}

/** A durable execution's payload: ids, and nothing that could be secret. */
export interface ExecutionJob {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  readonly assignmentId: string;
  readonly part: number;
}

/** After which one that has not begun is started again, in milliseconds. */
export const startedWithinMs = 60_000;

/** How often one that has begun is asked about, in milliseconds. */
export const checkedEveryMs = 300_000;

/** The name of a durable execution: the same one is started once. */
export function executionName({ assignmentId, part }: Pick<ExecutionJob, "assignmentId" | "part">): string {
  return part === 1 ? assignmentId : `${assignmentId}-${part}`;
}
