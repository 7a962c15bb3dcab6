import type { Attachment } from "../../domain/attachment/attachment.ts";
import type { DueUpload } from "../../domain/attachment/attachment-store.ts";
import { attachmentTypes } from "../../vocabulary/files.ts";
import { isNew, put, type Write } from "../table/expression.ts";
import { createdAttributes, dueRow, filterPartitions, listPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { attachmentKey, runAttachmentKey, uploadKey } from "../table/keys.ts";
import { as, entityFields, flag, number, oneOf, orNull, row, tenant, text } from "../table/row.ts";

export const attachmentRow = row<Attachment>("attachment", {
  ...entityFields,
  userId: text,
  runId: text,
  type: as("attachment_type", oneOf(attachmentTypes)),
  filename: text,
  contentType: text,
  sizeBytes: number,
  targetPath: orNull(text),
  cleanupImportsAfterRun: flag,
  expiresAt: orNull(text),
  updatedAt: text,
});

export const parseAttachment = attachmentRow.parse;

export const uploadRow = row<DueUpload>("attachment_upload", {
  organizationId: tenant,
  runId: text,
  attachmentId: text,
});

export function uploadWrite({ organizationId, runId, id }: Attachment, dueAtMs: number): Write {
  return put({
    ...uploadKey(organizationId, id),
    ...uploadRow.write({ organizationId, runId, attachmentId: id }),
    ...dueRow("UPLOAD#ATTACHMENT", id, dueAtMs),
  });
}

export function expiryAttributes({ id, expiresAt }: Pick<Attachment, "id" | "expiresAt">): Item {
  return expiresAt === null ? {} : dueRow("EXPIRES#ATTACHMENT", id, expiresAt);
}

export function attachmentWrites(attachment: Attachment): readonly Write[] {
  const { organizationId, runId, id, type } = attachment;
  const item = {
    ...attachmentKey(organizationId, id),
    ...attachmentRow.write(attachment),
    ...createdAttributes(attachment, {
      list: listPartitions.attachments(organizationId),
      filter1: filterPartitions.attachmentsByRun(organizationId, runId),
      filter2: filterPartitions.attachmentsByType(organizationId, type),
    }),
    ...expiryAttributes(attachment),
  };
  return [
    put(item, isNew),
    put({ ...runAttachmentKey(organizationId, runId, id), kind: "run_attachment", id }),
  ];
}
