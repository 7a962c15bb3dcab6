import { DeleteItemCommand, paginateScan } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { copyLostItems } from "../../../infra/restore/lost-items.ts";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import { countedKinds, recount } from "../../../shared/storage/maintenance/recount.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { fromAttributes, type Item } from "../../../shared/storage/table/item.ts";
import { aMachine, anOrganization, aRun } from "../../support/builders/entities.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { organizationItems } from "../../support/seed/organization-items.ts";
import { writeItems } from "../../support/seed/write-items.ts";
import { tableStores } from "../../support/stores/table-stores.ts";
import { createTestTable, type TestTable } from "../../support/table.ts";

const clock = new FakeClock();
let restored: TestTable;
let table: TestTable;

beforeAll(async () => {
  const url = inject("dynamoDbUrl");
  [restored, table] = [await createTestTable(url), await createTestTable(url)];
});

const storesOf = ({ client, tableName }: TestTable) =>
  tableStores({ table: new DynamoTable({ client, tableName, clock }), clock });

async function itemsOf({ client, tableName }: TestTable, organizationId: OrganizationId): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName })) {
    items.push(...Items.map(fromAttributes));
  }
  const own = items.filter(({ pk }) => String(pk).startsWith(`ORG#${organizationId}#`));
  return own.sort((one, other) => (`${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1));
}

const copy = (options: { copies: boolean; organizationId?: OrganizationId }) =>
  copyLostItems({
    client: table.client,
    from: restored.tableName,
    to: table.tableName,
    nowMs: Date.now(),
    ...options,
  });

describe("the restore of a table", () => {
  it("copies in parallel what was lost, and leaves what is there as it is", async () => {
    const organizationId = anOrganization();
    const items = [...organizationItems({ organizationId, runs: 200, related: 20 })];
    for (const each of [restored, table]) await writeItems(each, items);
    const before = await itemsOf(table, organizationId);
    const lost = items.filter(({ kind }, index) => kind !== "counter" && index % 2 === 0);
    for (const { pk, sk } of lost) {
      await table.client.send(
        new DeleteItemCommand({ TableName: table.tableName, Key: { pk: { S: pk }, sk: { S: sk } } }),
      );
    }
    const kept = items.find(({ kind }, index) => kind === "machine" && index % 2 === 1);
    await writeItems(table, [{ ...kept, pk: kept?.pk ?? "", sk: kept?.sk ?? "", name: "renamed since" }]);

    const told = await copy({ copies: false, organizationId });
    expect([...told.lost.values()].reduce((sum, count) => sum + count, 0)).toBe(lost.length);
    expect(await itemsOf(table, organizationId)).toHaveLength(before.length - lost.length);

    const copied = await copy({ copies: true, organizationId });
    expect(copied.lost).toEqual(told.lost);
    expect(copied.organizationIds).toEqual(new Set([organizationId]));
    expect(await itemsOf(table, organizationId)).toEqual(
      before.map((item) =>
        item.pk === kept?.pk && item.sk === kept?.sk ? { ...item, name: "renamed since" } : item,
      ),
    );
    expect((await copy({ copies: true, organizationId })).lost.size).toBe(0);
  });

  it("leaves out what the service makes anew, and what has expired, and counts totals afterwards", async () => {
    const organizationId = anOrganization();
    const stores = storesOf(restored);
    const machines = [aMachine({ organizationId }), aMachine({ organizationId })];
    for (const machine of machines) await stores.machines.create(machine);
    const expired = { pk: `ORG#${organizationId}#SESSION#1`, sk: "#", kind: "session", ttl: 1 };
    const queued = { pk: `ORG#${organizationId}#QUEUE#ANY`, sk: "QUEUE#1", kind: "queue" };
    await writeItems(restored, [expired, queued]);
    const { lost } = await copy({ copies: true, organizationId });
    expect(lost).toEqual(
      new Map([
        ["machine", 2],
        ["fingerprint", 2],
      ]),
    );
    const deps = { table: new DynamoTable({ ...table, clock }), clock };
    for (const counted of countedKinds) await recount(deps, organizationId, counted);
    expect((await storesOf(table).machines.list(organizationId, {}, { skip: 0, limit: 10 })).total).toBe(2);
  });

  it("keeps a machine busy only with a run that is running, and names the runs that nothing carries on", async () => {
    const organizationId = anOrganization();
    const runs = ["running", "running"].map((status) =>
      aRun({ organizationId, status: status as "running", machineId: null }),
    );
    const machines = runs.map(({ id }) => aMachine({ organizationId, currentRunId: id }));
    for (const machine of machines) await storesOf(restored).machines.create(machine);
    for (const run of runs) await storesOf(restored).put.run(run);
    // The second machine was lost, but not its run, which has ended since.
    await storesOf(table).put.run({ ...(runs[1] ?? aRun()), status: "success" });
    const { runningRunIds, secretNames } = await copy({ copies: true, organizationId });
    expect(runningRunIds).toEqual([runs[0]?.id]);
    expect(secretNames.size).toBe(0);
    const back = await Promise.all(
      machines.map(({ id }) => storesOf(table).machines.find(organizationId, id)),
    );
    expect(back.map((machine) => machine?.currentRunId)).toEqual([runs[0]?.id, null]);
  });
});
