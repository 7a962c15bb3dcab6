import { heavyPageBytesMax } from "../../vocabulary/table.ts";
import { forEachBounded } from "../bounded-parallel.ts";
import { DomainError } from "../errors.ts";
import { type Json, jsonBytes } from "../json.ts";
import { type Spilled, unspill } from "../spill.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { Trajectory } from "./trajectory.ts";
import type { TrajectoryDeps } from "./trajectory-deps.ts";
import type { TrajectoryScreens } from "./trajectory-element.ts";

type ReadDeps = { readonly trajectories: Pick<TrajectoryDeps["trajectories"], "find"> } & Pick<
  TrajectoryDeps,
  "files" | "clock"
>;

export interface TrajectoryContent {
  readonly data: readonly Json[] | null;
  readonly screens: TrajectoryScreens | null;
}

const noScreens: TrajectoryScreens = { expect: [], checks: [], reset: [] };

export interface WantedContent {
  readonly withData: boolean;
  readonly withScreens: boolean;
}

/** Null means that the trajectory is gone, as a repeated request may find. */
export async function readContent(
  deps: ReadDeps,
  trajectory: Trajectory,
  { withData, withScreens }: WantedContent = { withData: true, withScreens: true },
): Promise<TrajectoryContent | null> {
  return await untilWritten<Trajectory | undefined, TrajectoryContent | null>(deps, {
    what: "the trajectory",
    // A lost object stays lost, however often it is read.
    attemptsMax: 4,
    first: trajectory,
    read: () => deps.trajectories.find(trajectory.organizationId, trajectory.id),
    decide: async (current) => {
      if (current === undefined) return null;
      const [data, screens] = await Promise.all([
        withData ? unspill(deps, current.data) : null,
        withScreens ? unspill(deps, current.screens) : null,
      ]);
      const isWhole =
        (!withData || data !== null) && (!withScreens || screens !== null || current.screens === null);
      if (!isWhole) return overtaken;
      return {
        data: data as readonly Json[] | null,
        // The operations have validated the content.
        screens: withScreens ? ((screens as TrajectoryScreens | null) ?? noScreens) : null,
      };
    },
  });
}

/** @throws {DomainError} `answer_too_large` before any of it is read. */
export async function readContentOfAll(
  deps: ReadDeps,
  trajectories: readonly Trajectory[],
  wanted: WantedContent,
): Promise<readonly (TrajectoryContent | null)[]> {
  // A list leaves unwanted fields out of the entities.
  const bytes = trajectories.reduce((sum, { data, screens }) => sum + bytesOf(data) + bytesOf(screens), 0);
  if (bytes > heavyPageBytesMax) {
    throw new DomainError(
      "answer_too_large",
      `the trajectories of this page have ${bytes} bytes; request fewer with a lower limit`,
      { details: { bytes_max: heavyPageBytesMax } },
    );
  }
  const found: (TrajectoryContent | null)[] = trajectories.map(() => null);
  await forEachBounded([...trajectories.entries()], async ([index, trajectory]) => {
    found[index] = await readContent(deps, trajectory, wanted);
  });
  return found;
}

export interface ListedTrajectory {
  readonly trajectory: Trajectory;
  /** Null means that the data is left out. */
  readonly data: readonly Json[] | null;
}

const listedBytesMax = 4_194_304;

/** Leaves out data that is not in its row, or does not fit. */
export function listedData(trajectories: readonly Trajectory[]): readonly ListedTrajectory[] {
  let left = listedBytesMax;
  return trajectories.map((trajectory) => {
    const { data } = trajectory;
    if (data?.kind !== "inline") return { trajectory, data: null };
    left -= jsonBytes(data.value);
    return { trajectory, data: left < 0 ? null : (data.value as readonly Json[]) };
  });
}

function bytesOf(data: Spilled | null): number {
  if (data === null) return 0;
  return data.kind === "object" ? data.bytes : jsonBytes(data.value);
}
