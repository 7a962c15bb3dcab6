import { forEachBounded } from "../bounded-parallel.ts";
import type { Clock } from "../clock.ts";
import { type DueStore, deletableKinds, type FinishDeletionDeps, finishDeletion } from "./deletions.ts";

const deletionsPerRun = 100;

/** The projector has this long to finish a deletion before the sweeper does. */
export const projectorGraceMs = 2 * 60_000;

export type FinishDueDeletionsDeps = FinishDeletionDeps & {
  readonly due: DueStore;
  readonly clock: Pick<Clock, "now">;
};

/** Finishes deletions that the projector failed to finish or never received. Returns their number. */
export async function finishDueDeletions(deps: FinishDueDeletionsDeps): Promise<number> {
  const untilMs = deps.clock.now() - projectorGraceMs - 1;
  let finished = 0;
  await forEachBounded(deletableKinds, async (kind) => {
    const overdue = await deps.due.listDeleted(kind, untilMs, deletionsPerRun);
    await forEachBounded(overdue, async ({ organizationId, id }) => {
      if (await finishDeletion(deps, kind, organizationId, id)) finished += 1;
    });
  });
  return finished;
}
