import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { AlreadyOnRecord } from "../../../shared/domain/idempotency/idempotency.ts";
import { modelConfigurationsMax } from "../../../shared/domain/model-configuration/model-configuration.ts";
import { anIdempotency, anOrganization } from "../builders/entities.ts";
import { aModelConfiguration, aWorkflow } from "../builders/workflows.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const updatedAt = "2026-02-03T04:05:06.007Z";

export function modelConfigurationStoreSuite(create: CreateTableStores): void {
  describe("the store of model configurations", () => {
    async function setUp() {
      const { modelConfigurations, workflows } = await create();
      const organizationId = anOrganization();
      const configuration = aModelConfiguration({
        organizationId,
        description: "careful",
        temperature: 0.5,
        maxOutputTokens: 100,
        additionalParams: { effort: "high", nested: [{ a: null }] },
      });
      expect(await modelConfigurations.create(configuration)).toEqual({ kind: "created" });
      const { id } = configuration;
      const naming = (fields = {}) => aWorkflow({ organizationId, modelConfigurationId: id, ...fields });
      return { modelConfigurations, workflows, organizationId, configuration, id, naming };
    }

    it("finds what was made, to its own organization only", async () => {
      const { modelConfigurations, organizationId, configuration, id } = await setUp();
      expect(await modelConfigurations.findMany(organizationId, [id, randomUUID(), id])).toEqual([
        configuration,
      ]);
      expect(await modelConfigurations.findMany(anOrganization(), [id])).toEqual([]);
      expect(await modelConfigurations.list(anOrganization())).toEqual([]);
      const change = { updatedAt };
      expect(await modelConfigurations.update(anOrganization(), id, change)).toEqual({ kind: "not_found" });
      expect(await modelConfigurations.remove(anOrganization(), id)).toEqual({ kind: "not_found" });
    });

    it("lists all, oldest first, and none of their names", async () => {
      const { modelConfigurations, organizationId, configuration } = await setUp();
      const second = aModelConfiguration({ organizationId });
      await modelConfigurations.create(second);
      expect(await modelConfigurations.list(organizationId)).toEqual([configuration, second]);
    });

    it("gives a name once, to one of ten at once", async () => {
      const { modelConfigurations } = await setUp();
      const [organizationId, name] = [anOrganization(), "careful"];
      const twins = Array.from({ length: 10 }, () => aModelConfiguration({ organizationId, name }));
      const outcomes = await Promise.all(twins.map((twin) => modelConfigurations.create(twin)));
      expect(outcomes.filter(({ kind }) => kind === "created")).toHaveLength(1);
      const [one] = await modelConfigurations.list(organizationId);
      expect(outcomes.filter(({ kind }) => kind !== "created")).toEqual(
        Array.from({ length: 9 }, () => ({ kind: "name_taken", id: one?.id })),
      );
    });

    it("changes the fields given, frees an old name and keeps a taken one", async () => {
      const { modelConfigurations, organizationId, configuration, id } = await setUp();
      const change = { temperature: null, model: "another", updatedAt };
      const changed = { ...configuration, ...change, revision: 2 };
      expect(await modelConfigurations.update(organizationId, id, change)).toEqual({
        kind: "updated",
        configuration: changed,
      });
      const second = aModelConfiguration({ organizationId, name: "second" });
      await modelConfigurations.create(second);
      const taken = await modelConfigurations.update(organizationId, id, { name: "second", updatedAt });
      expect(taken).toEqual({ kind: "name_taken", id: second.id });
      const renamed = await modelConfigurations.update(organizationId, id, { name: "first", updatedAt });
      expect(renamed).toMatchObject({ kind: "updated", configuration: { name: "first", revision: 3 } });
      const heir = aModelConfiguration({ organizationId, name: configuration.name });
      expect(await modelConfigurations.create(heir)).toEqual({ kind: "created" });
    });

    it("holds no more than the bound, and again as many when one is removed", async () => {
      const { modelConfigurations, organizationId, configuration, id } = await setUp();
      for (let made = 1; made < modelConfigurationsMax; made += 1) {
        await modelConfigurations.create(aModelConfiguration({ organizationId }));
      }
      const one = aModelConfiguration({ organizationId, name: configuration.name });
      const another = { ...one, name: "another" };
      expect(await modelConfigurations.create(another)).toEqual({ kind: "limit_reached" });
      expect(await modelConfigurations.remove(organizationId, id)).toEqual({ kind: "removed" });
      expect(await modelConfigurations.create(one)).toEqual({ kind: "created" });
    });

    it("repeats under an idempotency record what it did first", async () => {
      const { modelConfigurations, organizationId, id } = await setUp();
      const removing = anIdempotency(organizationId);
      expect(await modelConfigurations.remove(organizationId, id, removing)).toEqual({ kind: "removed" });
      await expect(modelConfigurations.remove(organizationId, id, removing)).rejects.toThrow(AlreadyOnRecord);
      const making = anIdempotency(organizationId);
      const made = aModelConfiguration({ organizationId });
      await modelConfigurations.create(made, making);
      await expect(modelConfigurations.create(made, making)).rejects.toMatchObject({
        record: { result: made },
      });
    });

    it("keeps one that workflows name, until each of them names it no longer or is removed", async () => {
      const { modelConfigurations, workflows, organizationId, id, naming } = await setUp();
      const system = "01a2008d-7400-7000-8000-000000000001";
      const first = naming();
      const second = naming({ modelConfigurationId: system, fallbackModelConfigurationIds: [id] });
      expect(await workflows.create(first)).toEqual({ kind: "created" });
      expect(await workflows.create(second)).toEqual({ kind: "created" });
      const named = (workflowCount: number) => ({ kind: "named", workflowCount });
      expect(await modelConfigurations.remove(organizationId, id)).toEqual(named(2));
      const change = { fallbackModelConfigurationIds: [], updatedAt };
      expect(await workflows.update(organizationId, second.id, change, { before: second })).toMatchObject({
        workflow: { fallbackModelConfigurationIds: [], modelConfigurationId: system },
      });
      expect(await modelConfigurations.remove(organizationId, id)).toEqual(named(1));
      await workflows.markDeleted(organizationId, first.id, updatedAt);
      expect(await modelConfigurations.remove(organizationId, id)).toEqual(named(1));
      await workflows.remove(organizationId, first.id);
      await workflows.remove(organizationId, first.id);
      expect(await modelConfigurations.remove(organizationId, id)).toEqual({ kind: "removed" });
    });

    it("is not named by a workflow once it is removed", async () => {
      const { modelConfigurations, workflows, organizationId, id, naming } = await setUp();
      const plain = aWorkflow({ organizationId });
      await workflows.create(plain);
      await modelConfigurations.remove(organizationId, id);
      const missing = { kind: "configuration_missing", id };
      expect(await workflows.create(naming())).toEqual(missing);
      const change = { modelConfigurationId: id, updatedAt };
      expect(await workflows.update(organizationId, plain.id, change, { before: plain })).toEqual(missing);
      expect(await workflows.find(organizationId, plain.id)).toEqual(plain);
    });

    it("is either removed or named when both come at once", async () => {
      for (let round = 0; round < 20; round += 1) {
        const { modelConfigurations, workflows, organizationId, id, naming } = await setUp();
        const [made, removed] = await Promise.all([
          workflows.create(naming()),
          modelConfigurations.remove(organizationId, id),
        ]);
        expect([
          ["created", "named"],
          ["configuration_missing", "removed"],
        ]).toContainEqual([made.kind, removed.kind]);
      }
    });
  });
}
