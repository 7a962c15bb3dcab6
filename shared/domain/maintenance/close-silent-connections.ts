import type { Clock } from "../clock.ts";
import type { ConnectionStore } from "../connection/connection-store.ts";
import type { SocketGateway } from "../tunnel/socket-gateway.ts";
import { forEachBounded } from "./bounded-parallel.ts";
import { dueShards, minuteOf } from "./sweep-pace.ts";

/**
 * A driver pings every 5 minutes, and the gateway ends connections after 10 idle minutes.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
const silenceMaxMs = 11 * 60_000;

const silentConnectionsPerRun = 500;

/** A pass reads each live connection with its machine, so a shard has one every five minutes. */
const minutesPerPass = 5;

/** What a run that has a minute's shards finds of as many silent connections. */
export const silentConnectionsFound = silentConnectionsPerRun / minutesPerPass;

export interface CloseSilentConnectionsDeps {
  readonly connections: Pick<ConnectionStore, "listSilent" | "close">;
  readonly sockets: Pick<SocketGateway, "disconnect">;
  readonly clock: Clock;
}

/**
 * Closes connections whose disconnect was never reported, and those that never said hello: 11 to 16 minutes after they
 * were last heard of.
 *
 * @param shard looks at this one. @default those whose turn it is in this minute
 * @returns how many; what exceeds a page is left for the next one.
 */
export async function closeSilentConnections(
  deps: CloseSilentConnectionsDeps,
  shard?: number,
): Promise<number> {
  const now = deps.clock.now();
  const silent = await deps.connections.listSilent(
    now - silenceMaxMs,
    silentConnectionsPerRun,
    shard === undefined ? shardsOfMinute(now) : [shard],
  );
  return await forEachBounded(silent, async (connection) => {
    await deps.sockets.disconnect(connection.websocketId);
    await deps.connections.close(connection, deps.clock.now());
  });
}

function shardsOfMinute(nowMs: number): readonly number[] {
  const turn = minuteOf(nowMs, minutesPerPass);
  return [...Array(dueShards).keys()].filter((shard) => shard % minutesPerPass === turn);
}
