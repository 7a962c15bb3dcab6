import * as z from "zod";
import { attachmentTypes } from "../../vocabulary/runs.ts";
import { base64Content } from "../fields/base64.ts";
import { listOf, pageQuery, queryInt, refuse, Timestamp, Uuid } from "../fields/common.ts";
import { both, given, neither, refusing } from "../fields/exclusions.ts";
import { FileName, text } from "../fields/text.ts";
import { filesBytesMax } from "./file-inputs.ts";

/** Largest file sent with an upload, in bytes. */
const uploadBytesMax = 104_857_600;

export const AttachmentType = z.enum(attachmentTypes);

export const AttachmentPath = z.strictObject({ attachment_id: Uuid });

/** A MIME type, with parameters. */
const ContentType = z
  .string()
  .max(255)
  .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.+-]+=[\w.+"/:-]+)*$/);

const Content = base64Content(filesBytesMax, "; leave content out and use upload");

export const CreateAttachmentBody = z
  .strictObject({
    run_id: Uuid,
    attachment_type: AttachmentType,
    filename: FileName,
    /** Without it the response carries `upload`. */
    content: Content.optional(),
    size_bytes: z
      .int()
      .min(0)
      .max(uploadBytesMax)
      .optional()
      .describe("Of a file to be uploaded, required then: no other size is taken."),
    content_type: ContentType.default("application/octet-stream"),
    target_path: text(1, 1_024).optional(),
    cleanup_imports_after_run: z.boolean().default(false),
    expires_at: Timestamp.nullable()
      .optional()
      .describe(
        "Null: never. Left out: after the deployment's lifetime of attachments, 90 days unless it says otherwise.",
      ),
  })
  .superRefine((body, context) => {
    if ((body.content === undefined) !== (body.size_bytes === undefined)) return;
    const neither = body.content === undefined;
    const error = "size_bytes is of a file that is uploaded; leave it out beside content";
    refuse(context, {
      type: neither ? "missing" : "value_error",
      message: neither ? "Field required: content, or size_bytes of an upload" : `Value error, ${error}`,
      path: ["size_bytes"],
      ...(!neither && { ctx: { error } }),
    });
  })
  .meta(
    refusing(both(given("content"), given("size_bytes")), neither(given("content"), given("size_bytes"))),
  );
export type CreateAttachmentBody = z.infer<typeof CreateAttachmentBody>;

/** Null: it never expires. A timestamp in the past expires it at once. */
export const UpdateAttachmentBody = z.strictObject({ expires_at: Timestamp.nullable() });

export const AttachmentsQuery = z.strictObject({
  ...pageQuery,
  run_id: Uuid.optional(),
  attachment_type: AttachmentType.optional().describe("Only those of this type."),
});

export const DownloadUrlQuery = z.strictObject({ expires_in: queryInt(10, 3_600).default(300) });

export const RunAttachment = z.strictObject({
  id: z.uuid(),
  run_id: z.guid(),
  attachment_type: AttachmentType,
  filename: z.string(),
  content_type: z.string(),
  size_bytes: z.int().min(0),
  storage_path: z.string().describe("Where its bytes are kept; opaque, and never changed."),
  target_path: z.string().nullable(),
  /** Whether the file is removed from the desktop after the run. */
  cleanup_imports_after_run: z.boolean(),
  expires_at: z.iso.datetime().nullable(),
  user_id: z.guid(),
  organization_id: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type RunAttachment = z.infer<typeof RunAttachment>;

/** A presigned request: send it once, with its headers unchanged. */
export const AttachmentUpload = z.strictObject({
  url: z.url(),
  headers: z.record(z.string(), z.string()),
  expires_in: z.int(),
});

export const CreatedAttachment = RunAttachment.extend({ upload: AttachmentUpload.optional() });
export type CreatedAttachment = z.infer<typeof CreatedAttachment>;

export const AttachmentList = listOf(RunAttachment, z.never()).omit({ included: true });

export const DownloadUrl = z.strictObject({ url: z.url(), expires_in: z.int() });
