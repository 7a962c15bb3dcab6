import type { Attachment } from "../../domain/attachment/attachment.ts";
import { isVisible } from "../../domain/attachment/attachment.ts";
import type {
  AttachmentFilter,
  AttachmentStore,
  CreateAttachmentOutcome,
} from "../../domain/attachment/attachment-store.ts";
import { ChangedTooOften } from "../../domain/changed-too-often.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { attachmentWrites, expiryRow, parseAttachment } from "./attachment-item.ts";
import { listAttachments } from "./attachment-list.ts";
import { countWrite } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { attachmentKey, deletionMark, runAttachmentKey, runKey } from "../table/keys.ts";
import { isLiving } from "../machine/machine-update.ts";
import { readDue } from "../table/due-items.ts";
import { refuseTaken, transactIdempotent } from "../table/transact-idempotent.ts";

export interface DynamoAttachmentStoreOptions {
  readonly table: DynamoTable;
  readonly clock: Pick<Clock, "now">;
}

/** A writer with an idempotency record reads before it writes, so it may be overtaken. */
const overtakenMax = 20;

export class DynamoAttachmentStore implements AttachmentStore {
  readonly #table: DynamoTable;
  readonly #clock: Pick<Clock, "now">;

  constructor({ table, clock }: DynamoAttachmentStoreOptions) {
    this.#table = table;
    this.#clock = clock;
  }

  async find(organizationId: string, attachmentId: string): Promise<Attachment | undefined> {
    const attachment = await this.#read(organizationId, attachmentId);
    return attachment?.deletedAt === null ? attachment : undefined;
  }

  async create(attachment: Attachment, idempotency?: Idempotency): Promise<CreateAttachmentOutcome> {
    const { organizationId, runId } = attachment;
    const outcome = await transactIdempotent(
      this.#table,
      [
        { kind: "check", key: runKey(organizationId, runId), condition: { expression: isLiving } },
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
    organizationId: string,
    attachmentId: string,
    change: Pick<Attachment, "expiresAt" | "updatedAt">,
    idempotency?: Idempotency,
  ): Promise<Attachment | undefined> {
    const key = attachmentKey(organizationId, attachmentId);
    const set = {
      expires_at: change.expiresAt,
      updated_at: change.updatedAt,
      ...expiryRow(attachmentId, change.expiresAt),
    };
    const written = { set, add: { revision: 1 } };
    const nowMs = this.#clock.now();
    if (!idempotency) {
      const condition = {
        expression: `${isLiving} AND (attribute_not_exists(expires_at) OR expires_at > :now)`,
        values: { now: new Date(nowMs).toISOString() },
      };
      const outcome = await this.#table.update(key, written, condition);
      return outcome.kind === "updated" ? parseAttachment(outcome.item) : undefined;
    }
    for (let attempt = 0; attempt < overtakenMax; attempt += 1) {
      const before = await this.#read(organizationId, attachmentId);
      if (!before || !isVisible(before, nowMs)) {
        await refuseTaken(this.#table, idempotency, nowMs);
        return undefined;
      }
      const after = { ...before, ...change, revision: before.revision + 1 };
      const condition = {
        expression: `${isLiving} AND revision = :revision`,
        values: { revision: before.revision },
      };
      const outcome = await transactIdempotent(
        this.#table,
        [{ kind: "update", key, change: written, condition }],
        {
          idempotency,
          result: after,
          nowMs,
        },
      );
      if (outcome.kind === "written") return after;
    }
    throw new ChangedTooOften("the attachment");
  }

  async markDeleted(
    organizationId: string,
    attachmentId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const set = deletionMark("attachment", attachmentId, deletedAt);
    const remove = ["list", "filter1", "filter2"].flatMap((index) => [`${index}_pk`, `${index}_sk`]);
    const outcome = await transactIdempotent(
      this.#table,
      [
        {
          kind: "update",
          key: attachmentKey(organizationId, attachmentId),
          change: { set, remove, add: { revision: 1 } },
          condition: { expression: isLiving },
        },
        countWrite("ATTACHMENT", { organizationId, id: attachmentId }, -1),
      ],
      { idempotency, result: null, nowMs: this.#clock.now() },
    );
    return outcome.kind === "written";
  }

  async list(
    organizationId: string,
    filter: AttachmentFilter,
    page: PageRequest,
    nowMs: number,
  ): Promise<Page<Attachment>> {
    return await listAttachments(this.#table, organizationId, filter, page, nowMs);
  }

  async listExpired(nowMs: number, limit: number): Promise<readonly Attachment[]> {
    const found = await readDue(this.#table, "EXPIRES#ATTACHMENT", { untilMs: nowMs, limit });
    return found.map(parseAttachment).filter((one) => one.deletedAt === null && !isVisible(one, nowMs));
  }

  async findDeleted(organizationId: string, attachmentId: string): Promise<Attachment | undefined> {
    const attachment = await this.#read(organizationId, attachmentId);
    return attachment && attachment.deletedAt !== null ? attachment : undefined;
  }

  async remove(organizationId: string, attachmentId: string): Promise<void> {
    const attachment = await this.findDeleted(organizationId, attachmentId);
    if (!attachment) return;
    // First the row beside the run: interrupted in between, the attachment is still due.
    await this.#table.delete(runAttachmentKey(organizationId, attachment.runId, attachmentId));
    await this.#table.delete(attachmentKey(organizationId, attachmentId), {
      expression: "attribute_exists(deleted_at)",
    });
  }

  async #read(organizationId: string, attachmentId: string): Promise<Attachment | undefined> {
    const item = await this.#table.get(attachmentKey(organizationId, attachmentId));
    return item && parseAttachment(item);
  }
}
