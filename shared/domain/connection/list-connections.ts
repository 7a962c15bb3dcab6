import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionFilter, ConnectionStore } from "./connection-store.ts";

export async function listConnections(
  deps: { readonly connections: Pick<ConnectionStore, "list" | "withLastPings"> },
  caller: Caller,
  input: { readonly filter: ConnectionFilter; readonly page: PageRequest },
): Promise<Page<Connection>> {
  requireScope(caller, "read");
  const page = await deps.connections.list(caller.organizationId, input.filter, input.page);
  return { ...page, items: await deps.connections.withLastPings(page.items) };
}
