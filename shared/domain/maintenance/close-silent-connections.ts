import type { Clock } from "../clock.ts";
import type { ConnectionStore } from "../connection/connection-store.ts";
import type { SocketGateway } from "../tunnel/socket-gateway.ts";
import { forEachBounded } from "./bounded-parallel.ts";

/**
 * A driver pings every 5 minutes, and the gateway ends connections after 10 idle minutes.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
const silenceMaxMs = 11 * 60_000;

export const silentConnectionsPerRun = 500;

export interface CloseSilentConnectionsDeps {
  readonly connections: Pick<ConnectionStore, "listSilent" | "close">;
  readonly sockets: Pick<SocketGateway, "disconnect">;
  readonly clock: Clock;
}

/**
 * Closes connections whose disconnect was never reported, and those that never said hello.
 *
 * @returns how many; what exceeds a page is left for the next one.
 */
export async function closeSilentConnections(
  deps: CloseSilentConnectionsDeps,
  shard?: number,
): Promise<number> {
  const silent = await deps.connections.listSilent(
    deps.clock.now() - silenceMaxMs,
    silentConnectionsPerRun,
    shard,
  );
  return await forEachBounded(silent, async (connection) => {
    await deps.sockets.disconnect(connection.websocketId);
    await deps.connections.close(connection, deps.clock.now());
  });
}
