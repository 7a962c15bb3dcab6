import { describe, expect, it } from "vitest";
import { createConnectionsApp } from "../../../functions/connections/app.ts";
import { Connection, ConnectionList } from "../../../shared/contract/connection.ts";
import { LiveTicket } from "../../../shared/contract/live.ts";
import type { Connection as StoredConnection } from "../../../shared/domain/connection/connection.ts";
import { liveTicketDigest, mintLiveTicket } from "../../../shared/tunnel/live-ticket-text.ts";
import { aConnection } from "../../support/builders/entities.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

async function connect({ stores, putMachine }: TestService): Promise<StoredConnection> {
  const connection = aConnection(await putMachine());
  await stores.connections.open(connection);
  await stores.connections.activate(connection, {}, stores.clock.now());
  return connection;
}

async function setUp() {
  const service = await createTestService();
  const disconnected: string[] = [];
  const sockets = { disconnect: async (websocketId: string) => void disconnected.push(websocketId) };
  const app = createConnectionsApp({
    ...service.deps,
    sockets,
    mintLiveTicket,
    websocketUrl: "wss://tunnel.test/prod",
  });
  const authorization = service.authorize();
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    app.request(path, { method, headers: { authorization, ...headers } });
  return { ...service, app, ask, disconnected, connection: await connect(service) };
}

const unknown = "0190b5a0-0000-7000-8000-00000000dead";

describe("GET /v1/connections", () => {
  it("answers a page with the exact total, and nothing of the key that opened them", async () => {
    const { ask, connection } = await setUp();
    const answer = await ask("GET", "/v1/connections?limit=1");
    const list = ConnectionList.parse(await answer.json());
    expect([answer.status, list.total, list.items.map(({ id }) => id)]).toEqual([200, 1, [connection.id]]);
    expect(JSON.stringify(list)).not.toContain(connection.keyId);
  });
});

describe("GET /v1/connections/{connection_id}", () => {
  it("answers when it was last heard of, which its machine knows, and so does the list", async () => {
    const { ask, connection, stores } = await setUp();
    stores.clock.advance(300_000);
    await stores.connections.ping(connection.websocketId, stores.clock.now());
    const lastPing = new Date(stores.clock.now()).toISOString();
    const one = Connection.parse(await (await ask("GET", `/v1/connections/${connection.id}`)).json());
    const list = ConnectionList.parse(await (await ask("GET", "/v1/connections")).json());
    expect([one, ...list.items].map((each) => each.last_ping)).toEqual([lastPing, lastPing]);
    const open = await stores.connections.find(connection.organizationId, connection.id);
    if (open) await stores.connections.close(open, stores.clock.now() + 1);
    const closed = Connection.parse(await (await ask("GET", `/v1/connections/${connection.id}`)).json());
    expect(closed).toMatchObject({ status: "disconnected", last_ping: lastPing });
  });

  it("answers the connection", async () => {
    const { ask, connection } = await setUp();
    const answer = await ask("GET", `/v1/connections/${connection.id}`);
    expect(Connection.parse(await answer.json())).toMatchObject({
      id: connection.id,
      machine_id: connection.machineId,
      websocket_id: connection.websocketId,
      status: "connected",
      disconnected_at: null,
    });
  });
});

describe("DELETE /v1/connections/{connection_id}", () => {
  it("closes the socket, frees the machine, and forgets the connection", async () => {
    const { ask, connection, disconnected, stores } = await setUp();
    const answer = await ask("DELETE", `/v1/connections/${connection.id}`);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(disconnected).toEqual([connection.websocketId]);
    expect((await ask("GET", `/v1/connections/${connection.id}`)).status).toBe(404);
    const machine = await stores.machines.find(connection.organizationId, connection.machineId);
    expect(machine?.connection).toBeNull();
  });

  it("goes on where an interrupted call has left off", async () => {
    const { ask, connection, disconnected, stores } = await setUp();
    await stores.connections.close(connection, stores.clock.now());
    expect((await ask("DELETE", `/v1/connections/${connection.id}`)).status).toBe(204);
    expect(disconnected).toEqual([]);
  });

  it("answers 404 for one that is not there", async () => {
    const { ask } = await setUp();
    expect((await ask("DELETE", `/v1/connections/${unknown}`)).status).toBe(404);
  });
});

describe("POST /v1/live-tickets", () => {
  it("answers an address that has the ticket, good for a minute, each time another", async () => {
    const { ask, stores } = await setUp();
    const issue = async () => {
      const response = await ask("POST", "/v1/live-tickets", { "Idempotency-Key": "once" });
      expect(response.status).toBe(201);
      return LiveTicket.parse(await response.json());
    };
    const ticket = await issue();
    expect(ticket).toEqual({
      ticket: ticket.ticket,
      url: `wss://tunnel.test/prod?ticket=${ticket.ticket}`,
      expires_at: new Date(stores.clock.now() + 60_000).toISOString(),
    });
    expect((await issue()).ticket).not.toBe(ticket.ticket);
  });

  it("keeps whose it is: a key's, or a session's with its end", async () => {
    const { app, ask, identity, stores, organizationId } = await setUp();
    const ofKey = LiveTicket.parse(await (await ask("POST", "/v1/live-tickets")).json());
    const authorization = `Bearer ${await identity.token({ org_id: organizationId })}`;
    const response = await app.request("/v1/live-tickets", { method: "POST", headers: { authorization } });
    const ofSession = LiveTicket.parse(await response.json());
    const [key, session] = await Promise.all(
      [ofKey, ofSession].map(({ ticket }) => stores.liveTickets.redeem(liveTicketDigest(ticket))),
    );
    expect(key).toMatchObject({ organizationId, keyId: expect.any(String), sessionEndsAtMs: null });
    expect(session).toMatchObject({ organizationId, keyId: null });
    expect(session?.sessionEndsAtMs).toBeGreaterThan(stores.clock.now());
    expect(session?.sessionEndsAtMs).toBeLessThanOrEqual(stores.clock.now() + 43_200_000);
  });
});
