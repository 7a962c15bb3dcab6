import { type Caller, requireScope } from "../access/caller.ts";
import { isoMoment } from "../clock.ts";
import type { Claim } from "../idempotency/claim.ts";
import { type AttachmentDeps, attachmentNotFound } from "./attachment-deps.ts";

/**
 * Hides the attachment at once, in one write; the stream's reader deletes its file (`finish-attachment-deletion.ts`).
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 * @throws {ClaimTaken}
 */
export async function deleteAttachment(
  deps: Pick<AttachmentDeps, "attachments" | "clock">,
  caller: Caller,
  input: { readonly attachmentId: string; readonly claim?: Claim | undefined },
): Promise<void> {
  requireScope(caller, "write");
  const { attachmentId, claim } = input;
  const deletedAt = isoMoment(deps.clock.now());
  if (await deps.attachments.markDeleted(caller.organizationId, attachmentId, deletedAt, claim)) return;
  throw attachmentNotFound(attachmentId);
}
