import type { Caller } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { PresignedRequest } from "../file-store.ts";
import type { Attachment } from "./attachment.ts";
import type { AttachmentDeps } from "./attachment-deps.ts";
import { getAttachment } from "./get-attachment.ts";

type DownloadDeps = Pick<AttachmentDeps, "attachments" | "clock" | "files">;

/** Maximum returned inline, in bytes; larger files need a link. */
export const downloadBytesMax = 4_194_304;

/** Default lifetime of a link, in seconds. */
export const linkSeconds = 300;

export type Download =
  | { readonly kind: "bytes"; readonly attachment: Attachment; readonly bytes: Uint8Array }
  | { readonly kind: "link"; readonly link: PresignedRequest };

/** @throws {DomainError} `insufficient_scope`, or `not_found`, also before anything is uploaded. */
export async function downloadAttachment(
  deps: DownloadDeps,
  caller: Caller,
  input: { readonly attachmentId: string },
): Promise<Download> {
  const attachment = await getAttachment(deps, caller, input);
  const key = keyOf(deps, attachment);
  const size = await deps.files.size(key);
  if (size !== undefined && size > downloadBytesMax) {
    return { kind: "link", link: await presign(deps, attachment, linkSeconds) };
  }
  const bytes = size === undefined ? undefined : await deps.files.get(key, downloadBytesMax);
  if (bytes === undefined) throw notUploaded(attachment.id);
  return { kind: "bytes", attachment, bytes };
}

/** @throws {DomainError} `insufficient_scope`, or `not_found`, also before anything is uploaded. */
export async function linkToAttachment(
  deps: DownloadDeps,
  caller: Caller,
  input: { readonly attachmentId: string; readonly expiresInSeconds?: number | undefined },
): Promise<PresignedRequest> {
  const attachment = await getAttachment(deps, caller, input);
  if ((await deps.files.size(keyOf(deps, attachment))) === undefined) throw notUploaded(attachment.id);
  return await presign(deps, attachment, input.expiresInSeconds ?? linkSeconds);
}

function keyOf(deps: DownloadDeps, { organizationId, runId, id }: Attachment): string {
  return deps.files.attachmentKey(organizationId, runId, id);
}

async function presign(deps: DownloadDeps, attachment: Attachment, expiresInSeconds: number) {
  const options = { expiresInSeconds, filename: attachment.filename };
  return await deps.files.presignGet(keyOf(deps, attachment), options);
}

function notUploaded(attachmentId: string): DomainError {
  return new DomainError("not_found", `nothing has been uploaded for the run attachment ${attachmentId} yet`);
}
