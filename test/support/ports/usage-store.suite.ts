import { describe, expect, it } from "vitest";
import type { ModelTokens } from "../../../shared/domain/model/model-tokens.ts";
import { anOrganization, aRun } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

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
        // Steps that a worker reports are not counted.
        ended("2026-02-01T12:00:00.000Z", { executor: "worker", usageMetadata: steps }),
      ];
      await Promise.all([...runs, ...runs].map((run) => usage.count(run)));
      await usage.count(ended("2026-02-01T12:00:00.000Z", { organizationId: anOrganization() }));
      const read = (fromDate: string, toDate: string) => usage.read(organizationId, { fromDate, toDate });
      expect(await read("2026-01-01", "2026-12-31")).toEqual({
        runs: { success: 2, error: 1, task_failed: 0, cancelled: 1 },
        steps: { agentic: 0, replayed: 24, repaired: 2 },
        tokens: [],
      });
      expect(await read("2026-01-31", "2026-01-31")).toMatchObject({ runs: { success: 1, error: 1 } });
      expect(await read("2026-02-01", "2026-02-01")).toMatchObject({
        runs: { success: 1, cancelled: 1, error: 0 },
        steps: { replayed: 0 },
      });
      expect(await read("2026-02-02", "2026-12-31")).toMatchObject({ runs: { success: 0, cancelled: 0 } });
    });

    it("counts tokens by provider and model, once however often it is told", async () => {
      const { usage } = create();
      const organizationId = anOrganization();
      const of = (provider: "anthropic" | "openai", inputTokens: number) => ({
        provider,
        model: "a-model",
        inputTokens,
        outputTokens: 10,
        cachedTokens: 1,
      });
      const ended = (endedAt: string, modelTokens: readonly ModelTokens[]) =>
        aRun({ organizationId, status: "success", endedAt, executor: "service", modelTokens });
      const runs = [
        ended("2026-01-31T10:00:00.000Z", [of("anthropic", 100), of("openai", 900)]),
        ended("2026-01-31T11:00:00.000Z", [of("openai", 100)]),
        ended("2026-02-01T00:00:00.000Z", [of("anthropic", 5_000)]),
      ];
      await Promise.all([...runs, ...runs].map((run) => usage.count(run)));
      const read = async (fromDate: string, toDate: string) =>
        (await usage.read(organizationId, { fromDate, toDate })).tokens;
      const openai = { ...of("openai", 1_000), outputTokens: 20, cachedTokens: 2 };
      expect(await read("2026-01-31", "2026-01-31")).toEqual([openai, of("anthropic", 100)]);
      const anthropic = { ...of("anthropic", 5_100), outputTokens: 20, cachedTokens: 2 };
      expect(await read("2026-01-01", "2026-12-31")).toEqual([anthropic, openai]);
      const nobody = { fromDate: "2026-01-01", toDate: "2026-12-31" };
      expect((await usage.read(anOrganization(), nobody)).tokens).toEqual([]);
    });
  });
}
