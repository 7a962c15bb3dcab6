import type { Picture } from "../../picture/picture.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { FilledAction } from "../step/fill-action.ts";

export interface SentStep {
  readonly element: TrajectoryElement;
  readonly step: RunStep;
  readonly filled: Pick<FilledAction, "isOwn" | "hasSecret" | "pieces">;
  readonly before: Picture | undefined;
  /** The stored screen has secrets painted over. */
  readonly isBeforeStored: boolean;
}
