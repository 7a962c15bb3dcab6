import { type Attachment, isVisible } from "../../../shared/domain/attachment/attachment.ts";
import type {
  AttachmentFilter,
  AttachmentStore,
  CreateAttachmentOutcome,
} from "../../../shared/domain/attachment/attachment-store.ts";
import type { Clock } from "../../../shared/domain/clock.ts";
import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import type { Page, PageRequest } from "../../../shared/domain/page.ts";
import type { InMemoryIdempotencyStore } from "./in-memory-idempotency-store.ts";
import type { InMemoryRunStore } from "./in-memory-run-store.ts";

/** Attachments in memory: the same rows that the fake of the runs makes. */
export class InMemoryAttachmentStore implements AttachmentStore {
  readonly #idempotencyRecords: InMemoryIdempotencyStore;
  readonly #runs: InMemoryRunStore;
  readonly #clock: Pick<Clock, "now">;

  constructor(
    idempotencyRecords: InMemoryIdempotencyStore,
    runs: InMemoryRunStore,
    clock: Pick<Clock, "now">,
  ) {
    this.#idempotencyRecords = idempotencyRecords;
    this.#runs = runs;
    this.#clock = clock;
  }

  async find(organizationId: string, attachmentId: string): Promise<Attachment | undefined> {
    const attachment = this.#row(organizationId, attachmentId);
    return attachment?.deletedAt === null ? structuredClone(attachment) : undefined;
  }

  async create(attachment: Attachment, idempotency?: Idempotency): Promise<CreateAttachmentOutcome> {
    this.#idempotencyRecords.check(idempotency);
    const run = await this.#runs.find(attachment.organizationId, attachment.runId);
    if (!run) return { kind: "run_not_found" };
    this.#idempotencyRecords.commit(idempotency, attachment);
    this.#write(attachment);
    return { kind: "created" };
  }

  async setExpiry(
    organizationId: string,
    attachmentId: string,
    change: Pick<Attachment, "expiresAt" | "updatedAt">,
    idempotency?: Idempotency,
  ): Promise<Attachment | undefined> {
    this.#idempotencyRecords.check(idempotency);
    const attachment = this.#row(organizationId, attachmentId);
    if (!attachment || !isVisible(attachment, this.#clock.now())) return undefined;
    const changed = { ...attachment, ...change, revision: attachment.revision + 1 };
    this.#idempotencyRecords.commit(idempotency, changed);
    this.#write(changed);
    return structuredClone(changed);
  }

  async markDeleted(
    organizationId: string,
    attachmentId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    this.#idempotencyRecords.check(idempotency);
    const attachment = this.#row(organizationId, attachmentId);
    if (!attachment || attachment.deletedAt !== null) return false;
    this.#idempotencyRecords.commit(idempotency, null);
    this.#write({ ...attachment, deletedAt, revision: attachment.revision + 1 });
    return true;
  }

  async list(
    organizationId: string,
    filter: AttachmentFilter,
    page: PageRequest,
    nowMs: number,
  ): Promise<Page<Attachment>> {
    const found = [...this.#runs.attachments.values()]
      .filter((one) => one.organizationId === organizationId && one.deletedAt === null)
      .filter((one) => filter.runId === undefined || one.runId === filter.runId)
      .filter((one) => filter.type === undefined || one.type === filter.type)
      .sort((one, other) => (order(one) < order(other) ? 1 : -1));
    const items = found.slice(page.skip, page.skip + page.limit).filter((one) => isVisible(one, nowMs));
    return { items: structuredClone(items), total: found.length };
  }

  async listExpired(nowMs: number, limit: number): Promise<readonly Attachment[]> {
    const expired = [...this.#runs.attachments.values()].filter(
      (one) => one.deletedAt === null && !isVisible(one, nowMs),
    );
    return structuredClone(expired.slice(0, limit));
  }

  async listDeletedDue(limit: number): Promise<readonly Attachment[]> {
    const deleted = [...this.#runs.attachments.values()].filter((one) => one.deletedAt !== null);
    return structuredClone(deleted.slice(0, limit));
  }

  async findDeleted(organizationId: string, attachmentId: string): Promise<Attachment | undefined> {
    const attachment = this.#row(organizationId, attachmentId);
    return attachment && attachment.deletedAt !== null ? structuredClone(attachment) : undefined;
  }

  async remove(organizationId: string, attachmentId: string): Promise<void> {
    if (await this.findDeleted(organizationId, attachmentId)) this.#runs.attachments.delete(attachmentId);
  }

  #write(attachment: Attachment): void {
    this.#runs.attachments.set(attachment.id, structuredClone(attachment));
  }

  #row(organizationId: string, attachmentId: string): Attachment | undefined {
    const attachment = this.#runs.attachments.get(attachmentId);
    return attachment?.organizationId === organizationId ? attachment : undefined;
  }
}

function order(attachment: Attachment): string {
  return `${attachment.createdAt} ${attachment.id}`;
}
