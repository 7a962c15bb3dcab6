import type { Caller } from "../access/caller.ts";
import { hideEntity } from "../entity/hide-entity.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type AttachmentDeps, attachmentNotFound } from "./attachment-deps.ts";

/**
 * Hides the attachment at once, in one write; the stream's reader deletes its file (`finish-attachment-deletion.ts`).
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 * @throws {AlreadyOnRecord}
 */
export async function deleteAttachment(
  deps: Pick<AttachmentDeps, "attachments" | "clock">,
  caller: Caller,
  input: { readonly attachmentId: string; readonly idempotency?: Idempotency | undefined },
): Promise<void> {
  const { attachmentId: id, idempotency } = input;
  if (!(await hideEntity(deps.attachments, deps.clock, caller, { id, idempotency })))
    throw attachmentNotFound(id);
}
