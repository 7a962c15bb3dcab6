import { describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { probeTable } from "../../../shared/storage/table/probe-table.ts";
import {
  aConnection,
  aMachine,
  anApiKey,
  anIdempotency,
  anOrganization,
} from "../../support/builders/entities.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { tableStores } from "../../support/stores/table-stores.ts";

const table = useTable();

function setUp() {
  const clock = new FakeClock();
  return tableStores({ table: table().at(clock), clock });
}

async function callsOf(action: () => Promise<unknown>): Promise<readonly string[]> {
  table().take();
  await action();
  return [...table().take()].sort();
}

const [read, transaction, update, put] = ["GetItem", "TransactWriteItems", "UpdateItem", "PutItem"];

describe("the calls of one operation", () => {
  it("are one for each step of an idempotency record", async () => {
    const { idempotencyRecords } = setUp();
    const idempotency = anIdempotency(anOrganization());
    expect(await callsOf(() => idempotencyRecords.find(idempotency))).toEqual([read]);
    expect(await callsOf(() => idempotencyRecords.lease(idempotency))).toEqual([put]);
    const leased = { ...idempotency, leased: true };
    expect(await callsOf(() => idempotencyRecords.suspend(leased))).toEqual([update]);
    const next = anIdempotency(idempotency.organizationId, { id: idempotency.id });
    expect(await callsOf(() => idempotencyRecords.lease(next))).toEqual([put, update]);
    expect(await callsOf(() => idempotencyRecords.complete({ ...next, leased: true }, 1))).toEqual([update]);
    expect(await callsOf(() => idempotencyRecords.release({ ...next, leased: true }))).toEqual([
      "DeleteItem",
    ]);
  });

  it("are few for a connection: two to open it, for its hello and for its end, one for a ping", async () => {
    const { machines, connections, clock } = setUp();
    const another = setUp().connections;
    const machine = aMachine();
    await machines.create(machine);
    const connection = aConnection(machine);
    const find = () => connections.findByWebsocketId(connection.websocketId);
    expect(await callsOf(() => connections.open(connection))).toEqual([put, transaction]);
    expect(await callsOf(find)).toEqual([read]);
    const findThere = () => another.findByWebsocketId(connection.websocketId);
    expect(await callsOf(findThere)).toEqual([read, read]);
    expect(await callsOf(findThere)).toEqual([read]);
    const hello = () => connections.activate(connection, { version: "2" }, clock.now());
    expect(await callsOf(hello)).toEqual([read, transaction]);
    const isCurrent = async (store: typeof connections) =>
      await callsOf(() => store.isCurrent(connection.websocketId, clock.now()));
    expect(await isCurrent(connections)).toEqual([]);
    expect(await isCurrent(another)).toEqual([read]);
    expect(await isCurrent(another)).toEqual([]);
    expect(await callsOf(() => connections.ping(connection.websocketId, clock.now()))).toEqual([update]);
    const live = await connections.find(connection.organizationId, connection.id);
    expect(live && (await callsOf(() => connections.withLastPings([live])))).toEqual(["BatchGetItem"]);
    expect(await callsOf(() => connections.withLastPings([connection]))).toEqual([]);
    expect(await callsOf(() => connections.noteUnanswered(connection, clock.now()))).toEqual([update]);
    expect(await callsOf(() => connections.noteAnswered(connection))).toEqual([update]);
    const frame = () => connections.countFrame(connection.websocketId, clock.now());
    expect(await callsOf(frame)).toEqual([update]);
    clock.advance(60_000);
    expect(await callsOf(frame)).toEqual([update]);
    expect(await callsOf(() => connections.close(connection, clock.now()))).toEqual([
      "BatchGetItem",
      transaction,
    ]);
  });

  it("are one for a key, a ticket, a rate limit, the probe and an answer on its way", async () => {
    const { apiKeys, tickets, rateLimiter, table: dynamo, mailboxes, clock } = setUp();
    const key = anApiKey();
    expect(await callsOf(() => apiKeys.create(key))).toEqual([put]);
    expect(await callsOf(() => apiKeys.find(key.id))).toEqual([read]);
    expect(await callsOf(() => apiKeys.noteUse(key.id, key.createdAt))).toEqual([update]);
    expect(await callsOf(() => apiKeys.revoke(key.id, key.createdAt))).toEqual([read, transaction]);
    const ticket = {
      tokenId: key.id,
      nonce: "n",
      organizationId: organizationIdOf("o"),
      keyId: key.id,
      machineId: null,
      remotePeerId: "p",
      expiresAtMs: clock.now() + 1_000,
    };
    expect(await callsOf(() => tickets.issue(ticket))).toEqual([put]);
    expect(await callsOf(() => tickets.issue(ticket))).toEqual([put]);
    expect(await callsOf(() => tickets.find(key.id, "n"))).toEqual([read]);
    expect(await callsOf(() => tickets.redeem(key.id, "n"))).toEqual([update]);
    expect(await callsOf(() => rateLimiter.take({ name: key.id, limit: 1 }))).toEqual([update]);
    expect(await callsOf(() => rateLimiter.take({ name: key.id, limit: 1 }))).toEqual([update]);
    expect(await callsOf(() => probeTable(dynamo))).toEqual([read]);
    const part = {
      organizationId: key.organizationId,
      mailbox: key.id,
      websocketId: "w",
      requestId: "r",
      part: 0,
      parts: 1,
      status: 200,
    };
    expect(await callsOf(() => mailboxes.put({ ...part, uploaded: false }))).toEqual([put]);
    expect(await callsOf(() => mailboxes.poll(key.id))).toEqual(["Query"]);
  });
});
