import { dueShards } from "../../vocabulary/table.ts";
import { forEachBounded } from "../bounded-parallel.ts";
import type { Clock } from "../clock.ts";
import type { Connection } from "../connection/connection.ts";
import type { ConnectionStore, LivePlace } from "../connection/connection-store.ts";
import type { SocketGateway } from "../tunnel/socket-gateway.ts";
import { minuteOf } from "./sweep-pace.ts";

/**
 * The gateway ends connections after 10 idle minutes, so those that it still has after this time are not silent.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
const silenceMaxMs = 11 * 60_000;

/** A pass queries each live connection, so each shard has one pass every five minutes. */
const minutesPerPass = 5;

/** A connection without a hello is checked in two passes; older ones had their hello, or were closed. */
const helloSeenMs = 2 * minutesPerPass * 60_000 + 60_000;

const atOnce = 100;
const questionsAtOnce = 50;

/** A sweep of a minute's shards closes this many connections before it leaves the rest to helpers. */
const closedPerRun = 500;

/** The number of silent connections of a shard; from half of it on, helpers take a shard each. */
export const silentConnectionsFound = 100;

/** After this many failures the gateway counts as unavailable, and the pass ends. */
const failuresMax = 50;

export interface CloseSilentConnectionsDeps {
  readonly connections: Pick<ConnectionStore, "listLive" | "findLive" | "close">;
  readonly sockets: Pick<SocketGateway, "exists" | "disconnect">;
  readonly clock: Clock;
}

export interface SilentConnectionsPass {
  readonly shards: readonly number[];
  /** A helper can take the rest, which in a crowded shard is all but a sample. */
  readonly isShared: boolean;
  readonly untilMs: number;
}

export interface ClosedConnections {
  readonly closed: number;
  readonly left: readonly number[];
}

/**
 * Querying the gateway costs only time; judging by the last ping takes two reads a pass, and a write for every ping.
 *
 * @throws {AggregateError} of all failures, after the pass.
 */
export async function closeSilentConnections(
  deps: CloseSilentConnectionsDeps,
  { shards, isShared, untilMs }: SilentConnectionsPass,
): Promise<ClosedConnections> {
  const openedBeforeMs = deps.clock.now() - silenceMaxMs;
  const failures: unknown[] = [];
  const left = new Set<number>();
  let closed = 0;
  for (const shard of shards) {
    let position: string | null = null;
    do {
      const page = await deps.connections.listLive(shard, openedBeforeMs, position);
      position = page.position;
      const isCrowded = isShared && position !== null;
      if (isCrowded) left.add(shard);
      const places = isCrowded ? page.places.slice(0, atOnce) : page.places;
      for (let start = 0; start < places.length; start += atOnce) {
        const isEnough = isShared && closed >= closedPerRun;
        if (isEnough || failures.length >= failuresMax || deps.clock.now() >= untilMs) {
          left.add(shard);
          break;
        }
        closed += await closeSome(deps, places.slice(start, start + atOnce), failures);
      }
    } while (position !== null && !left.has(shard));
  }
  if (failures.length > 0) throw new AggregateError(failures, "not all silent connections were closed");
  return { closed, left: [...left] };
}

export function shardsOfMinute(nowMs: number): readonly number[] {
  const turn = minuteOf(nowMs, minutesPerPass);
  return [...Array(dueShards).keys()].filter((shard) => shard % minutesPerPass === turn);
}

async function closeSome(
  deps: CloseSilentConnectionsDeps,
  places: readonly LivePlace[],
  failures: unknown[],
): Promise<number> {
  const { connections, sockets, clock } = deps;
  const isYoung = ({ openedAtMs }: LivePlace) => openedAtMs > clock.now() - silenceMaxMs - helloSeenMs;
  const seeming = await connections.findLive(places.filter(isYoung), false);
  const rows = new Map(seeming.map((row) => [row.id, row]));
  const gone = new Set<string>();
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  };
  await forEachBounded(
    places,
    async (place) =>
      await attempt(async () => {
        if (!(await sockets.exists(place.websocketId))) gone.add(place.id);
      }),
    questionsAtOnce,
  );
  const isOver = (id: string, row: Connection | undefined) => gone.has(id) || row?.status === "pending";
  const over = places.filter(({ id }) => isOver(id, rows.get(id)));
  // The index, and the rows of the young connections, were read eventually consistently.
  const open = (await connections.findLive(over, true)).filter((row) => isOver(row.id, row));
  let closed = 0;
  await forEachBounded(
    open,
    async (connection) =>
      await attempt(async () => {
        if (!gone.has(connection.id)) await sockets.disconnect(connection.websocketId);
        await connections.close(connection, clock.now());
        closed += 1;
      }),
  );
  return closed;
}
