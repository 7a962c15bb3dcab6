import type { OrganizationId } from "../access/organization-id.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Attachment, AttachmentType } from "./attachment.ts";

export interface AttachmentFilter {
  readonly runId?: string;
  readonly type?: AttachmentType;
}

export type CreateAttachmentOutcome = { readonly kind: "created" } | { readonly kind: "run_not_found" };

/** Deleted attachments are never found; expired ones are, since a store does not know the request's time. */
export interface AttachmentStore {
  /** One consistent read. */
  find(organizationId: OrganizationId, attachmentId: string): Promise<Attachment | undefined>;
  /** Writes attachment and count in one transaction, on the condition that its run exists. @throws {AlreadyOnRecord} */
  create(attachment: Attachment, idempotency?: Idempotency): Promise<CreateAttachmentOutcome>;
  /** Undefined when there is none that has not expired. @throws {AlreadyOnRecord} */
  setExpiry(
    organizationId: OrganizationId,
    attachmentId: string,
    change: Pick<Attachment, "expiresAt" | "updatedAt">,
    idempotency?: Idempotency,
  ): Promise<Attachment | undefined>;
  /**
   * Hides the attachment and decrements the count in one transaction; the row stays, marked deleted and due, until
   * `remove`. False when there is no such attachment.
   *
   * @throws {AlreadyOnRecord}
   */
  markDeleted(
    organizationId: OrganizationId,
    attachmentId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean>;
  /** Newest first, without those expired by `nowMs`, which the total counts until the sweeper removes them. */
  list(
    organizationId: OrganizationId,
    filter: AttachmentFilter,
    page: PageRequest,
    nowMs: number,
  ): Promise<Page<Attachment>>;

  /** For the sweeper: expired by that time and not deleted, of all organizations. */
  listExpired(nowMs: number, limit: number): Promise<readonly Attachment[]>;
  /** For the projector and the sweeper: an attachment marked deleted. */
  findDeleted(organizationId: OrganizationId, attachmentId: string): Promise<Attachment | undefined>;
  /** The last step of a deletion: removes the rows. Idempotent. */
  remove(organizationId: OrganizationId, attachmentId: string): Promise<void>;
}
