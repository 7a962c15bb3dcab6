import type { Hono } from "hono";
import { connectionOperations } from "../../shared/contract/operations/connection-operations.ts";
import { isoTimestamp } from "../../shared/domain/clock.ts";
import type { ConnectionStore } from "../../shared/domain/connection/connection-store.ts";
import { deleteConnection } from "../../shared/domain/connection/delete-connection.ts";
import { getConnection, listConnections } from "../../shared/domain/connection/read-connections.ts";
import { type CreateLiveTicketDeps, createLiveTicket } from "../../shared/domain/live/live-ticket.ts";
import type { SocketGateway } from "../../shared/domain/tunnel/socket-gateway.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { given } from "../../shared/http/request/given.ts";
import { presentConnection } from "./present-connection.ts";

export interface ConnectionsAppDeps extends HttpDeps, Omit<CreateLiveTicketDeps, "clock"> {
  readonly connections: Pick<ConnectionStore, "find" | "list" | "withLastPings" | "close" | "remove">;
  readonly sockets: Pick<SocketGateway, "disconnect">;
  readonly websocketUrl: string;
}

export function createConnectionsApp(deps: ConnectionsAppDeps): Hono<HttpEnv> {
  return createCallersApp(deps, connectionOperations, {
    listConnections: async ({ caller, query }) => {
      const { skip, limit, machine_id: machineId, status } = query;
      const input = { filter: given({ machineId, status }), page: { skip, limit } };
      const page = await listConnections(deps, caller, input);
      return { items: page.items.map(presentConnection), total: page.total, skip, limit };
    },
    getConnection: async ({ caller, path }) =>
      presentConnection(await getConnection(deps, caller, { connectionId: path.connection_id })),
    deleteConnection: ({ path, write }) => write(deleteConnection, { connectionId: path.connection_id }),
    createLiveTicket: async ({ caller }) => {
      const { text, expiresAtMs } = await createLiveTicket(deps, caller);
      const url = new URL(deps.websocketUrl);
      url.searchParams.set("ticket", text);
      return { ticket: text, url: url.href, expires_at: isoTimestamp(expiresAtMs) };
    },
  });
}
