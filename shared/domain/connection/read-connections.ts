import { type Caller, requireScope } from "../access/caller.ts";
import { getEntity } from "../entity/read-entities.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionFilter, ConnectionStore } from "./connection-store.ts";

export async function getConnection(
  deps: { readonly connections: Pick<ConnectionStore, "find" | "withLastPings"> },
  caller: Caller,
  input: { readonly connectionId: string },
): Promise<Connection> {
  const connection = await getEntity<Connection>(deps.connections, caller, "connection", input.connectionId);
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
