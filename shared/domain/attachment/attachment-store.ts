import type { AttachmentType } from "../../vocabulary/files.ts";
import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { AnyOf, Page, PageRequest } from "../page.ts";
import type { Attachment } from "./attachment.ts";

export interface AttachmentFilter {
  readonly runId?: AnyOf<string>;
  readonly type?: AnyOf<AttachmentType>;
}

export type CreateAttachmentOutcome = { readonly kind: "created" } | RefusedAttachment;

export type RefusedAttachment =
  | { readonly kind: "run_not_found" }
  /** The attachment is an input of a run that the service is carrying out. */
  | { readonly kind: "run_under_way" }
  | { readonly kind: "too_many_inputs" };

export const inputsMax = 100;

/** An attachment that was created before its file. */
export interface DueUpload {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  readonly attachmentId: string;
}

/** Expired attachments are found, since a store does not know the request's time. */
export interface AttachmentStore extends EntityStore<Attachment> {
  /** An input becomes one of the run's `inputAttachmentIds`. @param uploadDueAtMs is set where the file comes later. */
  create(
    attachment: Attachment,
    idempotency?: Idempotency,
    uploadDueAtMs?: number,
  ): Promise<CreateAttachmentOutcome>;
  /** Returns undefined when the attachment does not exist or has expired. */
  setExpiry(
    organizationId: OrganizationId,
    attachmentId: string,
    change: Pick<Attachment, "expiresAt" | "updatedAt">,
    idempotency?: Idempotency,
  ): Promise<Attachment | undefined>;
  /** Lists newest first. The total counts expired ones until the sweeper removes them. */
  list(
    organizationId: OrganizationId,
    filter: AttachmentFilter,
    page: PageRequest,
    nowMs: number,
  ): Promise<Page<Attachment>>;

  /** Lists those of all organizations that have expired and are not deleted. */
  listExpired(nowMs: number, limit: number): Promise<readonly Attachment[]>;
  /** Lists uploads of all organizations that are due and not settled. */
  listDueUploads(nowMs: number, limit: number): Promise<readonly DueUpload[]>;
  /** Ends the wait for an upload whose file is there, or whose attachment is deleted. */
  settleUpload(organizationId: OrganizationId, attachmentId: string): Promise<void>;
}
