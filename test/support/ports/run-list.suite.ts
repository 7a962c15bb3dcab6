import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
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
      const list = async (filter: RunFilter, page = { skip: 0, limit: 10 }, options: RunListOptions = {}) => {
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
