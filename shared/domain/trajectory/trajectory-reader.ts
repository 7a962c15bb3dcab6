import type { Json } from "../json.ts";
import type { Dimensions } from "./trajectory.ts";
import type { ReplayableTrajectory, TrajectoryElement, TrajectoryScreens } from "./trajectory-element.ts";

export type ReadElement =
  | { readonly kind: "element"; readonly element: TrajectoryElement }
  | ({ readonly kind: "unreadable" } & ElementProblem);

export interface ElementProblem {
  /** Within the element. */
  readonly path: readonly (string | number)[];
  /** Why it cannot be replayed, for people; names the path. */
  readonly reason: string;
}

/** Reads what clients have sent as a trajectory: any JSON. */
export interface TrajectoryReader {
  readElement(value: Json): ReadElement;
  /** Reads the data beside the elements. */
  readScreens(stored: {
    readonly dimensions: Dimensions | null;
    /** `TrajectoryScreens`. */
    readonly screens: Json;
  }): Omit<ReplayableTrajectory, "elements" | "reset"> & Pick<TrajectoryScreens, "reset">;
}
