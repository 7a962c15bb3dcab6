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
  { attachmentId: id }: { readonly attachmentId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (!(await hideEntity({ store: deps.attachments, clock: deps.clock }, caller, { id }, idempotency)))
    throw attachmentNotFound(id);
}
