import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { WantedContent } from "./read-data.ts";
import type { Trajectory } from "./trajectory.ts";
import type { TrajectoryDeps } from "./trajectory-deps.ts";
import type { TrajectoryFilter } from "./trajectory-store.ts";

export interface ListTrajectoriesInput {
  readonly filter: TrajectoryFilter;
  /** Every trajectory has its data, and is generated for that. */
  readonly isGenerated: boolean | undefined;
  readonly page: PageRequest;
  readonly wanted: WantedContent;
}

/** @throws {DomainError} `insufficient_scope` or `search_too_broad`. */
export async function listTrajectories(
  deps: Pick<TrajectoryDeps, "trajectories">,
  caller: Caller,
  { filter, isGenerated, page, wanted }: ListTrajectoriesInput,
): Promise<Page<Trajectory>> {
  requireScope(caller, "read");
  if (isGenerated === false) return { items: [], total: 0 };
  return await deps.trajectories.list(caller.organizationId, filter, page, wanted);
}
