import { type Caller, requireScope } from "../access/caller.ts";
import { ChangedTooOften } from "../changed-too-often.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { findTag, findTagGroup } from "./get-tag.ts";
import { attemptsMax, type TagDeps } from "./tag-deps.ts";

type DeleteDeps = Pick<TagDeps, "tags" | "clock">;

/**
 * Hides the tag at once, on workflows too, and frees its name: one read and one write. The stream's reader
 * (`finish-tag-deletion.ts`) removes it from the workflows.
 *
 * @throws {DomainError} `insufficient_scope`, `not_found`, or `service_unavailable` when it keeps changing.
 * @throws {AlreadyOnRecord}
 */
export async function deleteTag(
  deps: DeleteDeps,
  caller: Caller,
  input: { readonly tagId: string; readonly idempotency?: Idempotency | undefined },
): Promise<void> {
  requireScope(caller, "write");
  const deletedAt = isoTimestamp(deps.clock.now());
  await untilMarked("the workflow tag", async () => {
    const tag = await findTag(deps, caller.organizationId, input.tagId);
    return await deps.tags.markTagDeleted(tag, deletedAt, input.idempotency);
  });
}

/**
 * Hides the group at once and frees its name: one read and one write. Its tags have no group from then on; the stream's
 * reader (`finish-tag-deletion.ts`) removes the group's id from them.
 *
 * @throws {DomainError} `insufficient_scope`, `not_found`, or `service_unavailable` when it keeps changing.
 * @throws {AlreadyOnRecord}
 */
export async function deleteTagGroup(
  deps: DeleteDeps,
  caller: Caller,
  input: { readonly groupId: string; readonly idempotency?: Idempotency | undefined },
): Promise<void> {
  requireScope(caller, "write");
  const deletedAt = isoTimestamp(deps.clock.now());
  await untilMarked("the group of tags", async () => {
    const group = await findTagGroup(deps, caller.organizationId, input.groupId);
    return await deps.tags.markGroupDeleted(group, deletedAt, input.idempotency);
  });
}

/** @param mark reads and writes under the condition that nothing changed in between; false when something did. */
async function untilMarked(what: string, mark: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    if (await mark()) return;
  }
  throw new ChangedTooOften(what);
}
