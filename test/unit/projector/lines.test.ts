import { describe, expect, it } from "vitest";
import { createProjector } from "../../../functions/projector/app.ts";
import type { ActUnderWay } from "../../../shared/domain/audit/act.ts";
import { DomainError } from "../../../shared/domain/errors.ts";
import { readAuditEvent } from "../../../shared/storage/stream/stream-acts.ts";
import { readRequestLog } from "../../../shared/storage/stream/stream-calls.ts";
import type { TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { callRecordKey, callSlotKey, formerCallSlotKey } from "../../../shared/storage/table/keys.ts";
import { screenshotPath } from "../../../shared/vocabulary/drivers.ts";
import {
  aConnection,
  aDesktopCall,
  anActor,
  anOrganization,
  aPool,
} from "../../support/builders/entities.ts";
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
  return { ...world, calls: world.callRecords, organizationId, project, acting, records, kept };
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
    const { calls, organizationId, records, project, kept, clock } = setUp();
    const call = aDesktopCall({ organizationId, method: "POST", path: "/computer/x", requestBytes: 12 });
    await calls.open(call);
    await project({ Records: records() });
    expect((await kept()).calls).toEqual([]);
    await calls.end(call, done);
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

  it("is made once where the answer comes before the record, in whichever batches", async () => {
    const { calls, organizationId, records, project, kept } = setUp();
    const call = aDesktopCall({ organizationId });
    const answer = { status: 200, uploaded: false };
    await calls.arrive(call, { answer, outcome: done });
    await project({ Records: records() });
    expect((await kept()).calls).toEqual([]);
    await calls.open(call);
    await calls.end(call, { ...done, outcome: 500 });
    await project({ Records: records() });
    expect((await kept()).calls).toMatchObject([{ id: call.requestId, statusCode: 200 }]);
  });

  it("is made of a call without a record of its beginning, and of one that no driver answered", async () => {
    const { calls, organizationId, records, project, kept } = setUp();
    await calls.note(aDesktopCall({ organizationId }), { ...done, outcome: "driver_timeout", bytes: 0 });
    await project({ Records: records() });
    expect((await kept()).calls).toMatchObject([{ statusCode: null, errorCode: "driver_timeout" }]);
  });

  it("is not made of a look that saw nothing new, and is made of anything else with its status", async () => {
    const { calls, organizationId, records, project, kept } = setUp();
    const over = async (path: string, outcome: number) => {
      const call = aDesktopCall({ organizationId, path });
      await calls.open(call);
      await calls.end(call, { ...done, outcome });
    };
    await over(screenshotPath, 304);
    await over("/computer/shell/exec", 304);
    await over(screenshotPath, 200);
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

  it("is made of a call whose caller died, once its record expires, and not of one that was withdrawn", async () => {
    const { calls, organizationId, records, project, kept, table } = setUp();
    const [died, withdrawn] = [aDesktopCall({ organizationId }), aDesktopCall({ organizationId })];
    for (const call of [died, withdrawn]) await calls.open(call);
    await calls.withdraw(withdrawn);
    await project({ Records: records() });
    expect((await kept()).calls).toEqual([]);
    for (const call of [died, withdrawn]) await table.delete(callRecordKey(call));
    await project({ Records: records() });
    const lost = { statusCode: null, errorCode: "outcome_unknown", completedAt: null, durationMs: null };
    expect((await kept()).calls).toMatchObject([{ id: died.requestId, ...lost }]);
  });

  it("is made of a call of the release before, whose slot is given back or taken by another", async () => {
    const { calls, slots, organizationId, records, project, kept, table, clock } = setUp();
    const before = [aDesktopCall({ organizationId }), aDesktopCall({ organizationId })];
    for (const [at, call] of before.entries()) {
      await calls.open(call);
      const row = await table.get(callRecordKey(call));
      const keyOf = at === 0 ? formerCallSlotKey : callSlotKey;
      await table.put({ ...row, ...keyOf(organizationId, call.connectionId, 0) });
    }
    records();
    const [given, died] = before;
    if (!given || !died) throw new Error("there are two");
    await slots.release(given, done);
    clock.advance(30_001);
    for (let call = 0; call < 4; call += 1) await slots.take(aDesktopCall({ ...died, requestId: `${call}` }));
    await project({ Records: records() });
    expect((await kept()).calls).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ id: given.requestId, statusCode: 200 }),
        expect.objectContaining({ id: died.requestId, errorCode: "outcome_unknown" }),
      ]),
    );
  });
});
