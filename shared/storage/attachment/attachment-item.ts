import * as z from "zod";
import { type Attachment, attachmentTypes } from "../../domain/attachment/attachment.ts";
import type { Write } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import {
  attachmentKey,
  createdSortKey,
  dueRow,
  filterPartitions,
  listPartitions,
  runAttachmentKey,
} from "../table/keys.ts";

/** Reading a row is parsing it; the index attributes beside these are left out. */
const AttachmentItem = z.object({
  kind: z.literal("attachment"),
  id: z.string(),
  organization_id: z.string(),
  user_id: z.string(),
  run_id: z.string(),
  attachment_type: z.enum(attachmentTypes),
  filename: z.string(),
  content_type: z.string(),
  size_bytes: z.number().optional(),
  target_path: z.string().optional(),
  cleanup_imports_after_run: z.boolean(),
  expires_at: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().optional(),
  revision: z.number(),
});

export function parseAttachment(item: Item): Attachment {
  const row = AttachmentItem.parse(item);
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    runId: row.run_id,
    type: row.attachment_type,
    filename: row.filename,
    contentType: row.content_type,
    sizeBytes: row.size_bytes ?? null,
    targetPath: row.target_path ?? null,
    cleanupImportsAfterRun: row.cleanup_imports_after_run,
    expiresAt: row.expires_at ?? null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at ?? null,
    revision: row.revision,
  };
}

function attachmentItem(attachment: Attachment): Item & Key {
  const { organizationId, runId } = attachment;
  const sortKey = createdSortKey(Date.parse(attachment.createdAt), attachment.id);
  return {
    ...attachmentKey(organizationId, attachment.id),
    kind: "attachment",
    id: attachment.id,
    organization_id: organizationId,
    user_id: attachment.userId,
    run_id: runId,
    attachment_type: attachment.type,
    filename: attachment.filename,
    content_type: attachment.contentType,
    size_bytes: attachment.sizeBytes ?? undefined,
    target_path: attachment.targetPath ?? undefined,
    cleanup_imports_after_run: attachment.cleanupImportsAfterRun,
    expires_at: attachment.expiresAt ?? undefined,
    created_at: attachment.createdAt,
    updated_at: attachment.updatedAt,
    revision: attachment.revision,
    list_pk: listPartitions.attachments(organizationId),
    list_sk: sortKey,
    filter1_pk: filterPartitions.attachmentsByRun(organizationId, runId),
    filter1_sk: sortKey,
    filter2_pk: filterPartitions.attachmentsByType(organizationId, attachment.type),
    filter2_sk: sortKey,
    ...expiryRow(attachment.id, attachment.expiresAt),
  };
}

/** Its place in the sweeper's index while it is to expire; nulls take it out. */
export function expiryRow(attachmentId: string, expiresAt: string | null) {
  if (expiresAt === null) return { due_pk: null, due_sk: null };
  return dueRow("EXPIRES#ATTACHMENT", attachmentId, expiresAt);
}

/** An attachment and its row beside the run, as the parts of a transaction. */
export function attachmentWrites(attachment: Attachment): readonly Write[] {
  const { organizationId, runId, id } = attachment;
  const isNew = { expression: "attribute_not_exists(pk)" };
  const { due_pk, due_sk, ...item } = attachmentItem(attachment);
  const due = due_pk === null ? {} : { due_pk, due_sk };
  return [
    { kind: "put", item: { ...item, ...due, ...attachmentKey(organizationId, id) }, condition: isNew },
    { kind: "put", item: { ...runAttachmentKey(organizationId, runId, id), kind: "run_attachment", id } },
  ];
}
