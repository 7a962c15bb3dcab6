import { GetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { readCount } from "../../../shared/storage/counters.ts";
import { DynamoConnectionStore } from "../../../shared/storage/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../../../shared/storage/dynamo-machine-store.ts";
import { aConnection, aMachine, anOrganization } from "../../support/builders/entities.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";

const table = useTable();

function setUp() {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    clock,
    dynamo,
    machines: new DynamoMachineStore({ table: dynamo, clock }),
    connections: new DynamoConnectionStore(dynamo),
  };
}

describe("the count of an organization's machines", () => {
  it("is exact while many are made, refused and deleted at once", async () => {
    const { machines, dynamo } = setUp();
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
    const { machines, connections, dynamo, clock } = setUp();
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

  it("of an index has at most 200 bytes, whatever the machine is called", async () => {
    const { machines } = setUp();
    // As long as the ids of the identity providers that have long ones.
    const organizationId = anOrganization().slice(0, 31);
    const machine = aMachine({ organizationId, name: longName });
    await machines.create(machine);
    const { client, tableName } = table();
    for (const [index, partition] of [
      ["list", `ORG#${machine.organizationId}#MACHINE`],
      ["filter1", `ORG#${machine.organizationId}#MACHINE#disconnected`],
    ] as const) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: index,
          KeyConditionExpression: `${index}_pk = :pk`,
          ExpressionAttributeValues: { ":pk": { S: partition } },
        }),
      );
      expect(Items).toHaveLength(1);
      const bytes = Object.entries(Items[0] ?? {}).reduce(
        (sum, [name, value]) => sum + size(name, value.S),
        0,
      );
      expect(bytes).toBeLessThanOrEqual(200);
    }
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

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function size(name: string, text = ""): number {
  return Buffer.byteLength(name) + Buffer.byteLength(text);
}
