import type { AttachmentType } from "../../vocabulary/files.ts";
import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Attachment } from "./attachment.ts";

export interface AttachmentFilter {
  readonly runId?: string;
  readonly type?: AttachmentType;
}

export type CreateAttachmentOutcome = { readonly kind: "created" } | RefusedAttachment;

export type RefusedAttachment =
  | { readonly kind: "run_not_found" }
  /** An input of a run that the service carries out at the moment. */
  | { readonly kind: "run_under_way" }
  | { readonly kind: "too_many_inputs" };

/** Most input files of a run. */
export const inputsMax = 100;

/** An attachment that was created before its file. */
export interface DueUpload {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  readonly attachmentId: string;
}

/** Expired attachments are found, since a store does not know the request's time. */
export interface AttachmentStore extends EntityStore<Attachment> {
  /**
   * Writes attachment and count in one transaction, on the condition that its run exists. An input becomes one of the
   * run's `inputAttachmentIds`.
   *
   * @param uploadDueAtMs when its upload must be there, of one created before its file.
   * @throws {AlreadyOnRecord}
   */
  create(
    attachment: Attachment,
    idempotency?: Idempotency,
    uploadDueAtMs?: number,
  ): Promise<CreateAttachmentOutcome>;
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
  /** For the sweeper: uploads that were due by that time and are not settled, of all organizations. */
  listDueUploads(nowMs: number, limit: number): Promise<readonly DueUpload[]>;
  /** Its file is there, or it is marked as deleted: it is not due any more. */
  settleUpload(organizationId: OrganizationId, attachmentId: string): Promise<void>;
}
