import type { AttachmentType } from "../../vocabulary/files.ts";
import type { OrganizationId } from "../organization-id.ts";

/** A run's input or output file. Timestamps are ISO 8601. */
export interface Attachment {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly runId: string;
  readonly type: AttachmentType;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Where an input file is placed on the desktop. */
  readonly targetPath: string | null;
  /** Remove the file from the desktop after the run. */
  readonly cleanupImportsAfterRun: boolean;
  /** From when it is hidden and its file deleted. */
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly revision: number;
}

/** Whether it is visible at that time. */
export function isVisible(attachment: Pick<Attachment, "deletedAt" | "expiresAt">, nowMs: number): boolean {
  if (attachment.deletedAt !== null) return false;
  return attachment.expiresAt === null || Date.parse(attachment.expiresAt) > nowMs;
}
