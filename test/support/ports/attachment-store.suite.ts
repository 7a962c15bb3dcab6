import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { type AttachmentStore, inputsMax } from "../../../shared/domain/attachment/attachment-store.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { anAttachment } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const page = { skip: 0, limit: 10 };

export function attachmentStoreSuite(create: CreateTableStores): void {
  describe("an attachment store", () => {
    const setUp = async () => {
      const stores = create();
      const run = await stores.put.run();
      const organization = run.organizationId;
      const attachment = anAttachment({ organizationId: organization, runId: run.id, sizeBytes: 3 });
      const later = (ms: number) => new Date(stores.clock.now() + ms).toISOString();
      const change = (expiresAt: string | null) => ({ expiresAt, updatedAt: later(0) });
      return { ...stores, run, organization, attachment, later, change };
    };

    it("finds an attachment as it was created, and its id beside its run until it is removed", async () => {
      const { attachments, runs, run, attachment, organization, later } = await setUp();
      expect(await attachments.create(attachment)).toEqual({ kind: "created" });
      expect(await attachments.find(organization, attachment.id)).toEqual(attachment);
      const listed = () => runs.listAttachmentIds(organization, run.id);
      expect(await listed()).toEqual([attachment.id]);
      await attachments.markDeleted(organization, attachment.id, later(0));
      expect(await listed()).toEqual([attachment.id]);
      await attachments.remove(organization, attachment.id);
      expect(await listed()).toEqual([]);
    });

    it("makes none of a run that is not there, or is deleted", async () => {
      const { attachments, runs, run, attachment, organization } = await setUp();
      const stray = { ...attachment, runId: v7() };
      expect(await attachments.create(stray)).toEqual({ kind: "run_not_found" });
      await runs.markDeleted(organization, run.id, run.createdAt);
      expect(await attachments.create(attachment)).toEqual({ kind: "run_not_found" });
      expect((await attachments.list(organization, {}, page, 0)).total).toBe(0);
    });

    it("adds an input to its run, but to none that the service carries out, nor more than a hundred", async () => {
      const { attachments, runs, put, run, attachment, organization } = await setUp();
      const inputOf = (runId: string) => ({ ...attachment, id: v7(), type: "input" as const, runId });
      const idsOf = async (runId: string) => (await runs.find(organization, runId))?.inputAttachmentIds;
      const two = [inputOf(run.id), inputOf(run.id)];
      for (const one of two) expect(await attachments.create(one)).toEqual({ kind: "created" });
      expect(await attachments.create(attachment)).toEqual({ kind: "created" });
      expect(await idsOf(run.id)).toEqual(two.map(({ id }) => id));
      const of = async (fields: Partial<Run>) => {
        const one = await put.run({ organizationId: organization, ...fields });
        const { kind } = await attachments.create(inputOf(one.id));
        return [kind, (await idsOf(one.id))?.length];
      };
      const running = { status: "running", executor: "service" } as const;
      expect(await of(running)).toEqual(["run_under_way", 0]);
      expect(await of({ ...running, executor: "worker" })).toEqual(["created", 1]);
      expect(await of({ ...running, status: "error" })).toEqual(["created", 1]);
      const inputAttachmentIds = Array.from({ length: inputsMax - 1 }, () => v7());
      const full = await put.run({ organizationId: organization, inputAttachmentIds });
      const kinds = [];
      for (let at = 0; at < 2; at += 1) kinds.push((await attachments.create(inputOf(full.id))).kind);
      expect(kinds).toEqual(["created", "too_many_inputs"]);
    });

    it("lists by run, by type and by both, newest first, with the exact total", async () => {
      const { attachments, put, run, organization } = await setUp();
      const other = await put.run({ organizationId: organization });
      const made = [];
      for (const [runId, type, second] of [
        [run.id, "input", 1],
        [run.id, "output", 2],
        [other.id, "output", 3],
      ] as const) {
        const createdAt = `2026-01-01T00:00:0${second}.000Z`;
        const one = anAttachment({ organizationId: organization, runId, type, createdAt });
        await attachments.create(one);
        made.push(one.id);
      }
      const [input, output, others] = made;
      const list = async (filter: Parameters<AttachmentStore["list"]>[1], some = page) => {
        const { items, total } = await attachments.list(organization, filter, some, 0);
        return [items.map(({ id }) => id), total];
      };
      expect(await list({})).toEqual([[others, output, input], 3]);
      expect(await list({}, { skip: 1, limit: 1 })).toEqual([[output], 3]);
      expect(await list({ runId: run.id })).toEqual([[output, input], 2]);
      expect(await list({ type: "output" })).toEqual([[others, output], 2]);
      expect(await list({ runId: run.id, type: "output" })).toEqual([[output], 1]);
    });

    it("changes when it expires, until it has", async () => {
      const { attachments, attachment, organization, later, change, clock } = await setUp();
      await attachments.create(attachment);
      const expiresAt = later(1_000);
      expect(await attachments.setExpiry(organization, attachment.id, change(expiresAt))).toMatchObject({
        expiresAt,
        revision: 2,
      });
      const idsOf = async () => (await attachments.listExpired(clock.now(), 1_000)).map(({ id }) => id);
      expect(await idsOf()).not.toContain(attachment.id);
      clock.advance(1_000);
      expect(await idsOf()).toContain(attachment.id);
      expect((await attachments.list(organization, {}, page, clock.now())).items).toEqual([]);
      expect(await attachments.setExpiry(organization, attachment.id, change(null))).toBeUndefined();
    });

    it("expires no more once that was cleared", async () => {
      const { attachments, attachment, organization, later, change, clock } = await setUp();
      await attachments.create({ ...attachment, expiresAt: later(1_000) });
      await attachments.setExpiry(organization, attachment.id, change(null));
      clock.advance(1_000);
      expect((await attachments.listExpired(clock.now(), 1_000)).map(({ id }) => id)).not.toContain(
        attachment.id,
      );
      expect((await attachments.list(organization, {}, page, clock.now())).items).toHaveLength(1);
    });

    it("finds uploads once they are due, until they are settled", async () => {
      const { attachments, attachment, organization, clock } = await setUp();
      await attachments.create(attachment, undefined, clock.now() + 1_000);
      const due = async () =>
        (await attachments.listDueUploads(clock.now(), 1_000)).filter(
          ({ attachmentId }) => attachmentId === attachment.id,
        );
      expect(await due()).toEqual([]);
      clock.advance(1_000);
      const { id: attachmentId, runId } = attachment;
      expect(await due()).toEqual([{ organizationId: organization, runId, attachmentId }]);
      await attachments.settleUpload(organization, attachmentId);
      expect(await due()).toEqual([]);
      expect(await attachments.find(organization, attachmentId)).toEqual(attachment);
    });
  });
}
