import * as z from "zod";
import { attachmentTypes, filesBytesMax } from "../../vocabulary/files.ts";
import { base64Content } from "../fields/base64.ts";
import { OrganizationId, pageOf, pageQuery, queryInt, refuse, Timestamp, Uuid } from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { both, has, neither, refusing } from "../fields/exclusions.ts";
import { anyOf } from "../fields/query-values.ts";
import { FileName, name } from "../fields/text.ts";

const uploadBytesMax = 104_857_600;

export const AttachmentType = z
  .enum(attachmentTypes)
  .describe("The use of a run's file: `input` goes into the run, `output` comes out of it.");

const ContentType = z
  .string()
  .max(255)
  .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.+-]+=[\w.+"/:-]+)*$/);

const Content = base64Content(filesBytesMax, "; leave content out and use upload");

export const CreateAttachmentBody = z
  .strictObject({
    run_id: Uuid.describe("The run to attach the file to."),
    attachment_type: AttachmentType.describe("The file's use: it goes into the run or comes out of it."),
    filename: FileName.describe("The file's name, without a path."),
    content: Content.optional().describe(
      "The file's content in base64. Without it the response has `upload`.",
    ),
    size_bytes: z
      .int()
      .min(0)
      .max(uploadBytesMax)
      .optional()
      .describe(
        "Size in bytes of a file that is to be uploaded: required without `content`, and no other size is accepted then.",
      ),
    content_type: ContentType.default("application/octet-stream").describe("The file's media type."),
    target_path: name(1, 1_024)
      .optional()
      .describe(
        "The file's place on the desktop; with a slash at its end, the folder. Default ~/Transfers/<filename>.",
      ),
    cleanup_imports_after_run: z
      .boolean()
      .default(false)
      .describe("Whether the file is removed from the desktop after the run."),
    expires_at: Timestamp.nullable()
      .optional()
      .describe(
        "Time at which the attachment expires; null for never. Default: after the deployment's lifetime of attachments, 90 days unless it says otherwise.",
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
  .meta(refusing(both(has("content"), has("size_bytes")), neither(has("content"), has("size_bytes"))))
  .describe("A file for a run, or one that came out of it: its content, or the size of an upload.");
export type CreateAttachmentBody = z.infer<typeof CreateAttachmentBody>;

export const UpdateAttachmentBody = z
  .strictObject({
    expires_at: Timestamp.nullable().describe(
      "Time at which the attachment expires; null for never. A time in the past expires it at once.",
    ),
  })
  .describe("The new expiry of an attachment, which is all that can change.");

export const AttachmentsQuery = z.strictObject({
  ...pageQuery,
  run_id: anyOf(Uuid, "Only attachments of this run are listed."),
  attachment_type: anyOf(AttachmentType, "Only attachments of this type are listed."),
});

export const DownloadUrlQuery = z.strictObject({
  expires_in: example(queryInt(10, 3_600).default(300), 300).describe(
    "Time for which the URL can be used, in seconds.",
  ),
});

export const RunAttachment = z
  .strictObject({
    id: z.uuid().describe("The attachment's id."),
    run_id: z.guid().describe("The run that the file belongs to."),
    attachment_type: AttachmentType.describe("The file's use: it goes into the run or comes out of it."),
    filename: example(z.string(), "invoice.pdf").describe("The file's name, without a path."),
    content_type: example(z.string(), "application/pdf").describe("The file's media type."),
    size_bytes: example(z.int().min(0), 48_213).describe("Size of the file in bytes."),
    storage_path: z
      .string()
      .describe("The place where the file's bytes are kept; opaque, and never changed."),
    target_path: z
      .string()
      .nullable()
      .describe("The file's place on the desktop; null for ~/Transfers/<filename>."),
    cleanup_imports_after_run: z
      .boolean()
      .describe("Whether the file is removed from the desktop after the run."),
    expires_at: z.iso.datetime().nullable().describe("Time at which the attachment expires; null for never."),
    user_id: z.guid().describe("The user whose API key or session created the attachment."),
    organization_id: OrganizationId.describe("The organization that the attachment belongs to."),
    created_at: z.iso.datetime().describe("Time at which the attachment was created."),
    updated_at: z.iso.datetime().describe("Time at which the attachment was last changed."),
  })
  .describe("A file that goes into a run or comes out of it.");
export type RunAttachment = z.infer<typeof RunAttachment>;

export const AttachmentUpload = z
  .strictObject({
    url: z.url().describe("A presigned URL to put the file to."),
    headers: example(z.record(z.string(), z.string()), { "content-type": "application/pdf" }).describe(
      "The headers to send with the PUT, exactly as given.",
    ),
    expires_in: example(z.int(), 300).describe("Time for which `url` can be used, in seconds."),
  })
  .describe("A presigned request that puts a file: it is sent once, with its headers unchanged.");

export const CreatedAttachment = RunAttachment.extend({
  upload: AttachmentUpload.optional().describe(
    "The request to put the file with; absent if the file's content was given.",
  ),
}).describe("A new attachment, with the request to put its file with.");
export type CreatedAttachment = z.infer<typeof CreatedAttachment>;

export const AttachmentList = pageOf(RunAttachment).describe("A page of run attachments, newest first.");

export const DownloadUrl = z
  .strictObject({
    url: z.url().describe("A presigned URL to download the file from."),
    expires_in: example(z.int(), 300).describe("Time for which `url` can be used, in seconds."),
  })
  .describe("A presigned URL to download a file from.");
