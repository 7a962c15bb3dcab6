import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";
import type { StepSource, StepStatus } from "../../vocabulary/run-steps.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ModelUsage } from "../model/language-models.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Rectangle, Shift, Size } from "../picture/picture.ts";

export interface StepMatch {
  readonly score: number;
  readonly secondBest: number;
  /** The shift from the recorded place, in pixels. */
  readonly movedBy: Shift;
  readonly waitedMs: number;
  /** Null means that the element was found. */
  readonly reason: string | null;
}

/** The number of a step within its attempt, from 1. */
export interface PlaceInAttempt {
  readonly step: number;
  /** The number of steps that the attempt may take. */
  readonly of: number;
  /** Both count elements of the trajectory that is replayed. */
  readonly ofElements?: true;
}

export interface RunStep {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  /** Steps are numbered from 1, over all attempts of the run. */
  readonly index: number;
  /** The run's attempt, which grows with each retry. */
  readonly attempt: number;
  /** Null means that a worker did the step. */
  readonly inAttempt: PlaceInAttempt | null;
  readonly assignmentId: string;
  readonly source: StepSource;
  /** The action with inputs filled in and secrets as `{$alias}`. */
  readonly action: JsonObject;
  readonly status: StepStatus;
  readonly text: string | null;
  /** The model that decided the step, by its provider's name for it. */
  readonly model: string | null;
  /** The usage of the call that decided the step; only the first step of a call has it. */
  readonly usage: ModelUsage | null;
  readonly error: string | null;
  readonly match: StepMatch | null;
  readonly screenshot: { readonly width: number; readonly height: number } | null;
  readonly pictureKey: string | null;
  readonly startedAt: string;
  readonly durationMs: number | null;
  readonly trail: StepTrail;
}

/** The state that a replay passes from step to step, so that it can continue in another instance. */
export interface StepTrail {
  /** The index of the trajectory's element, from 0; null for a step without one. */
  readonly element: number | null;
  /** The index of the reset's element, from 0; absent for a step outside the reset. */
  readonly reset?: number;
  /** The shift of the last anchor. */
  readonly movedBy: Shift;
  /** Parts of the recorded screen that are no longer compared. */
  readonly masks: readonly Rectangle[];
  /** Parts of the screen that are painted over in pictures. */
  readonly painted: readonly PaintedPart[];
  /** Cells of the screen's thumbnail that repairs changed, and that are no longer compared, in base64. */
  readonly leftOut?: string;
  /** The last repair, until an element's screen was found after it. */
  readonly repair?: RepairTrail;
  /** The index of the first piece of the last recorded screen that was not visible, from 0. */
  readonly missed?: number;
  /** Absent means that the next element follows. */
  readonly next?: StepNext;
  readonly decided?: DecidedStep;
  /** The stored picture from right before a person's step; other steps follow the picture of the step before. */
  readonly beforeKey?: string;
}

export interface RepairTrail {
  /** Cells that differed from the recording when the repair began, or that it has changed, in base64. */
  readonly cells: string;
  /** The number of differing cells while the step's target was nevertheless visible; null if it was not. */
  readonly differed: number | null;
  readonly hasActed: boolean;
  /** The repair has done the step itself, so the replay must not repeat it. */
  readonly isStepDone: boolean;
}

/** The facts of a step that the model's next call needs. */
export interface DecidedStep {
  /** The number of the reply in the assignment, from 1. */
  readonly turn: number;
  /** The indexes of the call within the reply, and of the action within the call. */
  readonly call: number;
  readonly action: number;
  readonly isChanged: boolean;
  /** The model must see the result. */
  readonly isBlind: boolean;
  /** The size of the step's picture, or null. */
  readonly seen: Size | null;
}

/** A part of the screen that shows a secret, or several with the space between them. */
export interface PaintedPart extends Rectangle {
  /** The part stays for as long as the display has its size, because a change within may be in the space between. */
  readonly isJoined?: true;
}

/** The continuation after a recorded step whose result is not recorded, because its function ended in between. */
export type StepNext =
  /** The element is repeated, because it was not done. */
  | { readonly kind: "again" }
  /** The next piece of the element's text follows. */
  | { readonly kind: "piece" }
  /** A model repairs the step until one of these elements' screens is visible, or continues alone. */
  | { readonly kind: "model"; readonly goals: readonly number[] | null }
  /** The replay continues at this element. */
  | { readonly kind: "replay"; readonly element: number }
  /** The trajectory starts again from its beginning. */
  | { readonly kind: "round"; readonly round: number }
  | { readonly kind: "end"; readonly errorCode: RunErrorCode };

/** A value that a step has saved under a name, for later steps. */
export interface SavedValue {
  readonly name: string;
  readonly value: Json;
}
