import { describe, expect, it } from "vitest";
import { anOrganization, aRun } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

/** What a usage store promises, whichever database it is on. */
export function usageStoreSuite(create: CreateTableStores): void {
  describe("a usage store", () => {
    it("counts each end of a run on its day, once however often it is told", async () => {
      const { usage } = create();
      const organizationId = anOrganization();
      const ended = (endedAt: string, fields: Parameters<typeof aRun>[0] = {}) =>
        aRun({ organizationId, status: "success", endedAt, executor: "service", ...fields });
      const steps = { replayed_steps: 12, repaired_steps: 1, agentic_steps: 0 };
      const first = ended("2026-01-31T23:59:59.999Z", { usageMetadata: steps });
      const runs = [
        first,
        { ...first, attempt: 2, status: "error" as const },
        ended("2026-02-01T00:00:00.000Z", { status: "cancelled" }),
        // What a worker reports of itself is its own.
        ended("2026-02-01T12:00:00.000Z", { executor: "worker", usageMetadata: steps }),
      ];
      await Promise.all([...runs, ...runs].map((run) => usage.count(run)));
      await usage.count(ended("2026-02-01T12:00:00.000Z", { organizationId: anOrganization() }));
      const read = (fromDate: string, toDate: string) => usage.read(organizationId, { fromDate, toDate });
      expect(await read("2026-01-01", "2026-12-31")).toEqual({
        runs: { success: 2, error: 1, task_failed: 0, cancelled: 1 },
        steps: { agentic: 0, replayed: 24, repaired: 2 },
      });
      expect(await read("2026-01-31", "2026-01-31")).toMatchObject({ runs: { success: 1, error: 1 } });
      expect(await read("2026-02-01", "2026-02-01")).toMatchObject({
        ...{ runs: { success: 1, cancelled: 1, error: 0 }, steps: { replayed: 0 } },
      });
      expect(await read("2026-02-02", "2026-12-31")).toMatchObject({ runs: { success: 0, cancelled: 0 } });
    });
  });
}
