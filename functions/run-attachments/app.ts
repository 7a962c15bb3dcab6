import type { Hono } from "hono";
import {
  AttachmentPath,
  AttachmentsQuery,
  CreateAttachmentBody,
  type CreatedAttachment,
  DownloadUrlQuery,
  UpdateAttachmentBody,
} from "../../shared/contract/run-attachment.ts";
import type { Attachment } from "../../shared/domain/attachment/attachment.ts";
import type { AttachmentDeps } from "../../shared/domain/attachment/attachment-deps.ts";
import {
  createAttachment,
  presignAttachmentUpload,
} from "../../shared/domain/attachment/create-attachment.ts";
import { deleteAttachment } from "../../shared/domain/attachment/delete-attachment.ts";
import { downloadAttachment, linkToAttachment } from "../../shared/domain/attachment/download-attachment.ts";
import { getAttachment } from "../../shared/domain/attachment/get-attachment.ts";
import { listAttachments } from "../../shared/domain/attachment/list-attachments.ts";
import { updateAttachment } from "../../shared/domain/attachment/update-attachment.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import { given } from "../../shared/http/request/given.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import { attachmentDisposition, presentAttachment } from "./present-attachment.ts";

export interface RunAttachmentsAppDeps extends HttpDeps, Pick<AttachmentDeps, "attachments" | "files"> {}

/** Four megabytes in base64 and the rest of the body, inside the 6 MB that a Lambda takes. */
const bodyBytesMax = 5_900_000;

export function createRunAttachmentsApp(deps: RunAttachmentsAppDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  const one = "/v1/run-attachments/:attachment_id";
  app.use(authenticate(deps), limitRate(deps));

  const withUpload = async (attachment: Attachment): Promise<CreatedAttachment> => {
    const { url, headers, expiresInSeconds } = await presignAttachmentUpload(deps, attachment);
    return { ...presentAttachment(attachment), upload: { url, headers, expires_in: expiresInSeconds } };
  };

  app.get("/v1/run-attachments", async (c) => {
    const { query } = await readRequest(c, { query: AttachmentsQuery });
    const { skip, limit, run_id: runId, attachment_type: type } = query;
    const input = { filter: given({ runId, type }), page: { skip, limit } };
    const page = await listAttachments(deps, c.var.caller, input);
    return c.json({ items: page.items.map(presentAttachment), total: page.total, skip, limit });
  });

  app.post("/v1/run-attachments", async (c) => {
    const { body } = await readRequest(c, { body: CreateAttachmentBody, bodyBytesMax });
    const { content, filename } = body;
    const input = {
      runId: body.run_id,
      type: body.attachment_type,
      filename,
      contentType: body.content_type,
      targetPath: body.target_path ?? null,
      expiresAt: body.expires_at ?? null,
      ...(content === undefined ? {} : { content: Buffer.from(content, "base64") }),
      ...given({ sizeBytes: body.size }),
    };
    const work = (idempotency?: Idempotency) => createAttachment(deps, c.var.caller, input, idempotency);
    const attachment = await idempotent(c, deps, work, "transactional");
    const answer = content === undefined ? await withUpload(attachment) : presentAttachment(attachment);
    return c.json(answer, 201);
  });

  app.get(one, async (c) => {
    const { path } = await readRequest(c, { path: AttachmentPath });
    const input = { attachmentId: path.attachment_id };
    return c.json(presentAttachment(await getAttachment(deps, c.var.caller, input)));
  });

  app.put(one, async (c) => {
    const { path, body } = await readRequest(c, { path: AttachmentPath, body: UpdateAttachmentBody });
    const input = { attachmentId: path.attachment_id, expiresAt: body.expires_at };
    const work = (idempotency?: Idempotency) => updateAttachment(deps, c.var.caller, input, idempotency);
    return c.json(presentAttachment(await idempotent(c, deps, work, "transactional")));
  });

  app.delete(one, async (c) => {
    const { path } = await readRequest(c, { path: AttachmentPath });
    const input = { attachmentId: path.attachment_id };
    const work = (idempotency?: Idempotency) =>
      deleteAttachment(deps, c.var.caller, { ...input, idempotency });
    await idempotent(c, deps, work, "transactional");
    return c.body(null, 204);
  });

  app.get(`${one}/download`, async (c) => {
    const { path } = await readRequest(c, { path: AttachmentPath });
    const download = await downloadAttachment(deps, c.var.caller, { attachmentId: path.attachment_id });
    if (download.kind === "link") return c.redirect(download.link.url, 307);
    const { attachment, bytes } = download;
    return c.body(Uint8Array.from(bytes), 200, {
      "Content-Type": attachment.contentType,
      "Content-Disposition": attachmentDisposition(attachment.filename),
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    });
  });

  app.get(`${one}/download-url`, async (c) => {
    const { path, query } = await readRequest(c, { path: AttachmentPath, query: DownloadUrlQuery });
    const input = { attachmentId: path.attachment_id, expiresInSeconds: query.expires_in };
    const { url, expiresInSeconds } = await linkToAttachment(deps, c.var.caller, input);
    return c.json({ url, expires_in: expiresInSeconds });
  });

  return app;
}
