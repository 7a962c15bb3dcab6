import type { AttachmentType } from "../../vocabulary/files.ts";
import type { OrganizationId } from "../organization-id.ts";

export interface Attachment {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly runId: string;
  readonly type: AttachmentType;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly targetPath: string | null;
  readonly cleanupImportsAfterRun: boolean;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly revision: number;
}

export function isVisible(attachment: Pick<Attachment, "deletedAt" | "expiresAt">, nowMs: number): boolean {
  if (attachment.deletedAt !== null) return false;
  return attachment.expiresAt === null || Date.parse(attachment.expiresAt) > nowMs;
}
