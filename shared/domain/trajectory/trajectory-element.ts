import type { ElementDecider } from "../../vocabulary/trajectories.ts";
import { type Action, isKeyboard, isPointing, pointOf } from "../action/action.ts";
import type { Json } from "../json.ts";
import type { Rectangle } from "../picture/picture.ts";

/** The place is that of the upper left corner; the PNG is in base64. */
export interface RecordedPiece {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly png: string;
  /** The whole screen before the action: 64 x 40, PNG in base64. */
  readonly thumbnail?: string | undefined;
}

/** The piece must be visible before a key is pressed, or at a click's point if the anchor is beside it. */
export interface RecordedGuard extends RecordedPiece {
  /** One byte for each cell of the thumbnail, in base64: the largest difference that the cell may show. */
  readonly bounds?: string | undefined;
}

/** A step of a recording, whose picture shows the screen on which an element is done. */
export interface RecordedScreen {
  readonly recordingId: string;
  readonly index: number;
}

export interface TrajectoryElement {
  readonly action: Action;
  /** A model uses the action's `target` to decide. */
  readonly by: ElementDecider;
  readonly anchor?: RecordedPiece | undefined;
  readonly guard?: RecordedGuard | undefined;
  /** This part shows text with values of the run, which is not compared. */
  readonly changed?: Rectangle | undefined;
  /** An optional element is left out if a later one can already be done. */
  readonly optional?: boolean | undefined;
  /** The text was on a recorded screen, so other inputs make another text. */
  readonly isFromScreen?: boolean | undefined;
  /** The kept picture that another anchor can be cut from. */
  readonly screen?: RecordedScreen | undefined;
  readonly timeoutMs: number;
}

export type TrajectoryCheck =
  | { readonly kind: "sentence"; readonly text: string }
  | { readonly kind: "file"; readonly path: string };

interface TrajectoryOutcome {
  readonly expect: readonly RecordedPiece[];
  readonly checks: readonly TrajectoryCheck[];
}

export interface TrajectoryScreens extends TrajectoryOutcome {
  readonly reset: readonly Json[];
  /** Absent means unknown. */
  readonly endsElsewhere?: boolean;
  /** The number of steps to the first recorded screen that cannot be in a reset; absent means none. */
  readonly resetLacks?: number;
}

export interface ReplayableTrajectory extends TrajectoryOutcome {
  readonly elements: readonly TrajectoryElement[];
  /** @default the first of the elements */
  readonly start?: TrajectoryElement;
  /** @default none */
  readonly reset?: readonly TrajectoryElement[];
  /** The size is in the display's own units; `scale` is the number of a picture's pixels per unit. */
  readonly dimensions: { readonly width: number; readonly height: number; readonly scale: number } | null;
}

export function needsScreen({ by, action }: TrajectoryElement): boolean {
  return by !== "model" && hasScreen(action);
}

/** An action at the pointer's current place needs no screen. */
export function hasScreen(action: Action): boolean {
  return isKeyboard(action) || (isPointing(action) && pointOf(action) !== undefined);
}
