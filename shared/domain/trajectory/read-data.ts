import { ChangedTooOften } from "../changed-too-often.ts";
import { DomainError } from "../errors.ts";
import { type Json, jsonBytes } from "../json.ts";
import { forEachBounded } from "../maintenance/bounded-parallel.ts";
import { type Spilled, unspill } from "../spill.ts";
import type { Trajectory } from "./trajectory.ts";
import type { TrajectoryDeps } from "./trajectory-deps.ts";

type ReadDeps = { readonly trajectories: Pick<TrajectoryDeps["trajectories"], "find"> } & Pick<
  TrajectoryDeps,
  "files"
>;

/** Total data of one list, in bytes of JSON: what one response may hold. */
const listBytesMax = 5_000_000;

/** Data may be replaced while it is being read; then it is looked up again. */
const attemptsMax = 4;

/**
 * A trajectory's data, or what has replaced it since the trajectory was read; null when the trajectory is gone, which a
 * repeated request may find.
 */
export async function readData(deps: ReadDeps, trajectory: Trajectory): Promise<readonly Json[] | null> {
  let { data } = trajectory;
  for (let attempt = 1; ; attempt += 1) {
    const value = await unspill(deps, data);
    // Always written as an array.
    if (value !== null) return value as readonly Json[];
    const current = await deps.trajectories.find(trajectory.organizationId, trajectory.id);
    if (current === undefined) return null;
    if (attempt === attemptsMax) throw new ChangedTooOften("the trajectory");
    data = current.data;
  }
}

/**
 * The data of many trajectories, in order.
 *
 * @throws {DomainError} `answer_too_large` before any of it is read.
 */
export async function readDataOfAll(
  deps: ReadDeps,
  trajectories: readonly Trajectory[],
): Promise<readonly (readonly Json[] | null)[]> {
  const bytes = trajectories.reduce((sum, { data }) => sum + bytesOf(data), 0);
  if (bytes > listBytesMax) {
    throw new DomainError(
      "answer_too_large",
      `the trajectory_data of this page has ${bytes} bytes; request fewer with a lower limit`,
      { details: { bytes_max: listBytesMax } },
    );
  }
  const found: (readonly Json[] | null)[] = trajectories.map(() => null);
  await forEachBounded([...trajectories.entries()], async ([index, trajectory]) => {
    found[index] = await readData(deps, trajectory);
  });
  return found;
}

function bytesOf(data: Spilled | null): number {
  if (data === null) return 0;
  return data.kind === "object" ? data.bytes : jsonBytes(data.value);
}
