import type { Json, JsonObject } from "../../json.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { TrajectoryElement, TrajectoryScreens } from "../trajectory-element.ts";

export interface ApprovalSubject extends TrajectoryScreens {
  readonly data: readonly Json[];
  readonly originalInputValues: JsonObject | null;
}

/** The fields of a workflow that an approval goes by. */
export type JudgedWorkflow = Pick<Workflow, "allowShell" | "inputSchema">;

/** An element that can be read, with its place in `trajectory_data`, counted from 0. */
export interface PlacedElement {
  readonly at: number;
  readonly element: TrajectoryElement;
}

/** A trajectory and the workflow that it is to be approved for. */
export interface WarnedTrajectory {
  readonly elements: readonly PlacedElement[];
  /** Those that lead back to the first recorded screen. */
  readonly reset: readonly PlacedElement[];
  readonly subject: ApprovalSubject;
  readonly workflow: JudgedWorkflow;
}

/** Returns sentences for people; none where all is well. */
export type ApprovalWarner = (trajectory: WarnedTrajectory) => readonly string[];
