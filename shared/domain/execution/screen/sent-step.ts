import type { Picture } from "../../picture/picture.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { FilledAction } from "../step/fill-action.ts";

export interface SentStep {
  readonly element: TrajectoryElement;
  readonly step: RunStep;
  readonly filled: Pick<FilledAction, "isOwn" | "hasSecret" | "pieces">;
  /** The screen before it; undefined where that is not known any more. */
  readonly before: Picture | undefined;
  /** It is the stored one, on which secrets are painted over. */
  readonly isBeforeStored: boolean;
}
