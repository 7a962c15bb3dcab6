import type { OrganizationId } from "../organization-id.ts";
import type { ScheduleStore } from "../schedule/schedule-store.ts";
import { removeSpilled, type SpillDeps } from "../spill.ts";
import { finishDeletionOf } from "./finish-deletion.ts";

export interface FinishScheduleDeletionDeps extends SpillDeps {
  readonly schedules: Pick<ScheduleStore, "findDeleted" | "remove">;
}

export async function finishScheduleDeletion(
  deps: FinishScheduleDeletionDeps,
  organizationId: OrganizationId,
  scheduleId: string,
): Promise<boolean> {
  return await finishDeletionOf(deps.schedules, organizationId, scheduleId, async ({ contents }) => {
    await removeSpilled(deps, [contents]);
  });
}
