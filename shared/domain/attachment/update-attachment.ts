import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { required } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Attachment } from "./attachment.ts";
import type { AttachmentDeps } from "./attachment-deps.ts";

/** A time in the past expires the attachment now. @throws {DomainError} `not_found` */
export async function updateAttachment(
  deps: Pick<AttachmentDeps, "attachments" | "clock">,
  caller: Caller,
  input: { readonly attachmentId: string; readonly expiresAt: string | null },
  idempotency?: Idempotency,
): Promise<Attachment> {
  requireScope(caller, "write");
  const { attachmentId, expiresAt } = input;
  const change = { expiresAt, updatedAt: isoTimestamp(deps.clock.now()) };
  const attachment = await deps.attachments.setExpiry(
    caller.organizationId,
    attachmentId,
    change,
    idempotency,
  );
  return required(attachment, "run attachment", attachmentId);
}
