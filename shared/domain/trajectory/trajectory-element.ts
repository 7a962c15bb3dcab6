import type { ElementDecider } from "../../vocabulary/trajectories.ts";
import type { Action } from "../action/action.ts";
import type { Json } from "../json.ts";
import type { Rectangle } from "../picture/picture.ts";

/** A piece of the recorded screen: where its upper left corner was, and its PNG in base64. */
export interface RecordedPiece {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly png: string;
  /** The whole screen before the action: 64 x 40, PNG in base64. */
  readonly thumbnail?: string | undefined;
}

/** The piece that must be seen before a key is pressed, or at a click's point, where the anchor lies beside it. */
export interface RecordedGuard extends RecordedPiece {
  /** For each cell of the thumbnail the largest difference that it may have: bytes in base64. */
  readonly bounds?: string | undefined;
}

/** One step of a trajectory that the service can replay. */
export interface TrajectoryElement {
  readonly action: Action;
  /** `model`: decided by one from the action's `target`. */
  readonly by: ElementDecider;
  readonly anchor?: RecordedPiece | undefined;
  readonly guard?: RecordedGuard | undefined;
  /** The part of the recorded screen that it changed; not compared after what typed values of the run. */
  readonly changed?: Rectangle | undefined;
  /** Whether it is left out where what comes after it can be done already. */
  readonly optional?: boolean | undefined;
  /** Whether the text that it types stood on a recorded screen before: with other inputs it is another one. */
  readonly isFromScreen?: boolean | undefined;
  /** How long its screen is waited for. */
  readonly timeoutMs: number;
}

/** A check of a replay's result, besides the last screen. */
export type TrajectoryCheck =
  /** A sentence for a model to judge on the last picture. */
  | { readonly kind: "sentence"; readonly text: string }
  /** A file that must be there. */
  | { readonly kind: "file"; readonly path: string };

/** The signs of the result. */
interface TrajectoryOutcome {
  /** Pieces of the last screen. */
  readonly expect: readonly RecordedPiece[];
  readonly checks: readonly TrajectoryCheck[];
}

/** The data beside the elements. */
export interface TrajectoryScreens extends TrajectoryOutcome {
  /** Elements that lead back to the first recorded screen, as sent. */
  readonly reset: readonly Json[];
  /** Whether the last screen of the recording was another one than its first; absent where that is not known. */
  readonly endsElsewhere?: boolean;
  /** Steps with which a model reached the first recorded screen, and which the reset cannot have; absent: none. */
  readonly resetLacks?: number;
}

/** A whole trajectory as a replay uses it. */
export interface ReplayableTrajectory extends TrajectoryOutcome {
  readonly elements: readonly TrajectoryElement[];
  /** To whose screen the reset leads. @default the first of the elements */
  readonly start?: TrajectoryElement;
  /** @default none */
  readonly reset?: readonly TrajectoryElement[];
  /** The display's size in its own units; `scale` is the number of a picture's pixels for each. */
  readonly dimensions: { readonly width: number; readonly height: number; readonly scale: number } | null;
}
