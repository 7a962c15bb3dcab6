import type { TrajectoryElement } from "../trajectory-element.ts";
import type { ApprovalSubject, JudgedWorkflow } from "./approval-problems.ts";
import { unknownNames } from "./unknown-names.ts";

/** An element that can be read, with its place in `trajectory_data`, counted from 0. */
export interface PlacedElement {
  readonly at: number;
  readonly element: TrajectoryElement;
}

/** A trajectory and the workflow that it is to be approved for. */
export interface WarnedTrajectory {
  readonly elements: readonly PlacedElement[];
  readonly subject: ApprovalSubject;
  readonly workflow: JudgedWorkflow;
}

/** Returns sentences for people; none where all is well. */
export type ApprovalWarner = (trajectory: WarnedTrajectory) => readonly string[];

/** The first ones are shown where there are too many. */
const warners: readonly ApprovalWarner[] = [unknownNames];

/** Returns what may be wrong with a trajectory that can be replayed, each once. */
export function approvalWarnings(trajectory: WarnedTrajectory): readonly string[] {
  return [...new Set(warners.flatMap((warner) => warner(trajectory)))];
}
