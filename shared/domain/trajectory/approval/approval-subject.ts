import type { Json, JsonObject } from "../../json.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { TrajectoryElement, TrajectoryScreens } from "../trajectory-element.ts";

export interface ApprovalSubject extends TrajectoryScreens {
  readonly data: readonly Json[];
  readonly originalInputValues: JsonObject | null;
}

export type JudgedWorkflow = Pick<Workflow, "allowShell" | "inputSchema">;

/** Counted from 0 in `trajectory_data`. */
export interface PlacedElement {
  readonly at: number;
  readonly element: TrajectoryElement;
}

export interface WarnedTrajectory {
  readonly elements: readonly PlacedElement[];
  readonly reset: readonly PlacedElement[];
  readonly subject: ApprovalSubject;
  readonly workflow: JudgedWorkflow;
}

/** The sentences are for people. */
export type ApprovalWarner = (trajectory: WarnedTrajectory) => readonly string[];
