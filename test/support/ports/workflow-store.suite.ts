import { v7 } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import type { WorkflowFilter, WorkflowStore } from "../../../shared/domain/workflow/workflow-store.ts";
import { anIdempotency, anOrganization } from "../builders/entities.ts";
import { aTag, aVersion, aWorkflow } from "../builders/workflows.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const page = { skip: 0, limit: 100 };

/** A limit so small that a few workflows are too many to search. */
const searchRowsMax = 8;

const later = "2026-02-01T00:00:00.000Z";
const all = { skip: 0, limit: 100 };

export function workflowStoreSuite(create: CreateTableStores): void {
  describe("a workflow store", () => {
    const setUp = async () => {
      const stores = create({ searchRowsMax });
      const workflow = aWorkflow({
        name: "open",
        inputSchema: { type: "object", properties: { "": { enum: [null, 1.5, "ä"] } } },
        modelMetadata: { provider: "google_vertex", model: "m" },
      });
      await stores.workflows.create(workflow);
      return { ...stores, workflow, organization: workflow.organizationId };
    };

    it("finds a workflow as it was created", async () => {
      const { workflows, workflow, organization } = await setUp();
      expect(await workflows.find(organization, workflow.id)).toEqual(workflow);
      expect(await workflows.findMany(organization, [workflow.id, v7(), workflow.id])).toEqual([workflow]);
      expect(await workflows.findTagIds(organization, [workflow.id])).toEqual([
        { id: workflow.id, tagIds: [] },
      ]);
      expect(await workflows.findMany(organizationIdOf("org_other"), [workflow.id])).toEqual([]);
    });

    it("keeps the heaviest workflow that there may be, and its earlier prompt", async () => {
      const { workflows } = await setUp();
      const heavy = aWorkflow({ mainPrompt: "漢".repeat(100_000) });
      await workflows.create(heavy, anIdempotency(heavy.organizationId));
      const change = { mainPrompt: "字".repeat(100_000), updatedAt: later, promptSetAt: later };
      const outcome = await workflows.update(heavy.organizationId, heavy.id, change, {
        before: heavy,
        version: aVersion(heavy),
        idempotency: anIdempotency(heavy.organizationId),
      });
      const changed = { ...heavy, ...change, revision: 2 };
      expect(outcome).toEqual({ kind: "updated", workflow: changed });
      expect(await workflows.find(heavy.organizationId, heavy.id)).toEqual(changed);
      const [version] = await workflows.listVersions(heavy.organizationId, heavy.id, page);
      expect(version?.mainPrompt).toBe(heavy.mainPrompt);
    });

    it("changes the fields given, takes null for none, and counts the revision up", async () => {
      const { workflows, workflow, organization } = await setUp();
      const change = { name: "", inputSchema: null, outputSchema: {}, modelMetadata: null, updatedAt: later };
      const changed = { ...workflow, ...change, revision: 2 };
      expect(await workflows.update(organization, workflow.id, change)).toEqual({
        kind: "updated",
        workflow: changed,
      });
      expect(await workflows.find(organization, workflow.id)).toEqual(changed);
    });

    it("changes nothing of a workflow that is no longer what was read", async () => {
      const { workflows, workflow, organization } = await setUp();
      await workflows.update(organization, workflow.id, { name: "first", updatedAt: later });
      const change = { mainPrompt: "late", updatedAt: later };
      for (const options of [
        { before: workflow },
        { before: workflow, version: aVersion(workflow) },
        { before: workflow, idempotency: anIdempotency(organization) },
      ]) {
        expect(await workflows.update(organization, workflow.id, change, options)).toEqual({
          kind: "changed",
        });
      }
      expect(await workflows.listVersions(organization, workflow.id, page)).toEqual([]);
      expect((await workflows.find(organization, workflow.id))?.mainPrompt).toBe(workflow.mainPrompt);
    });

    it("lists the earlier prompts page by page, newest first", async () => {
      const { workflows, workflow, organization } = await setUp();
      const ids: string[] = [];
      let before = workflow;
      for (let count = 0; count < 102; count += 1) {
        const version = aVersion(before);
        ids.unshift(version.id);
        const change = { mainPrompt: `prompt ${count}`, updatedAt: later };
        const outcome = await workflows.update(organization, workflow.id, change, { before, version });
        if (outcome.kind !== "updated") throw new Error("it was not changed");
        before = outcome.workflow;
      }
      const versions = await workflows.listVersions(organization, workflow.id, page);
      expect(versions.map(({ id }) => id)).toEqual(ids.slice(0, 100));
      const pageOf = async (skip: number) =>
        (await workflows.listVersions(organization, workflow.id, { skip, limit: 100 })).map(({ id }) => id);
      expect([await pageOf(100), await pageOf(102), await pageOf(999)]).toEqual([ids.slice(100), [], []]);
      expect(versions[0]).toEqual({
        id: ids[0],
        workflowId: workflow.id,
        mainPrompt: "prompt 100",
        createdAt: workflow.promptSetAt,
        replacedAt: expect.any(String),
      });
    });

    it("reads no more than 5 MB of earlier prompts at once, and says how to read less", async () => {
      const { workflows, organization } = await setUp();
      let before = aWorkflow({ organizationId: organization, mainPrompt: "漢".repeat(100_000) });
      await workflows.create(before);
      for (let count = 0; count < 17; count += 1) {
        const outcome = await workflows.update(
          organization,
          before.id,
          { mainPrompt: before.mainPrompt, updatedAt: later },
          { before, version: aVersion(before) },
        );
        if (outcome.kind === "updated") before = outcome.workflow;
      }
      const read = (limit: number) => workflows.listVersions(organization, before.id, { skip: 1, limit });
      expect(await read(16)).toHaveLength(16);
      await expect(workflows.listVersions(organization, before.id, page)).rejects.toMatchObject({
        code: "answer_too_large",
      });
    });

    it("refuses to read more than 5 MB at once, and says how to read less", async () => {
      const { workflows } = await setUp();
      const organizationId = anOrganization();
      const made = Array.from({ length: 17 }, () =>
        aWorkflow({ organizationId, mainPrompt: "漢".repeat(100_000) }),
      );
      for (const workflow of made) await workflows.create(workflow);
      await expect(workflows.list(organizationId, {}, all)).rejects.toMatchObject({
        code: "answer_too_large",
        message: expect.stringContaining("lower limit"),
      });
      expect((await workflows.list(organizationId, {}, { skip: 0, limit: 16 })).items).toHaveLength(16);
    });

    it("finds nothing of a deleted workflow, whose earlier prompts go when it is removed", async () => {
      const { workflows, workflow, organization } = await setUp();
      const change = { mainPrompt: "second", updatedAt: later };
      await workflows.update(organization, workflow.id, change, {
        before: workflow,
        version: aVersion(workflow),
      });
      await workflows.markDeleted(organization, workflow.id, later);
      expect(await workflows.findMany(organization, [workflow.id])).toEqual([]);
      expect(await workflows.findTagIds(organization, [workflow.id])).toEqual([]);
      await workflows.remove(organization, workflow.id);
      expect(await workflows.listVersions(organization, workflow.id, page)).toEqual([]);
    });
  });

  describe("a workflow store's list", () => {
    const organizationId = anOrganization();
    const start = Date.UTC(2026, 0, 15, 12);
    const moment = (seconds: number) => new Date(start + seconds * 1_000).toISOString();
    let workflows: WorkflowStore;
    let made: Workflow[];
    const red = aTag({ organizationId });
    const green = aTag({ organizationId });

    beforeAll(async () => {
      const stores = create({ searchRowsMax });
      workflows = stores.workflows;
      made = Array.from({ length: 8 }, (_, index) =>
        aWorkflow({
          organizationId,
          id: v7({ msecs: start + index * 1_000 }),
          createdAt: moment(index),
          name: index % 3 === 0 ? "Shop" : `till ${index}`,
          mainPrompt: index === 5 ? "Print the INVOICE" : "Open the shop",
        }),
      );
      for (const workflow of made) await workflows.create(workflow);
      await workflows.create(aWorkflow({ name: "Shop" }));
      await workflows.update(organizationId, at(3).id, { updatedAt: moment(20) });
      for (const tag of [red, green]) await stores.tags.createTag(tag);
      for (const [index, given] of [
        [1, [red]],
        [4, [red, green]],
        [6, [green]],
      ] as const) {
        await stores.tags.assign({
          workflow: at(index),
          tagIds: given.map(({ id }) => id),
          added: given,
          removed: [],
          groups: [],
        });
      }
    });

    function at(index: number): Workflow {
      const workflow = made[index];
      if (!workflow) throw new Error(`there is no workflow ${index}`);
      return workflow;
    }

    const list = async (filter: WorkflowFilter, skip = 0, limit = 100) => {
      const { items, total } = await workflows.list(organizationId, filter, { skip, limit });
      return { found: items.map((item) => made.findIndex(({ id }) => id === item.id)), total };
    };

    it("has the organization's workflows, newest first, page by page, with the total", async () => {
      expect(await list({})).toEqual({ found: [7, 6, 5, 4, 3, 2, 1, 0], total: 8 });
      expect(await list({}, 2, 3)).toEqual({ found: [5, 4, 3], total: 8 });
      expect(await list({}, 8)).toEqual({ found: [], total: 8 });
      expect(await workflows.list(organizationIdOf("org_nobody"), {}, all)).toEqual({ items: [], total: 0 });
    });

    it("filters by creation and by change, both ends included", async () => {
      const created = { createdAtFrom: moment(2), createdAtTo: moment(4) };
      expect(await list(created)).toEqual({ found: [4, 3, 2], total: 3 });
      expect(await list(created, 1, 1)).toEqual({ found: [3], total: 3 });
      expect(await list({ updatedAtFrom: moment(7) })).toEqual({ found: [7, 3], total: 2 });
      expect(await list({ updatedAtFrom: moment(7.001), updatedAtTo: moment(20) })).toEqual({
        found: [3],
        total: 1,
      });
      expect(await list({ ...created, updatedAtTo: moment(2) })).toEqual({ found: [2], total: 1 });
    });

    it("searches id, name and prompt, whatever the case", async () => {
      expect(await list({ search: "invoice" })).toEqual({ found: [5], total: 1 });
      expect(await list({ search: "TILL" }, 1, 2)).toEqual({ found: [5, 4], total: 5 });
      expect(await list({ search: at(7).id.toUpperCase() })).toEqual({ found: [7], total: 1 });
      expect(await list({ search: "nothing has this" })).toEqual({ found: [], total: 0 });
    });

    it("filters by tags, all of them, and by anything else beside", async () => {
      expect(await list({ tagIds: [red.id] })).toEqual({ found: [4, 1], total: 2 });
      expect(await list({ tagIds: [red.id] }, 1, 1)).toEqual({ found: [1], total: 2 });
      expect(await list({ tagIds: [green.id, red.id] })).toEqual({ found: [4], total: 1 });
      expect(await list({ tagIds: [green.id], search: "shop" })).toEqual({ found: [6, 4], total: 2 });
      expect(await list({ tagIds: [green.id], createdAtFrom: moment(5) })).toEqual({ found: [6], total: 1 });
      expect(await list({ tagIds: [green.id, v7()] })).toEqual({ found: [], total: 0 });
      expect(await workflows.list(anOrganization(), { tagIds: [red.id] }, all)).toEqual({
        items: [],
        total: 0,
      });
    });

    it("refuses a search over too many rows, and takes it again with a narrower range", async () => {
      const extra = aWorkflow({ organizationId, id: v7({ msecs: start - 1_000 }), createdAt: moment(-1) });
      await workflows.create(extra);
      await expect(list({ search: "invoice" })).rejects.toMatchObject({ code: "search_too_broad" });
      await expect(list({ updatedAtFrom: moment(7) })).rejects.toMatchObject({ code: "search_too_broad" });
      expect((await list({ search: "invoice", createdAtFrom: moment(0) })).found).toEqual([5]);
      expect((await list({ tagIds: [red.id], search: "till" })).found).toEqual([4, 1]);
      await workflows.markDeleted(organizationId, extra.id, later);
      expect((await list({ search: "invoice" })).found).toEqual([5]);
    });
  });
}
