import type { Caller } from "../access/caller.ts";
import type { Edit } from "../entity/edition.ts";
import { hideEntity } from "../entity/hide-entity.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type ScheduleDeps, scheduleNotFound } from "./schedule-deps.ts";

/** Hides the schedule at once; the projector removes its files. Its runs stay. */
export async function deleteSchedule(
  deps: Pick<ScheduleDeps, "schedules" | "clock">,
  caller: Caller,
  { scheduleId: id, ifEdition }: Edit & { readonly scheduleId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (
    !(await hideEntity({ store: deps.schedules, clock: deps.clock }, caller, { id, ifEdition }, idempotency))
  )
    throw scheduleNotFound(id);
}
