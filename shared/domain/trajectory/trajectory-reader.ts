import type { Json } from "../json.ts";
import type { Dimensions } from "./trajectory.ts";
import type { ReplayableTrajectory, TrajectoryElement, TrajectoryScreens } from "./trajectory-element.ts";

export type ReadElement =
  | { readonly kind: "element"; readonly element: TrajectoryElement }
  | ({ readonly kind: "unreadable" } & ElementProblem);

export interface ElementProblem {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

export interface TrajectoryReader {
  readElement(value: Json): ReadElement;
  readScreens(stored: {
    readonly dimensions: Dimensions | null;
    readonly screens: Json;
  }): Omit<ReplayableTrajectory, "elements" | "reset"> & Pick<TrajectoryScreens, "reset">;
}
