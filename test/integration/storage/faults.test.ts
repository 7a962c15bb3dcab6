import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createDynamoDbClient } from "../../../shared/aws/dynamodb-client.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { systemClock } from "../../../shared/runtime/system.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { useAwsStandIn } from "../../support/aws-stand-in.ts";
import { aMachine, anApiKey, anIdempotency } from "../../support/builders/entities.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { testEncryption } from "../../support/fakes/fake-data-key.ts";
import { tableStores } from "../../support/stores/table-stores.ts";

const aws = useAwsStandIn();
const table = useTable();

function setUp(deadlineMs?: () => number) {
  const { url, region, admin, faults } = aws();
  const client = createDynamoDbClient({ endpoint: url, region, credentials: admin });
  const dynamo = new DynamoTable({
    client,
    tableName: table().tableName,
    clock: systemClock,
    encryption: testEncryption,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  faults.clear();
  return { faults, ...tableStores({ table: dynamo, clock: systemClock }) };
}

describe("a write that meets other transactions", () => {
  it("is tried again until it is done", async () => {
    const { faults, machines } = setUp();
    faults.inject({ operation: "TransactWriteItems", error: "TransactionConflict", count: 4 });
    const machine = aMachine();
    expect(await machines.create(machine)).toEqual({ kind: "created" });
    expect(await machines.find(machine.organizationId, machine.id)).toEqual(machine);
  });

  it("gives up at the deadline with service_unavailable, and has done nothing", async () => {
    let until = Date.now() + 200;
    const { faults, machines } = setUp(() => until);
    faults.inject({ operation: "TransactWriteItems", error: "TransactionConflict", count: null });
    const machine = aMachine();
    await expect(machines.create(machine)).rejects.toMatchObject({
      code: "service_unavailable",
      retryAfterSeconds: 1,
    });
    faults.clear();
    until = Date.now() + 60_000;
    expect(await machines.find(machine.organizationId, machine.id)).toBeUndefined();
  });
});

describe("a call that is throttled", () => {
  it("is tried again until it is done", async () => {
    const { faults, machines } = setUp();
    const machine = aMachine();
    faults.inject({
      operation: "TransactWriteItems",
      error: "ProvisionedThroughputExceededException",
      count: 5,
    });
    faults.inject({ operation: "GetItem", error: "ThrottlingException", count: 5 });
    await machines.create(machine);
    expect(await machines.find(machine.organizationId, machine.id)).toEqual(machine);
  });
});

describe("a table that is away", () => {
  it("is asked three times, then the caller hears service_unavailable", async () => {
    const { faults, machines } = setUp();
    faults.inject({ operation: "GetItem", error: "InternalServerError", status: 500, count: 2 });
    expect(await machines.find(organizationIdOf("org_1"), "m")).toBeUndefined();
    faults.inject({ operation: "GetItem", effect: "disconnect_before", count: 3 });
    await expect(machines.find(organizationIdOf("org_1"), "m")).rejects.toMatchObject({
      code: "service_unavailable",
    });
    expect(await machines.find(organizationIdOf("org_1"), "m")).toBeUndefined();
  });
});

describe("a write whose answer is lost", () => {
  it("creates a machine once, and says so", async () => {
    const { faults, machines } = setUp();
    faults.inject({ operation: "TransactWriteItems", effect: "disconnect_after" });
    const machine = aMachine();
    expect(await machines.create(machine, anIdempotency(machine.organizationId))).toEqual({
      kind: "created",
    });
    expect((await machines.list(machine.organizationId, {}, { skip: 0, limit: 1 })).total).toBe(1);
  });

  it("is not taken for another's change of the same machine", async () => {
    const { faults, machines } = setUp();
    const machine = aMachine();
    await machines.create(machine);
    faults.inject({ operation: "UpdateItem", effect: "disconnect_after" });
    const outcome = await machines.update(
      machine.organizationId,
      machine.id,
      { secretName: "das/test/new" },
      { revision: 1 },
    );
    expect(outcome).toMatchObject({ kind: "updated", machine: { secretName: "das/test/new", revision: 2 } });
  });

  it("holds an idempotency record, also one taken over, for the attempt that asked", async () => {
    const { faults, idempotencyRecords } = setUp();
    const idempotency = anIdempotency(organizationIdOf("org_1"));
    faults.inject({ operation: "PutItem", effect: "disconnect_after" });
    const leased = await idempotencyRecords.lease(idempotency);
    expect(leased).toEqual({ ...idempotency, leased: true, repeat: false });
    await idempotencyRecords.suspend(leased);
    faults.inject({ operation: "UpdateItem", effect: "disconnect_after" });
    const next = anIdempotency(organizationIdOf("org_1"), { id: idempotency.id });
    expect(await idempotencyRecords.lease(next)).toEqual({
      ...next,
      leased: true,
      repeat: true,
      ids: idempotency.ids,
    });
  });

  it("redeems a ticket, once", async () => {
    const { faults, tickets } = setUp();
    const ticket = {
      tokenId: randomUUID(),
      nonce: "nonce",
      organizationId: organizationIdOf("org_1"),
      keyId: "key",
      machineId: null,
      remotePeerId: "peer",
      expiresAtMs: Date.now() + 60_000,
    };
    await tickets.issue(ticket);
    faults.inject({ operation: "UpdateItem", effect: "disconnect_after" });
    expect(await tickets.redeem(ticket.tokenId, "nonce")).toEqual(ticket);
    expect(await tickets.redeem(ticket.tokenId, "nonce")).toBeUndefined();
  });

  it("makes an API key", async () => {
    const { faults, apiKeys } = setUp();
    faults.inject({ operation: "PutItem", effect: "disconnect_after" });
    const key = anApiKey();
    await apiKeys.create(key);
    expect(await apiKeys.find(key.id)).toEqual(key);
  });
});
