import { type Caller, requireScope } from "../access/caller.ts";
import { downloadFile, type FileDownload, linkSeconds } from "../download-file.ts";
import { notFound } from "../entity/not-found.ts";
import { DomainError } from "../errors.ts";
import type { PresignedRequest } from "../file-store.ts";
import type { Page, PageRequest } from "../page.ts";
import { type Attachment, isVisible } from "./attachment.ts";
import type { AttachmentDeps } from "./attachment-deps.ts";
import type { AttachmentFilter } from "./attachment-store.ts";

/** @throws {DomainError} `not_found`, also for an expired attachment. */
export async function getAttachment(
  deps: Pick<AttachmentDeps, "attachments" | "clock">,
  caller: Caller,
  input: { readonly attachmentId: string },
): Promise<Attachment> {
  requireScope(caller, "read");
  const attachment = await deps.attachments.find(caller.organizationId, input.attachmentId);
  if (attachment === undefined || !isVisible(attachment, deps.clock.now())) {
    throw notFound("run attachment", input.attachmentId);
  }
  return attachment;
}

export async function listAttachments(
  deps: Pick<AttachmentDeps, "attachments" | "clock">,
  caller: Caller,
  input: { readonly filter: AttachmentFilter; readonly page: PageRequest },
): Promise<Page<Attachment>> {
  requireScope(caller, "read");
  return await deps.attachments.list(caller.organizationId, input.filter, input.page, deps.clock.now());
}

type DownloadDeps = Pick<AttachmentDeps, "attachments" | "clock" | "files">;

/** @throws {DomainError} `not_found`, also before anything is uploaded. */
export async function downloadAttachment(
  deps: DownloadDeps,
  caller: Caller,
  input: { readonly attachmentId: string },
): Promise<{ readonly attachment: Attachment; readonly download: FileDownload }> {
  const attachment = await getAttachment(deps, caller, input);
  const { filename } = attachment;
  const download = await downloadFile(deps.files, objectKeyOf(deps, attachment), { filename });
  if (download === undefined) throw notUploaded(attachment.id);
  return { attachment, download };
}

/** @throws {DomainError} `not_found`, also before anything is uploaded. */
export async function linkToAttachment(
  deps: DownloadDeps,
  caller: Caller,
  input: { readonly attachmentId: string; readonly expiresInSeconds?: number | undefined },
): Promise<PresignedRequest> {
  const attachment = await getAttachment(deps, caller, input);
  if ((await deps.files.size(objectKeyOf(deps, attachment))) === undefined) throw notUploaded(attachment.id);
  const { expiresInSeconds = linkSeconds } = input;
  const { filename } = attachment;
  return await deps.files.presignGet(objectKeyOf(deps, attachment), { expiresInSeconds, filename });
}

function objectKeyOf(deps: DownloadDeps, { organizationId, runId, id }: Attachment): string {
  return deps.files.attachmentKey(organizationId, runId, id);
}

function notUploaded(attachmentId: string): DomainError {
  return new DomainError("not_found", `nothing has been uploaded for the run attachment ${attachmentId} yet`);
}
