import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
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
  requireScope(caller, "write");
  const { attachmentId, idempotency } = input;
  const deletedAt = isoTimestamp(deps.clock.now());
  if (await deps.attachments.markDeleted(caller.organizationId, attachmentId, deletedAt, idempotency)) return;
  throw attachmentNotFound(attachmentId);
}
