import type { Hono } from "hono";
import { runAttachmentOperations } from "../../shared/contract/operations/run-attachment-operations.ts";
import type { CreatedAttachment } from "../../shared/contract/run/run-attachment.ts";
import type { Attachment } from "../../shared/domain/attachment/attachment.ts";
import type { AttachmentDeps } from "../../shared/domain/attachment/attachment-deps.ts";
import {
  createAttachment,
  presignAttachmentUpload,
} from "../../shared/domain/attachment/create-attachment.ts";
import {
  downloadAttachment,
  getAttachment,
  linkToAttachment,
  listAttachments,
} from "../../shared/domain/attachment/read-attachments.ts";
import { updateAttachment } from "../../shared/domain/attachment/update-attachment.ts";
import { deleteAttachment } from "../../shared/domain/entity/delete-entity.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { given } from "../../shared/http/request/given.ts";
import { attachmentDisposition, presentAttachment } from "./present-attachment.ts";

export interface RunAttachmentsAppDeps extends HttpDeps, Pick<AttachmentDeps, "attachments" | "files"> {
  readonly attachmentDays: number;
}

export function createRunAttachmentsApp(deps: RunAttachmentsAppDeps): Hono<HttpEnv> {
  const present = (attachment: Attachment) => presentAttachment(deps.files, attachment);
  const withUpload = async (attachment: Attachment): Promise<CreatedAttachment> => {
    const { url, headers, expiresInSeconds } = await presignAttachmentUpload(deps, attachment);
    return { ...present(attachment), upload: { url, headers, expires_in: expiresInSeconds } };
  };

  return createCallersApp(deps, runAttachmentOperations, {
    listRunAttachments: async ({ caller, query }) => {
      const { skip, limit, run_id: runId, attachment_type: type } = query;
      const input = { filter: given({ runId, type }), page: { skip, limit } };
      const page = await listAttachments(deps, caller, input);
      return { items: page.items.map(present), total: page.total, skip, limit };
    },
    createRunAttachment: async ({ body, write }) => {
      const { content, filename } = body;
      const input = {
        runId: body.run_id,
        type: body.attachment_type,
        filename,
        contentType: body.content_type,
        targetPath: body.target_path ?? null,
        cleanupImportsAfterRun: body.cleanup_imports_after_run,
        expiresAt: body.expires_at,
        file: content === undefined ? { sizeBytes: body.size_bytes ?? 0 } : Buffer.from(content, "base64"),
      };
      const attachment = await write(createAttachment, input);
      return content === undefined ? withUpload(attachment) : present(attachment);
    },
    getRunAttachment: async ({ caller, path }) =>
      present(await getAttachment(deps, caller, { attachmentId: path.attachment_id })),
    updateRunAttachment: async ({ path, body, write }) => {
      const input = { attachmentId: path.attachment_id, expiresAt: body.expires_at };
      return present(await write(updateAttachment, input));
    },
    deleteRunAttachment: ({ path, write }) => write(deleteAttachment, { id: path.attachment_id }),
    downloadRunAttachment: async ({ c, caller, path }) => {
      const input = { attachmentId: path.attachment_id };
      const { attachment, download } = await downloadAttachment(deps, caller, input);
      if (download.kind === "link") return c.redirect(download.link.url, 307);
      return c.body(Uint8Array.from(download.bytes), 200, {
        "Content-Type": attachment.contentType,
        "Content-Disposition": attachmentDisposition(attachment.filename),
      });
    },
    getRunAttachmentDownloadUrl: async ({ caller, path, query }) => {
      const input = { attachmentId: path.attachment_id, expiresInSeconds: query.expires_in };
      const { url, expiresInSeconds } = await linkToAttachment(deps, caller, input);
      return { url, expires_in: expiresInSeconds };
    },
  });
}
