import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";
import type { StepSource, StepStatus } from "../../vocabulary/run-steps.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ModelUsage } from "../model/language-models.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Rectangle, Shift, Size } from "../picture/picture.ts";

export interface StepMatch {
  readonly score: number;
  readonly secondBest: number;
  /** From where it was recorded, in pixels. */
  readonly movedBy: Shift;
  readonly waitedMs: number;
  /** Null where it was found. */
  readonly reason: string | null;
}

/** How far an attempt is with a step, counted from 1. */
export interface PlaceInAttempt {
  readonly step: number;
  /** As many steps as the attempt may take. */
  readonly of: number;
  /** Both count elements of the trajectory that is replayed. */
  readonly ofElements?: true;
}

export interface RunStep {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  /** Counted from 1, over all attempts of the run. */
  readonly index: number;
  /** The run's attempt, which grows with each retry. */
  readonly attempt: number;
  /** Null for a worker's. */
  readonly inAttempt: PlaceInAttempt | null;
  readonly assignmentId: string;
  readonly source: StepSource;
  /** Inputs filled in, secrets as `{$alias}`. */
  readonly action: JsonObject;
  readonly status: StepStatus;
  readonly text: string | null;
  /** The model that decided it, as its provider names it. */
  readonly model: string | null;
  /** The usage of the call that decided it, with the first of its steps. */
  readonly usage: ModelUsage | null;
  readonly error: string | null;
  readonly match: StepMatch | null;
  readonly screenshot: { readonly width: number; readonly height: number } | null;
  readonly pictureKey: string | null;
  readonly startedAt: string;
  readonly durationMs: number | null;
  readonly trail: StepTrail;
}

/** The state that a replay takes from step to step, so that it can go on in another instance. */
export interface StepTrail {
  /** The element of the trajectory, counted from 0; null for a step that is none. */
  readonly element: number | null;
  /** The element of the trajectory's reset, counted from 0; absent for a step of none. */
  readonly reset?: number;
  /** The last anchor's shift. */
  readonly movedBy: Shift;
  /** Parts of the recorded screen that are not compared any more. */
  readonly masks: readonly Rectangle[];
  /** Parts of the screen that are painted over in pictures. */
  readonly painted: readonly PaintedPart[];
  /** Cells of the screen's thumbnail that repairs changed, and that are not compared any more: base64. */
  readonly leftOut?: string;
  /** The last repair, until an element's screen was found after it. */
  readonly repair?: RepairTrail;
  /** The first piece of the last recorded screen that was not to be seen, counted from 0. */
  readonly missed?: number;
  /** Absent where the next element comes. */
  readonly next?: StepNext;
  readonly decided?: DecidedStep;
}

export interface RepairTrail {
  /** Cells that differed from what was recorded when it began, or that it has changed: base64. */
  readonly cells: string;
  /** How many of them differed while what the step acts on was to be seen all the same; null where it was not. */
  readonly differed: number | null;
  readonly hasActed: boolean;
  /** The repair has done the step itself, which the replay must not do again. */
  readonly isStepDone: boolean;
}

/** The facts of a step that the model's next call needs. */
export interface DecidedStep {
  /** The number of the reply in the assignment, counted from 1. */
  readonly turn: number;
  /** The places among the reply's calls, and among the call's actions. */
  readonly call: number;
  readonly action: number;
  readonly isChanged: boolean;
  /** The result has to be looked at. */
  readonly isBlind: boolean;
  /** The size of the step's picture; null where it has none. */
  readonly seen: Size | null;
}

/** A part of the screen that shows a secret, or several and what lies between. */
export interface PaintedPart extends Rectangle {
  /** The part stays for as long as the display has its size: a change within may be of what lies between. */
  readonly isJoined?: true;
}

/** The continuation after a step that is on record while its result is not: its function ended in between. */
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
