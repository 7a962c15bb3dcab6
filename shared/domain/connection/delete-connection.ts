import { type Caller, requireScope } from "../access/caller.ts";
import type { Clock } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { SocketGateway } from "../tunnel/socket-gateway.ts";
import type { ConnectionStore } from "./connection-store.ts";

export interface DeleteConnectionDeps {
  readonly connections: Pick<ConnectionStore, "find" | "close" | "remove">;
  readonly sockets: Pick<SocketGateway, "disconnect">;
  readonly clock: Pick<Clock, "now">;
}

/** The socket goes first, then the row is closed, then removed: the same call resumes after an interruption. */
export async function deleteConnection(
  deps: DeleteConnectionDeps,
  caller: Caller,
  input: { readonly connectionId: string },
  idempotency?: Idempotency,
): Promise<null> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const connection = await deps.connections.find(organizationId, input.connectionId);
  if (connection === undefined) throw notFound("connection", input.connectionId);
  if (connection.status !== "disconnected") {
    await deps.sockets.disconnect(connection.websocketId);
    await deps.connections.close(connection, deps.clock.now());
  }
  const isRemoved = await deps.connections.remove(
    organizationId,
    connection.id,
    deps.clock.now(),
    idempotency,
  );
  if (!isRemoved) throw notFound("connection", input.connectionId);
  return null;
}
