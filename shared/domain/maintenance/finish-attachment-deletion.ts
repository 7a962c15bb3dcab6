import type { AttachmentStore } from "../attachment/attachment-store.ts";
import { forEachBounded } from "../bounded-parallel.ts";
import { type Clock, isoTimestamp } from "../clock.ts";
import type { FileStore } from "../file-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import { finishDeletionOf } from "./finish-deletion.ts";

export interface FinishAttachmentDeletionDeps {
  readonly attachments: Pick<AttachmentStore, "markDeleted" | "findDeleted" | "remove">;
  readonly files: Pick<FileStore, "attachmentKey" | "remove">;
  readonly clock: Pick<Clock, "now">;
}

export const attachmentsPerRun = 500;

export async function finishAttachmentDeletion(
  deps: Pick<FinishAttachmentDeletionDeps, "attachments" | "files">,
  organizationId: OrganizationId,
  attachmentId: string,
): Promise<boolean> {
  return await finishDeletionOf(deps.attachments, organizationId, attachmentId, async ({ runId }) => {
    await deps.files.remove(deps.files.attachmentKey(organizationId, runId, attachmentId));
  });
}

/** Marks and finishes a deletion that nobody requested: the run is gone or the attachment has expired. */
export async function endAttachment(
  deps: FinishAttachmentDeletionDeps,
  organizationId: OrganizationId,
  attachmentId: string,
): Promise<void> {
  const { clock } = deps;
  await deps.attachments.markDeleted(organizationId, attachmentId, isoTimestamp(clock.now()));
  await finishAttachmentDeletion(deps, organizationId, attachmentId);
}

export interface ExpireAttachmentsDeps extends FinishAttachmentDeletionDeps {
  readonly attachments: FinishAttachmentDeletionDeps["attachments"] & Pick<AttachmentStore, "listExpired">;
}

export async function expireAttachments(deps: ExpireAttachmentsDeps): Promise<number> {
  const expired = await deps.attachments.listExpired(deps.clock.now(), attachmentsPerRun);
  return await forEachBounded(expired, ({ organizationId, id }) => endAttachment(deps, organizationId, id));
}

export interface SettleUploadsDeps extends FinishAttachmentDeletionDeps {
  readonly attachments: FinishAttachmentDeletionDeps["attachments"] &
    Pick<AttachmentStore, "listDueUploads" | "settleUpload">;
  readonly files: FinishAttachmentDeletionDeps["files"] & Pick<FileStore, "has">;
}

/** Deletes attachments whose file was never uploaded, a day after they were created. */
export async function settleUploads(deps: SettleUploadsDeps): Promise<number> {
  const due = await deps.attachments.listDueUploads(deps.clock.now(), attachmentsPerRun);
  return await forEachBounded(due, async ({ organizationId, runId, attachmentId }) => {
    const key = deps.files.attachmentKey(organizationId, runId, attachmentId);
    // The attachment is deleted first: after an interruption the upload is still due.
    if (!(await deps.files.has(key))) await endAttachment(deps, organizationId, attachmentId);
    await deps.attachments.settleUpload(organizationId, attachmentId);
  });
}
