import { type Caller, requireScope } from "../access/caller.ts";
import { type Clock, isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Edit } from "./edition.ts";
import type { EntityStore } from "./entity-store.ts";
import { type Noun, notFound } from "./not-found.ts";

/**
 * Returns the verb that hides an entity in one write; `finishDeletion` removes what belongs to it in the background.
 *
 * The verb throws `DomainError` `insufficient_scope`, `not_found` or `changed_meanwhile`, and `AlreadyOnRecord`.
 */
function deleting<StoreName extends string>(storeName: StoreName, noun: Noun) {
  return async (
    deps: { readonly [Name in StoreName]: Pick<EntityStore<unknown>, "markDeleted"> } & {
      readonly clock: Pick<Clock, "now">;
    },
    caller: Caller,
    { id, ...edit }: Edit & { readonly id: string },
    idempotency?: Idempotency,
  ): Promise<void> => {
    requireScope(caller, "write");
    const deletedAt = isoTimestamp(deps.clock.now());
    const store = deps[storeName];
    if (!(await store.markDeleted(caller.organizationId, id, deletedAt, idempotency, edit))) {
      throw notFound(noun, id);
    }
  };
}

// Marked as pure, so that a bundle has only those that it calls.
export const deleteAttachment = /* @__PURE__ */ deleting("attachments", "run attachment");
export const deleteMachine = /* @__PURE__ */ deleting("machines", "machine");
export const deletePool = /* @__PURE__ */ deleting("pools", "pool");
export const deleteRun = /* @__PURE__ */ deleting("runs", "run");
export const deleteSchedule = /* @__PURE__ */ deleting("schedules", "schedule");
export const deleteTrajectory = /* @__PURE__ */ deleting("trajectories", "trajectory");
export const deleteWorkflow = /* @__PURE__ */ deleting("workflows", "workflow");
