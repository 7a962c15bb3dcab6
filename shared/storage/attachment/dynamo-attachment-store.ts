import { type Attachment, isVisible } from "../../domain/attachment/attachment.ts";
import {
  type AttachmentFilter,
  type AttachmentStore,
  type CreateAttachmentOutcome,
  type DueUpload,
  inputsMax,
  type RefusedAttachment,
} from "../../domain/attachment/attachment-store.ts";
import { isoTimestamp } from "../../domain/clock.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { isAnyOf, type Page, type PageRequest, valuesOf } from "../../domain/page.ts";
import type { Run } from "../../domain/run/run.ts";
import { DynamoEntityStore } from "../entity/dynamo-entity-store.ts";
import { listEntities } from "../entity/entity-list.ts";
import { updateEntity } from "../entity/update-entity.ts";
import { counting, countWrite } from "../table/counters.ts";
import { readDue } from "../table/due-items.ts";
import { check, isLiving, living, update, type Write } from "../table/expression.ts";
import { attributesOf, filterPartitions, listPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { attachmentKey, runAttachmentKey, runKey, uploadKey } from "../table/keys.ts";
import { type ListedRows, narrowestIndex } from "../table/listed-rows.ts";
import {
  attachmentRow,
  attachmentWrites,
  expiryAttributes,
  parseAttachment,
  uploadRow,
  uploadWrite,
} from "./attachment-item.ts";

const rowsMax = 10_000;

export class DynamoAttachmentStore extends DynamoEntityStore<Attachment> implements AttachmentStore {
  protected readonly kind = "attachment";
  protected readonly count = counting("ATTACHMENT");
  protected readonly listed = attributesOf("list", "filter1", "filter2");
  protected readonly key = attachmentKey;
  protected readonly parse = parseAttachment;

  async create(
    attachment: Attachment,
    idempotency?: Idempotency,
    uploadDueAtMs?: number,
  ): Promise<CreateAttachmentOutcome> {
    const { failed, failures } = await this.transact(idempotency, attachment, {
      run: ofItsRun(attachment),
      attachment: attachmentWrites(attachment),
      upload: uploadDueAtMs === undefined ? undefined : uploadWrite(attachment, uploadDueAtMs),
      count: countWrite("ATTACHMENT", attachment, 1),
    });
    if (failed === undefined) return { kind: "created" };
    if (failed === "run") return refusalByRun(failures.item("run"));
    throw new Error("an attachment with this id is there already");
  }

  async setExpiry(
    organizationId: OrganizationId,
    attachmentId: string,
    change: Pick<Attachment, "expiresAt" | "updatedAt">,
    idempotency?: Idempotency,
  ): Promise<Attachment | undefined> {
    const nowMs = this.deps.clock.now();
    const expiry = expiryAttributes({ id: attachmentId, expiresAt: change.expiresAt });
    const outcome = await updateEntity(this.deps, {
      what: "the attachment",
      key: attachmentKey(organizationId, attachmentId),
      parse: parseAttachment,
      change,
      write: attachmentRow.change(change, { due_pk: null, due_sk: null, ...expiry }),
      idempotency,
      condition: {
        expression: `${isLiving} AND (attribute_not_exists(expires_at) OR expires_at > :now)`,
        values: { now: isoTimestamp(nowMs) },
      },
      refuse: (current) =>
        current && isVisible(current, nowMs) ? undefined : ({ kind: "not_found" } as const),
    });
    return outcome.kind === "updated" ? outcome.entity : undefined;
  }

  /** With both filters the rows of the run are read one by one. @throws {DomainError} `search_too_broad` */
  async list(
    organizationId: OrganizationId,
    filter: AttachmentFilter,
    page: PageRequest,
    nowMs: number,
  ): Promise<Page<Attachment>> {
    const { runId, type } = filter;
    const isRead = runId !== undefined && type !== undefined;
    return await listEntities(
      this.table,
      {
        organizationId,
        rows: indexRows(organizationId, filter),
        counted: runId === undefined && type === undefined ? "ATTACHMENT" : undefined,
        parse: parseAttachment,
        isLiving: (attachment) => isVisible(attachment, nowMs),
        search: isRead
          ? {
              attributes: ["attachment_type", "deleted_at"],
              isMatch: (item) => item.deleted_at === undefined && isAnyOf(type, item.attachment_type),
              rowsMax,
              noun: "attachments",
            }
          : undefined,
      },
      page,
    );
  }

  async listExpired(nowMs: number, limit: number): Promise<readonly Attachment[]> {
    const found = await readDue(this.table, "EXPIRES#ATTACHMENT", { untilMs: nowMs, limit });
    return found.map(parseAttachment).filter((one) => one.deletedAt === null && !isVisible(one, nowMs));
  }

  async listDueUploads(nowMs: number, limit: number): Promise<readonly DueUpload[]> {
    return (await readDue(this.table, "UPLOAD#ATTACHMENT", { untilMs: nowMs, limit })).map(uploadRow.parse);
  }

  async settleUpload(organizationId: OrganizationId, attachmentId: string): Promise<void> {
    await this.table.delete(uploadKey(organizationId, attachmentId));
  }

  async remove(organizationId: OrganizationId, attachmentId: string): Promise<void> {
    const attachment = await this.findDeleted(organizationId, attachmentId);
    if (!attachment) return;
    // The row beside the run is removed first: after an interruption the attachment is still due.
    await this.table.delete(runAttachmentKey(organizationId, attachment.runId, attachmentId));
    await this.removeRow(organizationId, attachmentId);
  }
}

const isUnderWay = { status: "running", executor: "service" } as const satisfies Partial<Run>;

/** An input is added to its run until the run's files have been put, or are about to be. */
function ofItsRun({ organizationId, runId, id, type }: Attachment): Write {
  const key = runKey(organizationId, runId);
  if (type === "output") return check(key, living);
  const { status, executor } = isUnderWay;
  const change = {
    compute: { input_attachment_ids: "list_append(input_attachment_ids, :input_ids)" },
    values: { input_ids: [id] },
    add: { revision: 1 },
  };
  return update(key, change, {
    expression: `${isLiving} AND NOT (status = :status AND executor = :executor) AND size(input_attachment_ids) < :inputs_max`,
    values: { status, executor, inputs_max: inputsMax },
  });
}

function refusalByRun(run: Item | undefined): RefusedAttachment {
  if (run === undefined || run.deleted_at !== undefined) return { kind: "run_not_found" };
  const { status, executor } = isUnderWay;
  return { kind: run.status === status && run.executor === executor ? "run_under_way" : "too_many_inputs" };
}

function indexRows(organizationId: OrganizationId, { runId, type }: AttachmentFilter): ListedRows {
  return narrowestIndex({
    filter1: valuesOf(runId)?.map((id) => filterPartitions.attachmentsByRun(organizationId, id)),
    filter2: valuesOf(type)?.map((each) => filterPartitions.attachmentsByType(organizationId, each)),
    list: [listPartitions.attachments(organizationId)],
  });
}
