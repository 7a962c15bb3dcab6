import { describe, expect, it } from "vitest";
import {
  executionAdded,
  executionsRemoved,
  runMember,
  runningIn,
} from "../../../shared/storage/execution/executions-under-way.ts";
import { recount, recountExecutions } from "../../../shared/storage/maintenance/recount.ts";
import { counterKey, executionsKey } from "../../../shared/storage/table/keys.ts";
import { aMachine, anOrganization } from "../../support/builders/entities.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { tableStores } from "../../support/stores/table-stores.ts";

const table = useTable();

async function setUp(machinesToMake: number) {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  const { machines, put } = tableStores({ table: dynamo, clock });
  const organizationId = anOrganization();
  const made = Array.from({ length: machinesToMake }, () => aMachine({ organizationId }));
  for (const machine of made) await machines.create(machine);
  const totalNow = async () => (await machines.list(organizationId, {}, { skip: 0, limit: 1 })).total;
  const repair = () => recount({ table: dynamo, clock }, organizationId, "MACHINE");
  return { dynamo, clock, put, machines, organizationId, made, totalNow, repair };
}

describe("recount", () => {
  it("corrects nothing where the counters are right, deletions included", async () => {
    const { machines, organizationId, made, repair } = await setUp(5);
    await machines.markDeleted(organizationId, made[0]?.id ?? "", "2026-01-15T12:00:00.000Z");
    expect(await repair()).toEqual([]);
  });

  it("corrects a counter that is wrong, and says from what to what", async () => {
    const { dynamo, organizationId, made, totalNow, repair } = await setUp(3);
    const key = counterKey(organizationId, "MACHINE", made[0]?.id ?? "");
    await dynamo.update(key, { add: { count: 7 } }, { expression: "attribute_exists(pk)" });
    expect(await totalNow()).toBe(10);
    const [correction, ...more] = await repair();
    expect(more).toEqual([]);
    expect((correction?.was ?? 0) - (correction?.is ?? 0)).toBe(7);
    expect(correction).toMatchObject({ counted: "MACHINE", shard: key.sk });
    expect(await totalNow()).toBe(3);
    expect(await repair()).toEqual([]);
  });

  it("corrects what the service is said to carry out, and lets who was refused begin", async () => {
    const { dynamo, organizationId, clock, put } = await setUp(0);
    const fields = { organizationId, executor: "service", status: "running" } as const;
    const [counted, missing] = [await put.run(fields), await put.run(fields)];
    const lost = executionsRemoved(organizationId, [runMember(missing.id)]);
    await dynamo.update(lost.key, lost.change);
    const stale = executionAdded({ organizationId, id: "gone0000" });
    await dynamo.update(stale.key, { ...stale.change, set: { has_refused: true } });
    const repair = () => recountExecutions({ table: dynamo, clock }, organizationId);
    expect(await repair()).toEqual({ removed: 1, added: 1 });
    const row = await dynamo.get(executionsKey(organizationId));
    expect(runningIn(row)).toEqual(new Set([counted, missing].map(({ id }) => runMember(id))));
    expect(row).not.toHaveProperty("has_refused");
    expect(await repair()).toEqual({ removed: 0, added: 0 });
  });

  it("makes a shard that is missing", async () => {
    const { dynamo, organizationId, made, totalNow, repair } = await setUp(1);
    await dynamo.delete(counterKey(organizationId, "MACHINE", made[0]?.id ?? ""));
    expect(await totalNow()).toBe(0);
    expect(await repair()).toHaveLength(1);
    expect(await totalNow()).toBe(1);
  });
});
