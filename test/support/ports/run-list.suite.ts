import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { PageRequest } from "../../../shared/domain/page.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { RunFilter, RunListOptions } from "../../../shared/domain/run/run-store.ts";
import { anOrganization } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function runListSuite(create: CreateTableStores): void {
  describe("a list of runs", () => {
    const setUp = async () => {
      const { runs, put: putting } = create({ searchRowsMax: 5 });
      const organizationId = anOrganization();
      const put = async (second: number, fields: Partial<Run> = {}) => {
        const createdAt = `2026-01-01T00:00:0${second}.000Z`;
        return await putting.run({ organizationId, createdAt, ...fields });
      };
      const list = async (
        filter: RunFilter,
        page: PageRequest = { skip: 0, limit: 10 },
        options: RunListOptions = {},
      ) => {
        const { items, total } = await runs.list(organizationId, filter, page, options);
        return { ids: items.map(({ id }) => id), total };
      };
      return { runs, put, list, organizationId };
    };

    it("has each filter, alone and with a range of moments", async () => {
      const { put, list } = await setUp();
      const [machineId, sessionId, workflowId] = [v7(), v7(), v7()];
      const first = await put(1, { machineId, workflowId });
      const second = await put(2, { sessionId, machineId, workflowId });
      const third = await put(3, { status: "cancelled" });
      expect(await list({ workflowId })).toEqual({ ids: [second.id, first.id], total: 2 });
      expect(await list({ machineId })).toEqual({ ids: [second.id, first.id], total: 2 });
      expect(await list({ sessionId })).toEqual({ ids: [second.id], total: 1 });
      expect(await list({ status: "cancelled" })).toEqual({ ids: [third.id], total: 1 });
      const createdAtFrom = "2026-01-01T00:00:02.000Z";
      expect(await list({ createdAtFrom })).toEqual({ ids: [third.id, second.id], total: 2 });
      expect(await list({ createdAtTo: createdAtFrom, workflowId })).toEqual({
        ids: [second.id, first.id],
        total: 2,
      });
      expect(await list({ createdAtFrom, workflowId })).toEqual({ ids: [second.id], total: 1 });
      expect(await list({ machineId: randomUUID() })).toEqual({ ids: [], total: 0 });
    });

    it("has the runs of any of several values, in one order and with one total", async () => {
      const { put, list } = await setUp();
      const [machineId, other, workflowId] = [v7(), v7(), v7()];
      const statuses = ["error", "success", "error", "cancelled", "success"] as const;
      const ids: string[] = [];
      for (const [second, status] of statuses.entries()) {
        const fields = { status, workflowId, machineId: second % 2 === 0 ? machineId : other };
        ids.push((await put(second, fields)).id);
      }
      const at = (...seconds: number[]) => seconds.map((second) => ids[second]);
      const status = ["error", "success"] as const;
      expect(await list({ status })).toEqual({ ids: at(4, 2, 1, 0), total: 4 });
      expect(await list({ status }, { skip: 1, limit: 2 })).toEqual({ ids: at(2, 1), total: 4 });
      expect(await list({ machineId: [machineId, other, v7()] })).toEqual({
        ids: at(4, 3, 2, 1, 0),
        total: 5,
      });
      const createdAtFrom = "2026-01-01T00:00:01.000Z";
      expect(await list({ status, createdAtFrom })).toEqual({ ids: at(4, 2, 1), total: 3 });
      expect(await list({ status, machineId: [other, v7()] })).toEqual({ ids: at(1), total: 1 });
      expect(await list({ status, workflowId }, { skip: 1, limit: 2 })).toEqual({ ids: at(2, 1), total: 4 });
      await expect(list({ status }, { skip: 10_001, limit: 1 })).rejects.toMatchObject({
        code: "search_too_broad",
      });
    });

    it.each([
      ["all runs", {}],
      ["those of two statuses", { status: ["scheduling", "cancelled"] }],
      ["a search", { search: "needle" }],
    ] as const)("has pages of %s that do not shift", async (_, filter) => {
      const { put, list, runs, organizationId } = await setUp();
      const ids: string[] = [];
      for (let second = 0; second < 5; second += 1) {
        const status = second % 2 === 0 ? "scheduling" : "cancelled";
        ids.unshift((await put(second, { status, sessionAlias: "needle" })).id);
      }
      const found: string[] = [];
      let after: string | undefined;
      let extra: string | undefined;
      for (let pages = 0; pages < 4; pages += 1) {
        const page = await list(filter, { skip: 0, limit: 2, after });
        expect(page.total).toBe(5);
        found.push(...page.ids);
        after = page.ids.at(-1) ?? after;
        // The first place is always another run's, and the first page's last run goes.
        await runs.markDeleted(organizationId, extra ?? after ?? "", "2026-01-01T00:01:00.000Z");
        extra = (await put(9, { status: "scheduling", sessionAlias: "needle" })).id;
      }
      expect(found).toEqual(ids);
    });

    it("goes on behind a run that is gone, whose id alone says where it was", async () => {
      const { runs, put, list, organizationId } = await setUp();
      const ids = [1_000, 2_000, 3_000].map((ms) => v7({ msecs: Date.UTC(2026, 0, 1) + ms }));
      for (const [index, id] of ids.entries()) await put(index + 1, { id });
      const [oldest, middle = "", newest] = ids;
      await runs.markDeleted(organizationId, middle, "2026-01-01T00:01:00.000Z");
      await runs.remove(organizationId, middle);
      expect(await list({}, { skip: 0, limit: 10, after: middle })).toEqual({ ids: [oldest], total: 2 });
      expect(await list({}, { skip: 0, limit: 10, after: newest })).toEqual({ ids: [oldest], total: 2 });
      await expect(list({}, { skip: 0, limit: 10, after: randomUUID() })).rejects.toThrow("query.after");
    });

    it("combines filters, and pages through what it found", async () => {
      const { put, list } = await setUp();
      const [machineId, workflowId] = [v7(), v7()];
      const wanted = [await put(1, { machineId, workflowId }), await put(2, { machineId, workflowId })];
      await put(3, { machineId });
      await put(4, { workflowId });
      await put(5, { machineId, workflowId, status: "error" });
      const filter = { machineId, workflowId, status: "scheduling" } as const;
      expect(await list(filter)).toEqual({ ids: wanted.map(({ id }) => id).reverse(), total: 2 });
      expect(await list(filter, { skip: 1, limit: 1 })).toEqual({ ids: [wanted[0]?.id], total: 2 });
    });

    it("searches inputs, output, error and alias, whatever the case", async () => {
      const { put, list } = await setUp();
      const found = [
        await put(1, { inputValues: { name: "Needle" } }),
        await put(2, { outputData: { kind: "inline", value: { text: "a needle" } } }),
        await put(3, { error: ["fine", "NEEDLE broke"] }),
        await put(4, { sessionAlias: "needle" }),
        await put(5, { outputData: { kind: "object", key: "k", bytes: 9_000, head: '["needle' } }),
      ];
      expect(await list({ search: "needle" })).toEqual({
        ids: found.map(({ id }) => id).reverse(),
        total: 5,
      });
      expect(await list({ search: "broke" })).toEqual({ ids: [found[2]?.id], total: 1 });
      expect(await list({ search: "haystack" })).toEqual({ ids: [], total: 0 });
    });

    it("refuses a search that reads too many rows, and takes one over a narrower range", async () => {
      const { put, list } = await setUp();
      for (const second of [1, 2, 3, 4, 5, 6]) await put(second);
      await expect(list({ search: "x" })).rejects.toMatchObject({ code: "search_too_broad" });
      expect(await list({ search: "x", createdAtFrom: "2026-01-01T00:00:02.000Z" })).toMatchObject({
        total: 0,
      });
    });

    it("has active ones first where it is asked to, alone and with filters, page by page", async () => {
      const { put, list } = await setUp();
      const [workflowId, sessionAlias] = [v7(), "needle"];
      const statuses = ["running", "error", "scheduling", "success", "cancelled", "task_failed"] as const;
      const runs: Run[] = [];
      for (const [second, status] of statuses.entries()) {
        const assignmentId = status === "running" ? v7() : null;
        runs.push(
          await put(second, {
            status,
            assignmentId,
            workflowId: second === 5 ? v7() : workflowId,
            sessionAlias,
          }),
        );
      }
      const ids = (...seconds: number[]) => seconds.map((second) => runs[second]?.id);
      const activeFirst = async (filter: RunFilter, page?: { skip: number; limit: number }) =>
        await list(filter, page, { sortMode: "active_first" });
      expect(await activeFirst({})).toEqual({ ids: ids(2, 0, 5, 4, 3, 1), total: 6 });
      expect(await activeFirst({}, { skip: 1, limit: 3 })).toEqual({ ids: ids(0, 5, 4), total: 6 });
      expect(await activeFirst({}, { skip: 0, limit: 1 })).toEqual({ ids: ids(2), total: 6 });
      expect(await activeFirst({ workflowId })).toEqual({ ids: ids(2, 0, 4, 3, 1), total: 5 });
      const createdAtFrom = "2026-01-01T00:00:01.000Z";
      expect(await activeFirst({ createdAtFrom })).toEqual({ ids: ids(2, 5, 4, 3, 1), total: 5 });
      expect(await activeFirst({ search: "needle", createdAtFrom })).toMatchObject({
        ids: ids(2, 5, 4, 3, 1),
      });
      expect(await activeFirst({ status: "running" })).toEqual({ ids: ids(0), total: 1 });
      const status = ["error", "running", "success", "scheduling"] as const;
      expect(await activeFirst({ status })).toEqual({ ids: ids(2, 0, 3, 1), total: 4 });
      expect(await activeFirst({ status }, { skip: 1, limit: 2 })).toEqual({ ids: ids(0, 3), total: 4 });
      expect(await activeFirst({ status: ["error", "success"] })).toEqual({ ids: ids(3, 1), total: 2 });
      const filter = { status: ["error", "running"], workflowId, createdAtFrom } as const;
      expect(await activeFirst(filter)).toEqual({ ids: ids(1), total: 1 });
      expect(await activeFirst({ ...filter, createdAtFrom: "2026-01-01T00:00:00.000Z" })).toEqual({
        ids: ids(0, 1),
        total: 2,
      });
      await expect(activeFirst({}, { skip: 6, limit: 1 })).rejects.toMatchObject({
        code: "search_too_broad",
      });
    });

    it("leaves heavy fields out unless they are named", async () => {
      const { runs, put, organizationId } = await setUp();
      const output = { kind: "inline", value: 1 } as const;
      const run = await put(1, { outputData: output, runMessageHistory: output });
      const heavy = async (...fields: ("outputData" | "runMessageHistory")[]) =>
        (await runs.list(organizationId, {}, { skip: 0, limit: 1 }, { heavy: fields })).items[0];
      expect(await heavy()).toEqual({ ...run, outputData: null, runMessageHistory: null });
      expect(await heavy("outputData")).toEqual({ ...run, runMessageHistory: null });
      expect(await heavy("outputData", "runMessageHistory")).toEqual(run);
    });
  });
}
