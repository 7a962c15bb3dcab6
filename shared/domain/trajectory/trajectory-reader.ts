import type { Json } from "../json.ts";
import type { ReplayableTrajectory, TrajectoryElement } from "./trajectory-element.ts";

export type ReadElement =
  | { readonly kind: "element"; readonly element: TrajectoryElement }
  /** Why it cannot be replayed, for people. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Reads what clients have sent as a trajectory: any JSON. */
export interface TrajectoryReader {
  readElement(value: Json): ReadElement;
  /** Of what is stored beside the elements. */
  readScreens(stored: {
    readonly dimensions: Json;
    /** `{expect, checks}`. */
    readonly screens: Json;
  }): Omit<ReplayableTrajectory, "elements">;
}
