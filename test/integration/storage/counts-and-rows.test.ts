import { GetItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { type OrganizationId, organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { readCount } from "../../../shared/storage/table/counters.ts";
import { aConnection, aMachine, anAttachment, anOrganization } from "../../support/builders/entities.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { tableStores } from "../../support/stores/table-stores.ts";

const table = useTable();

function setUp() {
  const clock = new FakeClock();
  return tableStores({ table: table().at(clock), clock });
}

describe("the count of an organization's machines", () => {
  it("is exact while many are made, refused and deleted at once", async () => {
    const { machines, table: dynamo } = setUp();
    const organizationId = anOrganization();
    const made = Array.from({ length: 40 }, () => aMachine({ organizationId }));
    const twins = made.slice(0, 10).map(({ fingerprint }) => aMachine({ organizationId, fingerprint }));
    await Promise.all(made.map((machine) => machines.create(machine)));
    await Promise.all([
      ...twins.map((machine) => machines.create(machine)),
      ...made
        .slice(0, 15)
        .map((machine) => machines.markDeleted(organizationId, machine.id, machine.createdAt)),
      ...made
        .slice(0, 15)
        .map((machine) => machines.markDeleted(organizationId, machine.id, machine.createdAt)),
    ]);
    const listed = await machines.list(organizationId, {}, { skip: 0, limit: 1_000 });
    expect(await readCount(dynamo, organizationId, "MACHINE")).toBe(listed.items.length);
    expect(listed.total).toBe(listed.items.length);
    expect(listed.total).toBeGreaterThanOrEqual(25);
  });
});

describe("the count of an organization's connections", () => {
  it("goes up when one is opened, and down once when TTL has removed it", async () => {
    const { machines, connections, table: dynamo, clock } = setUp();
    const machine = aMachine();
    const { organizationId } = machine;
    await machines.create(machine);
    const [one, other] = [aConnection(machine), aConnection(machine)];
    for (const connection of [one, other, one]) await connections.open(connection);
    await connections.close(one, clock.now());
    expect(await readCount(dynamo, organizationId, "CONNECTION")).toBe(2);
    await connections.settleExpired(organizationId, one.id, clock.now());
    await connections.settleExpired(organizationId, one.id, clock.now());
    expect(await readCount(dynamo, organizationId, "CONNECTION")).toBe(1);
  });
});

describe("a row", () => {
  const longName = "ä".repeat(255);

  it("of an index has at most 200 bytes, whatever it is called, for organization ids of 31 characters", async () => {
    const { machines, connections, attachments, put, indexedKeys } = setUp();
    const organizationId = organizationIdOf(`org_${"a".repeat(27)}`);
    const machine = aMachine({ organizationId, name: longName });
    await machines.create(machine);
    await connections.open(aConnection(machine));
    await put.pool({ organizationId, name: longName });
    const { workflowId } = await put.trajectory({ organizationId });
    const metadata = Object.fromEntries([..."abcde"].map((key) => [key, longName.slice(0, 200)]));
    const keys = Object.keys(metadata).map((name, place) => ({ name, place, indexedFrom: "" }));
    await indexedKeys.replace({ organizationId, keys, revision: 1 }, undefined);
    const named = { machineId: machine.id, sessionId: v7(), metadata };
    const run = await put.run({ organizationId, workflowId, ...named });
    const expiresAt = run.createdAt;
    const attachment = anAttachment({ organizationId, runId: run.id, expiresAt });
    await attachments.create(attachment);

    const sizes = await indexRows(organizationId);
    expect(new Set(sizes.map(({ row }) => row.split(" ")[0]))).toEqual(
      new Set([
        "machine",
        "connection",
        "workflow",
        "pool",
        "trajectory",
        "run",
        "run_metadata",
        "attachment",
      ]),
    );
    expect(sizes.length).toBeGreaterThanOrEqual(24);
    expect(sizes.filter(({ bytes }) => bytes > 200)).toEqual([]);
  });

  it("says of which kind it is", async () => {
    const { machines, connections } = setUp();
    const machine = aMachine();
    await machines.create(machine);
    const connection = aConnection(machine);
    await connections.open(connection);
    const { client, tableName } = table();
    const kindOf = async (pk: string) => {
      const command = new GetItemCommand({ TableName: tableName, Key: { pk: { S: pk }, sk: { S: "#" } } });
      return (await client.send(command)).Item?.kind?.S;
    };
    const organization = `ORG#${machine.organizationId}`;
    expect(await kindOf(`${organization}#MACHINE#${machine.id}`)).toBe("machine");
    expect(await kindOf(`${organization}#FINGERPRINT#${machine.fingerprint}`)).toBe("fingerprint");
    expect(await kindOf(`${organization}#CONNECTION#${connection.id}`)).toBe("connection");
    expect(await kindOf(`SOCKET#${encodeURIComponent(connection.websocketId)}`)).toBe("socket");
  });
});

/** Every row that the organization's items have in the indexes, which project keys alone. */
async function indexRows(organizationId: OrganizationId) {
  const { client, tableName } = table();
  const { Items: items = [] } = await client.send(
    new ScanCommand({
      TableName: tableName,
      FilterExpression: "begins_with(pk, :organization)",
      ExpressionAttributeValues: { ":organization": { S: `ORG#${organizationId}#` } },
    }),
  );
  return items.flatMap((item) =>
    ["list", "filter1", "filter2", "filter3", "filter4", "due"].flatMap((index) => {
      const names = ["pk", "sk", `${index}_pk`, `${index}_sk`];
      if (names.some((name) => item[name] === undefined)) return [];
      const bytes = names.reduce((sum, name) => sum + size(name, item[name]?.S), 0);
      return [{ row: `${item.kind?.S} ${index}`, bytes }];
    }),
  );
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function size(name: string, text = ""): number {
  return Buffer.byteLength(name) + Buffer.byteLength(text);
}
