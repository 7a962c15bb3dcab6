import { describe, expect, it } from "vitest";
import { createProjector } from "../../../functions/projector/app.ts";
import type { ActUnderWay } from "../../../shared/domain/audit/act.ts";
import { DomainError } from "../../../shared/domain/errors.ts";
import { readAuditEvent } from "../../../shared/storage/stream/stream-acts.ts";
import { readRequestLog } from "../../../shared/storage/stream/stream-calls.ts";
import type { TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { callSlotKey } from "../../../shared/storage/table/keys.ts";
import { screenshotPath } from "../../../shared/vocabulary/drivers.ts";
import { aConnection, anActor, anOrganization, aPool, aDesktopCall } from "../../support/builders/entities.ts";
import { readsNothing } from "../../support/projector-reads.ts";
import { projectedOf } from "../../support/shared/projected-lines.ts";
import { tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

const page = { skip: 0, limit: 10 };

function setUp() {
  const world = tunnelWorld();
  const organizationId = anOrganization();
  const project = createProjector<TableStreamRecord>({
    ...world,
    ...readsNothing,
    readAuditEvent,
    readRequestLog,
  });
  const acting = async <T>(fields: Partial<ActUnderWay>, work: () => Promise<T>) => {
    const act: ActUnderWay = {
      id: world.ids.uuid7(),
      createdAt: "2026-01-15T12:00:00.000Z",
      actor: anActor(),
      requestId: "r",
      operation: "o",
      resourceType: "machine",
      resourceId: undefined,
      isNew: false,
      ...fields,
    };
    return await world.acts.run(act, work);
  };
  const records = () => projectedOf(world.model.takeRecords());
  const kept = async () => ({
    events: (await world.auditLog.list(organizationId, {}, page)).items,
    calls: (await world.requestLog.list(organizationId, {}, page)).items,
  });
  return { ...world, organizationId, project, acting, records, kept };
}

describe("an audit event", () => {
  it("is not made of what the service does by itself, which the stream's filters keep away", async () => {
    const { put, machines, connections, organizationId, acting, records, project, kept, clock } = setUp();
    const machine = await put.machine({ organizationId });
    const connection = aConnection(machine);
    await connections.open(connection);
    await connections.activate(connection, {}, clock.now());
    records();
    const rename = { resourceId: machine.id };
    await acting(rename, () => machines.update(organizationId, machine.id, { name: "front" }));
    const renamed = records();
    expect(renamed).toHaveLength(1);
    await connections.ping(connection.websocketId, clock.now());
    await connections.ping(connection.websocketId, clock.now());
    expect(records()).toEqual([]);
    await project({ Records: renamed });
    expect((await kept()).events).toMatchObject([{ resourceId: machine.id, resourceType: "machine" }]);
  });

  it("is one for all the writes of a request, and none for the rows beside its resource", async () => {
    const { put, pools, memberships, organizationId, acting, records, project, kept } = setUp();
    const pool = aPool({ organizationId });
    await pools.create(pool);
    const machines = [await put.machine({ organizationId }), await put.machine({ organizationId })];
    records();
    await acting({ resourceType: "pool", resourceId: pool.id }, async () => {
      for (const { id } of machines) await memberships.addMachines(organizationId, pool.id, [id]);
    });
    await project({ Records: records() });
    expect((await kept()).events).toMatchObject([{ resourceType: "pool", resourceId: pool.id }]);
  });

  it("of an item that is removed at once is made of its removal, which TTL's is not", async () => {
    const { put, connections, organizationId, acting, records, project, kept, clock } = setUp();
    const machine = await put.machine({ organizationId });
    const removed = async () => {
      const connection = aConnection(machine);
      await connections.open(connection);
      await connections.close(connection, clock.now());
      records();
      const about = { resourceType: "connection", resourceId: connection.id, operation: "deleteConnection" };
      await acting(about, () => connections.remove(organizationId, connection.id, clock.now()));
      return { connection, told: records() };
    };
    const byTtl = await removed();
    const userIdentity = { type: "Service", principalId: "dynamodb.amazonaws.com" };
    await project({ Records: byTtl.told.map((record) => ({ ...record, userIdentity })) });
    expect((await kept()).events).toEqual([]);
    const { connection, told } = await removed();
    await project({ Records: told });
    await project({ Records: told });
    expect((await kept()).events).toMatchObject([
      { operation: "deleteConnection", resourceId: connection.id },
    ]);
  });

  it("is not made of a removal that was refused", async () => {
    const { put, connections, organizationId, acting, records, project, kept, clock } = setUp();
    const connection = aConnection(await put.machine({ organizationId }));
    await connections.open(connection);
    records();
    const about = { resourceType: "connection", resourceId: connection.id };
    // The connection is open, so it is not removed.
    expect(await acting(about, () => connections.remove(organizationId, connection.id, clock.now()))).toBe(
      false,
    );
    await project({ Records: records() });
    expect((await kept()).events).toEqual([]);
  });

  it("that could not be kept comes again, and holds up no other organization's", async () => {
    const { put, machines, acting, records, project, auditLog } = setUp();
    const [one, other] = [await put.machine(), await put.machine()];
    records();
    for (const { organizationId, id } of [one, other]) {
      await acting({ resourceId: id }, () => machines.update(organizationId, id, { name: "front" }));
    }
    const told = records();
    const append = auditLog.append.bind(auditLog);
    auditLog.append = async (events) => {
      if (events[0]?.organizationId === one.organizationId)
        throw new DomainError("service_unavailable", "the table is away");
      await append(events);
    };
    const { batchItemFailures } = await project({ Records: told });
    expect(batchItemFailures).toEqual([{ itemIdentifier: told[0]?.dynamodb.SequenceNumber }]);
    expect((await auditLog.list(other.organizationId, {}, page)).total).toBe(1);
  });
});

describe("a line of the request log", () => {
  const done = { outcome: 200, durationMs: 30, bytes: 2 } as const;

  it("is made when a call is over, with what it came to", async () => {
    const { slots, organizationId, records, project, kept, clock } = setUp();
    const call = aDesktopCall({ organizationId, method: "POST", path: "/computer/x", requestBytes: 12 });
    const slot = await slots.take(call);
    await project({ Records: records() });
    expect((await kept()).calls).toEqual([]);
    if (slot) await slots.giveBack(slot, done);
    const told = records();
    await project({ Records: told });
    await project({ Records: told });
    const { requestId: id, callerRequestId: requestId, machineId, actor } = call;
    const createdMs = clock.now();
    expect((await kept()).calls).toEqual([
      {
        id,
        organizationId,
        machineId,
        requestId,
        actor,
        method: "POST",
        path: "/computer/x",
        statusCode: 200,
        errorCode: null,
        durationMs: 30,
        requestBytes: 12,
        responseBytes: 2,
        createdAt: new Date(createdMs).toISOString(),
        completedAt: new Date(createdMs + 30).toISOString(),
      },
    ]);
  });

  it("is made of a call that needed no slot, and of one that no driver answered", async () => {
    const { slots, organizationId, records, project, kept } = setUp();
    await slots.note(aDesktopCall({ organizationId }), { ...done, outcome: "driver_timeout", bytes: 0 });
    await project({ Records: records() });
    expect((await kept()).calls).toMatchObject([{ statusCode: null, errorCode: "driver_timeout" }]);
  });

  it("is not made of a look that saw nothing new, and is made of anything else with its status", async () => {
    const { slots, organizationId, records, project, kept } = setUp();
    for (const path of [screenshotPath, "/computer/shell/exec"]) {
      const slot = await slots.take(aDesktopCall({ organizationId, path }));
      if (slot) await slots.giveBack(slot, { ...done, outcome: 304 });
    }
    const again = await slots.take(aDesktopCall({ organizationId, path: screenshotPath }));
    if (again) await slots.giveBack(again, done);
    await project({ Records: records() });
    const lines = (await kept()).calls.map(({ path, statusCode }) => [path, statusCode]);
    expect(lines).toEqual(
      expect.arrayContaining([
        ["/computer/shell/exec", 304],
        [screenshotPath, 200],
      ]),
    );
    expect(lines).toHaveLength(2);
  });

  it("is made of a call whose caller died, once another has its slot, or its row expires", async () => {
    const { slots, organizationId, records, project, kept, clock, table } = setUp();
    const connectionId = "c";
    const calls = Array.from({ length: 4 }, () => aDesktopCall({ organizationId, connectionId }));
    for (const call of calls) await slots.take(call);
    clock.advance(30_001);
    const next = await slots.take(aDesktopCall({ organizationId, connectionId }));
    await project({ Records: records() });
    const lost = { statusCode: null, errorCode: "outcome_unknown", completedAt: null, durationMs: null };
    const first = (await kept()).calls;
    expect(first).toMatchObject([lost]);
    if (next) await slots.giveBack(next, done);
    await project({ Records: records() });
    expect((await kept()).calls).toHaveLength(2);
    for (const slot of [0, 1, 2, 3]) await table.delete(callSlotKey(organizationId, connectionId, slot));
    await project({ Records: records() });
    const ids = (await kept()).calls.map(({ id }) => id);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual(expect.arrayContaining(calls.map(({ requestId }) => requestId)));
  });
});
