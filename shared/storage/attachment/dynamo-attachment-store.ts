import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Attachment } from "../../domain/attachment/attachment.ts";
import { isVisible } from "../../domain/attachment/attachment.ts";
import type {
  AttachmentFilter,
  AttachmentStore,
  CreateAttachmentOutcome,
} from "../../domain/attachment/attachment-store.ts";
import { type Clock, isoTimestamp } from "../../domain/clock.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { countWrite } from "../table/counters.ts";
import { readDue } from "../table/due-items.ts";
import type { DynamoTable, StoreDeps } from "../table/dynamo-table.ts";
import { isLiving, living } from "../table/expression.ts";
import { attributesOf } from "../table/index-attributes.ts";
import { attachmentKey, runAttachmentKey, runKey } from "../table/keys.ts";
import { markDeleted } from "../table/mark-deleted.ts";
import { transactIdempotent } from "../table/transact-idempotent.ts";
import { updateEntity } from "../table/update-entity.ts";
import { attachmentRow, attachmentWrites, expiryAttributes, parseAttachment } from "./attachment-item.ts";
import { queryAttachments } from "./attachment-list.ts";

export class DynamoAttachmentStore implements AttachmentStore {
  readonly #deps: StoreDeps;
  readonly #table: DynamoTable;
  readonly #clock: Pick<Clock, "now">;

  constructor({ table, clock }: StoreDeps) {
    this.#deps = { table, clock };
    this.#table = table;
    this.#clock = clock;
  }

  async find(organizationId: OrganizationId, attachmentId: string): Promise<Attachment | undefined> {
    const attachment = await this.#read(organizationId, attachmentId);
    return attachment?.deletedAt === null ? attachment : undefined;
  }

  async create(attachment: Attachment, idempotency?: Idempotency): Promise<CreateAttachmentOutcome> {
    const { organizationId, runId } = attachment;
    const outcome = await transactIdempotent(
      this.#table,
      [
        { kind: "check", key: runKey(organizationId, runId), condition: living },
        ...attachmentWrites(attachment),
        countWrite("ATTACHMENT", attachment, 1),
      ],
      { idempotency, result: attachment, nowMs: this.#clock.now() },
    );
    if (outcome.kind === "written") return { kind: "created" };
    if (outcome.failed.has(0)) return { kind: "run_not_found" };
    throw new Error("an attachment with this id is there already");
  }

  async setExpiry(
    organizationId: OrganizationId,
    attachmentId: string,
    change: Pick<Attachment, "expiresAt" | "updatedAt">,
    idempotency?: Idempotency,
  ): Promise<Attachment | undefined> {
    const nowMs = this.#clock.now();
    const expiry = expiryAttributes({ id: attachmentId, expiresAt: change.expiresAt });
    const outcome = await updateEntity(this.#deps, {
      ...{ what: "the attachment", key: attachmentKey(organizationId, attachmentId), parse: parseAttachment },
      ...{
        change,
        write: attachmentRow.change(change, { due_pk: null, due_sk: null, ...expiry }),
        idempotency,
      },
      condition: {
        expression: `${isLiving} AND (attribute_not_exists(expires_at) OR expires_at > :now)`,
        values: { now: isoTimestamp(nowMs) },
      },
      refuse: (current) =>
        current && isVisible(current, nowMs) ? undefined : ({ kind: "not_found" } as const),
    });
    return outcome.kind === "updated" ? outcome.entity : undefined;
  }

  async markDeleted(
    organizationId: OrganizationId,
    attachmentId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    return await markDeleted(this.#deps, {
      ...{ key: attachmentKey(organizationId, attachmentId), kind: "attachment" },
      ...{ counted: "ATTACHMENT", organizationId, id: attachmentId, deletedAt, idempotency },
      remove: attributesOf("list", "filter1", "filter2"),
    });
  }

  async list(
    organizationId: OrganizationId,
    filter: AttachmentFilter,
    page: PageRequest,
    nowMs: number,
  ): Promise<Page<Attachment>> {
    return await queryAttachments(this.#table, organizationId, filter, page, nowMs);
  }

  async listExpired(nowMs: number, limit: number): Promise<readonly Attachment[]> {
    const found = await readDue(this.#table, "EXPIRES#ATTACHMENT", { untilMs: nowMs, limit });
    return found.map(parseAttachment).filter((one) => one.deletedAt === null && !isVisible(one, nowMs));
  }

  async findDeleted(organizationId: OrganizationId, attachmentId: string): Promise<Attachment | undefined> {
    const attachment = await this.#read(organizationId, attachmentId);
    return attachment && attachment.deletedAt !== null ? attachment : undefined;
  }

  async remove(organizationId: OrganizationId, attachmentId: string): Promise<void> {
    const attachment = await this.findDeleted(organizationId, attachmentId);
    if (!attachment) return;
    // The row beside the run goes first: after an interruption the attachment is still due.
    await this.#table.delete(runAttachmentKey(organizationId, attachment.runId, attachmentId));
    await this.#table.delete(attachmentKey(organizationId, attachmentId), {
      expression: "attribute_exists(deleted_at)",
    });
  }

  async #read(organizationId: OrganizationId, attachmentId: string): Promise<Attachment | undefined> {
    const item = await this.#table.get(attachmentKey(organizationId, attachmentId));
    return item && parseAttachment(item);
  }
}
