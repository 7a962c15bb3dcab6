import { type Caller, requireScope } from "../access/caller.ts";
import { notFound } from "../entity/not-found.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionFilter, ConnectionStore } from "./connection-store.ts";

export async function getConnection(
  deps: { readonly connections: Pick<ConnectionStore, "find" | "withLastPings"> },
  caller: Caller,
  input: { readonly connectionId: string },
): Promise<Connection> {
  requireScope(caller, "read");
  const connection = await deps.connections.find(caller.organizationId, input.connectionId);
  if (connection === undefined) throw notFound("connection", input.connectionId);
  const [heard = connection] = await deps.connections.withLastPings([connection]);
  return heard;
}

export async function listConnections(
  deps: { readonly connections: Pick<ConnectionStore, "list" | "withLastPings"> },
  caller: Caller,
  input: { readonly filter: ConnectionFilter; readonly page: PageRequest },
): Promise<Page<Connection>> {
  requireScope(caller, "read");
  const page = await deps.connections.list(caller.organizationId, input.filter, input.page);
  return { ...page, items: await deps.connections.withLastPings(page.items) };
}
