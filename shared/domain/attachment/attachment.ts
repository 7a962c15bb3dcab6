import type { OrganizationId } from "../access/organization-id.ts";

/** A file that goes into a run or comes out of it. Timestamps are ISO 8601. */
export interface Attachment {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly runId: string;
  readonly type: AttachmentType;
  readonly filename: string;
  readonly contentType: string;
  /** Null for an upload whose size was not said. */
  readonly sizeBytes: number | null;
  /** Where on the desktop an input goes to. */
  readonly targetPath: string | null;
  /** The file is removed from the desktop after the run. */
  readonly cleanupImportsAfterRun: boolean;
  /** Hidden from then on, and its file deleted. */
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly revision: number;
}

export const attachmentTypes = ["input", "output"] as const;

export type AttachmentType = (typeof attachmentTypes)[number];

/** Whether it is still to be seen at that moment. */
export function isVisible(attachment: Pick<Attachment, "deletedAt" | "expiresAt">, nowMs: number): boolean {
  if (attachment.deletedAt !== null) return false;
  return attachment.expiresAt === null || Date.parse(attachment.expiresAt) > nowMs;
}
