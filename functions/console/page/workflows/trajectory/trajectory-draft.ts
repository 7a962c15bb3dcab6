import type {
  Trajectory,
  UpdateTrajectoryBody,
} from "../../../../../shared/contract/trajectory/trajectory.ts";
import { dataOf, type EditedElement, editedOf } from "./edit-elements.ts";

/** What is edited of a trajectory and not saved yet. */
export interface TrajectoryDraft {
  readonly elements: readonly EditedElement[];
  readonly expect: NonNullable<Trajectory["expect"]>;
  readonly checks: NonNullable<Trajectory["checks"]>;
  /** Values that the recording had of inputs that texts were turned into. */
  readonly recorded: Readonly<Record<string, unknown>>;
  readonly name: string;
}

export function draftOf(trajectory: Trajectory): TrajectoryDraft {
  return {
    elements: editedOf(trajectory.trajectory_data ?? []),
    expect: trajectory.expect ?? [],
    checks: trajectory.checks ?? [],
    recorded: {},
    name: trajectory.name,
  };
}

/** Only what differs from what is saved; undefined if nothing does. */
export function changesOf(trajectory: Trajectory, draft: TrajectoryDraft): UpdateTrajectoryBody | undefined {
  const saved = draftOf(trajectory);
  const data = dataOf(draft.elements);
  const body = {
    ...(differ(data, trajectory.trajectory_data) && { trajectory_data: data }),
    ...(differ(draft.expect, saved.expect) && { expect: draft.expect }),
    ...(differ(draft.checks, saved.checks) && { checks: draft.checks }),
    ...(draft.name !== saved.name && { name: draft.name }),
    ...(Object.keys(draft.recorded).length > 0 && {
      original_input_values: { ...trajectory.original_input_values, ...draft.recorded },
    }),
  };
  return Object.keys(body).length === 0 ? undefined : (body as UpdateTrajectoryBody);
}

function differ(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
