import type { AttachmentStore } from "../attachment/attachment-store.ts";
import { isoMoment, type Clock } from "../clock.ts";
import type { FileStore } from "../file-store.ts";
import { forEachBounded } from "./bounded-parallel.ts";
import { projectorGraceMs } from "./finish-due-deletions.ts";

export interface FinishAttachmentDeletionDeps {
  readonly attachments: Pick<AttachmentStore, "markDeleted" | "findDeleted" | "remove">;
  readonly files: Pick<FileStore, "attachmentKey" | "remove">;
  readonly clock: Pick<Clock, "now">;
}

/** Attachments looked at in one run of the sweeper. */
const attachmentsPerRun = 500;

/**
 * Deletes a file and then the rows that name it; again and again without harm.
 *
 * @returns false when there was nothing left to do.
 */
export async function finishAttachmentDeletion(
  deps: Pick<FinishAttachmentDeletionDeps, "attachments" | "files">,
  organizationId: string,
  attachmentId: string,
): Promise<boolean> {
  const attachment = await deps.attachments.findDeleted(organizationId, attachmentId);
  if (!attachment) return false;
  await deps.files.remove(deps.files.attachmentKey(organizationId, attachment.runId, attachmentId));
  await deps.attachments.remove(organizationId, attachmentId);
  return true;
}

/** The whole deletion of one that nobody asked to delete: its run is gone, or it has expired. */
export async function endAttachment(
  deps: FinishAttachmentDeletionDeps,
  organizationId: string,
  attachmentId: string,
): Promise<void> {
  const { clock } = deps;
  await deps.attachments.markDeleted(organizationId, attachmentId, isoMoment(clock.now()));
  await finishAttachmentDeletion(deps, organizationId, attachmentId);
}

export interface SweepAttachmentsDeps extends FinishAttachmentDeletionDeps {
  readonly attachments: FinishAttachmentDeletionDeps["attachments"] &
    Pick<AttachmentStore, "listExpired" | "listDeletedDue">;
}

/** Ends what has expired. @returns how many. */
export async function expireAttachments(deps: SweepAttachmentsDeps): Promise<number> {
  const expired = await deps.attachments.listExpired(deps.clock.now(), attachmentsPerRun);
  return await forEachBounded(expired, ({ organizationId, id }) => endAttachment(deps, organizationId, id));
}

/** Finishes the deletions that the projector gave up or never heard of. @returns how many. */
export async function finishDueAttachmentDeletions(deps: SweepAttachmentsDeps): Promise<number> {
  const due = await deps.attachments.listDeletedDue(attachmentsPerRun);
  const before = deps.clock.now() - projectorGraceMs;
  const overdue = due.filter(({ deletedAt }) => deletedAt !== null && Date.parse(deletedAt) < before);
  return await forEachBounded(overdue, async ({ organizationId, id }) => {
    await finishAttachmentDeletion(deps, organizationId, id);
  });
}
