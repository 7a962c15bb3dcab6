import type { Hono } from "hono";
import { ConnectionPath, ConnectionsQuery } from "../../shared/contract/connection.ts";
import type { ConnectionStore } from "../../shared/domain/connection/connection-store.ts";
import { deleteConnection } from "../../shared/domain/connection/delete-connection.ts";
import { getConnection } from "../../shared/domain/connection/get-connection.ts";
import { listConnections } from "../../shared/domain/connection/list-connections.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
import type { SocketGateway } from "../../shared/domain/tunnel/socket-gateway.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import { presentConnection } from "./present-connection.ts";

export interface ConnectionsAppDeps extends HttpDeps {
  readonly connections: Pick<ConnectionStore, "find" | "list" | "close" | "remove">;
  readonly sockets: Pick<SocketGateway, "disconnect">;
}

/** The sockets of an organization's drivers, present and of the last 30 days. */
export function createConnectionsApp(deps: ConnectionsAppDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  app.get("/v1/connections", async (c) => {
    const { query } = await readRequest(c, { query: ConnectionsQuery });
    const { skip, limit, machine_id, status } = query;
    const filter = { ...(machine_id && { machineId: machine_id }), ...(status && { status }) };
    const page = await listConnections(deps, c.var.caller, { filter, page: { skip, limit } });
    return c.json({ items: page.items.map(presentConnection), total: page.total, skip, limit });
  });

  app.get("/v1/connections/:connection_id", async (c) => {
    const { path } = await readRequest(c, { path: ConnectionPath });
    const input = { connectionId: path.connection_id };
    return c.json(presentConnection(await getConnection(deps, c.var.caller, input)));
  });

  app.delete("/v1/connections/:connection_id", async (c) => {
    const { path } = await readRequest(c, { path: ConnectionPath });
    const input = { connectionId: path.connection_id };
    const work = (idempotency?: Idempotency) =>
      deleteConnection(deps, c.var.caller, { ...input, idempotency });
    await idempotent(c, deps, work, "transactional");
    return c.body(null, 204);
  });

  return app;
}
