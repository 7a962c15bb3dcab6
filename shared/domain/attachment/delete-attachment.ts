import type { Caller } from "../access/caller.ts";
import { hideEntity } from "../entity/hide-entity.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type AttachmentDeps, attachmentNotFound } from "./attachment-deps.ts";

/** Hides the attachment at once; the projector deletes its file. */
export async function deleteAttachment(
  deps: Pick<AttachmentDeps, "attachments" | "clock">,
  caller: Caller,
  { attachmentId: id }: { readonly attachmentId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (!(await hideEntity({ store: deps.attachments, clock: deps.clock }, caller, { id }, idempotency)))
    throw attachmentNotFound(id);
}
