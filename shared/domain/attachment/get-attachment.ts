import { type Caller, requireScope } from "../access/caller.ts";
import { type Attachment, isVisible } from "./attachment.ts";
import { type AttachmentDeps, attachmentNotFound } from "./attachment-deps.ts";

/** @throws {DomainError} `not_found`, also once it has expired. */
export async function getAttachment(
  deps: Pick<AttachmentDeps, "attachments" | "clock">,
  caller: Caller,
  input: { readonly attachmentId: string },
): Promise<Attachment> {
  requireScope(caller, "read");
  const attachment = await deps.attachments.find(caller.organizationId, input.attachmentId);
  if (attachment === undefined || !isVisible(attachment, deps.clock.now())) {
    throw attachmentNotFound(input.attachmentId);
  }
  return attachment;
}
