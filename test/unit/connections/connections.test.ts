import { describe, expect, it } from "vitest";
import { createConnectionsApp } from "../../../functions/connections/app.ts";
import { Connection, ConnectionList } from "../../../shared/contract/connection.ts";
import type { Connection as StoredConnection } from "../../../shared/domain/connection/connection.ts";
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
  const app = createConnectionsApp({ ...service.deps, sockets });
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
