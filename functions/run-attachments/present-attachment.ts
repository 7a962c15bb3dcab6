import type { RunAttachment } from "../../shared/contract/run/run-attachment.ts";
import type { Attachment } from "../../shared/domain/attachment/attachment.ts";
import type { FileStore } from "../../shared/domain/file-store.ts";

export function presentAttachment(
  { attachmentKey }: Pick<FileStore, "attachmentKey">,
  attachment: Attachment,
): RunAttachment {
  const { organizationId, runId, id } = attachment;
  return {
    id: attachment.id,
    run_id: attachment.runId,
    attachment_type: attachment.type,
    filename: attachment.filename,
    content_type: attachment.contentType,
    size_bytes: attachment.sizeBytes,
    storage_path: attachmentKey(organizationId, runId, id),
    target_path: attachment.targetPath,
    cleanup_imports_after_run: attachment.cleanupImportsAfterRun,
    expires_at: attachment.expiresAt,
    user_id: attachment.userId,
    organization_id: attachment.organizationId,
    created_at: attachment.createdAt,
    updated_at: attachment.updatedAt,
  };
}

/** The header has a plain name for old clients and the real one, encoded, for all others (RFC 6266). */
export function attachmentDisposition(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
