import type { OrganizationId } from "../access/organization-id.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ModelUsage } from "../model/language-models.ts";
import type { Rectangle, Shift, Size } from "../picture/picture.ts";
import type { RunErrorCode } from "../run/run-error.ts";

/** The running assignment of a run that the service carries out. Whatever ends the run removes it. */
export interface Execution {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  readonly assignmentId: string;
  readonly machineId: string;
  /** Executions that follow one another: a long run is handed on before the engine's limits. Counted from 1. */
  readonly part: number;
  /** Of the durable execution that works on it; null until it has begun. */
  readonly arn: string | null;
  /** The object with what the run goes by; null until that is pinned. */
  readonly planKey: string | null;
  /** Where the next part goes on; null in the first one. */
  readonly cursor: Cursor | null;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** Where an execution is. Recorded with each step, so it is small. */
export interface Cursor {
  /** Of the step to be taken, over all attempts of the run. */
  readonly index: number;
  /** Of the trajectory, counted from 0. */
  readonly element: number;
  /** Of a text that is typed in pieces, counted from 0. */
  readonly piece: number;
  /** Of the trajectory, which a verification replays again from its beginning: counted from 1. @default 1 */
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
export interface ResetCursor {
  /** The next of them; null when they are over, absent before. */
  readonly at?: number | null;
  /** Steps of them, which do not count for max_steps. */
  readonly taken: number;
}

/** Leads the desktop back after the last step. */
export interface LeaveCursor {
  /** How the run ends afterwards; null once it does. */
  readonly end: RunEnding | null;
  /** In milliseconds since the epoch. */
  readonly untilMs: number;
  /** The step with the last picture before; null where there is none. */
  readonly picture: number | null;
}

/** Where an execution is with its models. */
export interface ModelCursor {
  /** What the model is asked for; `replay` while it is not. */
  readonly mode: "replay" | "task" | "repair" | "element";
  /** Among the plan's choices: above 0 a fallback is in use. */
  readonly choice: number;
  /** Replies that are on record, of all conversations. */
  readonly turn: number;
  /** The conversation's first one, counted from 1. */
  readonly from: number;
  /** Of the last reply's calls the next one, and its next action; null where the model is asked next. */
  readonly place: { readonly call: number; readonly action: number } | null;
  /** Index of the first step of the last reply. */
  readonly firstStep: number;
  /** Whether the screen has to be seen before anything else. */
  readonly isBlind: boolean;
  /** Steps in which it was only seen: they are none of the model's. */
  readonly looks: number;
  /** Steps that models decided, and those of repairs. */
  readonly agentic: number;
  readonly repaired: number;
  readonly repairs: number;
  /** Of a repair: the elements that its replay goes on with, once one of their screens is seen. */
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
  /** Of each of the plan's choices: input, output and cached tokens. */
  readonly tokens: readonly (readonly [input: number, output: number, cached: number])[];
}

/** Where an execution is with the run's files. */
export interface FilesCursor {
  /** Before the actions, among them; after them the exports are taken, and at last the inputs removed. */
  readonly phase: "put" | "take" | "remove";
  /** Steps of the phase that are done. */
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

export type StepStatus = "sending" | "done" | "failed" | "unknown" | "skipped";

/** Why a replayed step was or was not done. */
export interface StepMatch {
  readonly score: number;
  readonly secondBest: number;
  /** From where it was recorded, in pixels. */
  readonly movedBy: Shift;
  readonly waitedMs: number;
  /** Why not; null where it was found. */
  readonly reason: string | null;
}

/** How far an attempt is with a step, counted from 1. */
export interface PlaceInAttempt {
  readonly step: number;
  /** As many steps as the attempt may take. */
  readonly of: number;
  /** Both count elements of the trajectory, which is replayed. */
  readonly ofElements?: true;
}

/** One step of a run, as it is shown. Timestamps are ISO 8601. */
export interface RunStep {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  /** Counted from 1, over all attempts of the run. */
  readonly index: number;
  /** Of the run: grows with each retry. */
  readonly attempt: number;
  /** Null for a worker's. */
  readonly inAttempt: PlaceInAttempt | null;
  readonly assignmentId: string;
  readonly source: "replay" | "reset" | "model" | "service" | "worker";
  /** Inputs filled in, secrets as `{$alias}`. */
  readonly action: JsonObject;
  readonly status: StepStatus;
  /** What the model said. */
  readonly text: string | null;
  /** That decided it, as its provider names it. */
  readonly model: string | null;
  /** Of the call that decided it, with the first of its steps. */
  readonly usage: ModelUsage | null;
  readonly error: string | null;
  readonly match: StepMatch | null;
  /** Of its picture, in pixels. */
  readonly screenshot: { readonly width: number; readonly height: number } | null;
  readonly pictureKey: string | null;
  readonly startedAt: string;
  readonly durationMs: number | null;
  /** What a later step has to know of it. */
  readonly trail: StepTrail;
}

/** What a replay takes along from step to step, so that it can go on in another instance. */
export interface StepTrail {
  /** The element of the trajectory, counted from 0; null for a step that is none. */
  readonly element: number | null;
  /** The element of the trajectory's reset, counted from 0; absent for a step of none. */
  readonly reset?: number;
  /** By how much the last anchor had moved. */
  readonly movedBy: Shift;
  /** Parts of the recorded screen that are not compared any more. */
  readonly masks: readonly Rectangle[];
  /** Parts of the screen that are painted over in pictures. */
  readonly painted: readonly PaintedPart[];
  /** Cells of the screen's thumbnail that are not compared any more, since repairs met them changed: base64. */
  readonly leftOut?: string;
  /** Of the last repair, until an element's screen was found after it. */
  readonly repair?: RepairTrail;
  /** Absent where the next element comes. */
  readonly next?: StepNext;
  /** Of a step that a model decided. */
  readonly decided?: DecidedStep;
}

/** What a repair has met and done. */
export interface RepairTrail {
  /** Cells that differed from what was recorded when it began, or that it has changed: base64. */
  readonly cells: string;
  /** How many of them differed while what the step acts on was to be seen all the same; null where it was not. */
  readonly differed: number | null;
  /** Whether it has changed anything. */
  readonly hasActed: boolean;
  /** Whether it has done the step itself, which the replay must not do again. */
  readonly isStepDone: boolean;
}

/** What the model is told of a step, and goes on by. */
export interface DecidedStep {
  /** Of the assignment's replies, counted from 1. */
  readonly turn: number;
  /** Among the reply's calls, and among the call's actions. */
  readonly call: number;
  readonly action: number;
  /** Whether the screen is another one after it. */
  readonly isChanged: boolean;
  /** Whether it has to be looked at. */
  readonly isBlind: boolean;
  /** Of the step's picture; null where it has none. */
  readonly seen: Size | null;
}

/** What shows a secret, or several and what lies between. */
export interface PaintedPart extends Rectangle {
  /** Stays for as long as the display has its size: a change within may be of what lies between. */
  readonly isJoined?: true;
}

/** What comes after a step that is on record while its result is not: its function ended in between. */
export type StepNext =
  /** The element again: it was not done. */
  | { readonly kind: "again" }
  /** The next piece of its text. */
  | { readonly kind: "piece" }
  /** A model: it repairs the step until one of these elements' screens is seen, or goes on alone. */
  | { readonly kind: "model"; readonly goals: readonly number[] | null }
  /** The replay goes on there. */
  | { readonly kind: "replay"; readonly element: number }
  /** The trajectory again, from its beginning. */
  | { readonly kind: "round"; readonly round: number }
  | { readonly kind: "end"; readonly errorCode: RunErrorCode };

/** A value that a step has saved under a name, for later ones. */
export interface SavedValue {
  readonly name: string;
  readonly value: Json;
}
