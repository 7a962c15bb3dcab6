import type { OrganizationId } from "../access/organization-id.ts";
import type { EntityStore } from "../entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Attachment, AttachmentType } from "./attachment.ts";

export interface AttachmentFilter {
  readonly runId?: string;
  readonly type?: AttachmentType;
}

export type CreateAttachmentOutcome = { readonly kind: "created" } | { readonly kind: "run_not_found" };

/** Expired attachments are found, since a store does not know the request's time. */
export interface AttachmentStore extends EntityStore<Attachment> {
  /** Writes attachment and count in one transaction, on the condition that its run exists. @throws {AlreadyOnRecord} */
  create(attachment: Attachment, idempotency?: Idempotency): Promise<CreateAttachmentOutcome>;
  /** Undefined when there is none that has not expired. @throws {AlreadyOnRecord} */
  setExpiry(
    organizationId: OrganizationId,
    attachmentId: string,
    change: Pick<Attachment, "expiresAt" | "updatedAt">,
    idempotency?: Idempotency,
  ): Promise<Attachment | undefined>;
  /** Newest first, without those expired by `nowMs`, which the total counts until the sweeper removes them. */
  list(
    organizationId: OrganizationId,
    filter: AttachmentFilter,
    page: PageRequest,
    nowMs: number,
  ): Promise<Page<Attachment>>;

  /** For the sweeper: expired by that time and not deleted, of all organizations. */
  listExpired(nowMs: number, limit: number): Promise<readonly Attachment[]>;
}
