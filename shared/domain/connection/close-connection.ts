import type { Clock } from "../clock.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionStore } from "./connection-store.ts";

export interface CloseConnectionDeps {
  readonly connections: Pick<ConnectionStore, "findByWebsocketId" | "close">;
  readonly clock: Clock;
}

/** Returns undefined for a socket that never became a connection (a refused handshake). */
export async function closeConnection(
  deps: CloseConnectionDeps,
  websocketId: string,
): Promise<Connection | undefined> {
  const connection = await deps.connections.findByWebsocketId(websocketId);
  // A connection that another has replaced is closed already.
  if (connection && connection.status !== "disconnected") {
    await deps.connections.close(connection, deps.clock.now(), true);
  }
  return connection;
}
