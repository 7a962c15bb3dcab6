import { randomBytes, randomUUID } from "node:crypto";
import { createSweeper } from "../../functions/sweeper/app.ts";
import { createTunnelHandler } from "../../functions/tunnel/app.ts";
import { organizationIdOf } from "../../shared/domain/organization-id.ts";
import { ownerOfObject } from "../../shared/files/object-owner.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import type { Capacity } from "../support/capacity/capacity.ts";
import { ModelMeter } from "../support/capacity/model-meter.ts";
import { hoursPerMonth, tunnelSeconds, unnotedSeconds, usd } from "../support/prices.ts";
import { hello, tunnelWorld } from "../support/tunnel-world/tunnel-world.ts";
import type { Figure } from "./figure.ts";
import { sized } from "./sized.ts";

const machines = sized(1_000, 100);
const minuteMs = 60_000;
const hours = hoursPerMonth;
const pings = machines * hours * 12;
/** Machines reconnect after 90 to 115 minutes, so that in this fleet one does every six seconds. */
const connectEveryMs = 6_000;
const reconnects = (machines * hours * 60) / 102.5;

/** The sweeper checks 50 connections at once with half of that memory; its share of a CPU is that in `fleet`. */
const questionSeconds = 0.004 / 2;
const logsUsd = 0.4;
const usdMax = 45;

/**
 * Computes the monthly cost of machines that are connected and idle: one hour of the fleet is counted on the model,
 * with one instance of each function, and multiplied.
 */
export async function measureMachines(): Promise<readonly Figure[]> {
  const fleet = await createFleet(machines);
  const hour = await fleet.spendHour();
  const idle = await (await createFleet(0)).spendHour();
  const { ping, connect, greet, disconnect } = hour;
  const expire = await fleet.meter.of(fleet.expire);
  const sweeps = {
    reads: hour.swept.reads - idle.swept.reads,
    writes: hour.swept.writes - idle.swept.writes,
  };
  const questions = hour.questions * hours;
  const noted = pings * hour.notedShare;

  const reconnect = [connect, greet, disconnect, expire];
  const table = (parts: readonly Capacity[], times: number) =>
    times * parts.reduce((sum, { reads, writes }) => sum + reads * usd.read + writes * usd.write, 0);
  const invocations = noted + 3 * reconnects;
  // Pings and pongs; hello, welcome, and goodbye to the connection before.
  const messages = 2 * pings + 3 * reconnects;
  const parts: readonly (readonly [string, string, number])[] = [
    ["WebSocket API, minutes", millions(machines * hours * 60), machines * hours * 60 * usd.connectionMinute],
    ["WebSocket API, messages", millions(messages), messages * usd.message],
    [
      "tunnel, with a write",
      `${millions(invocations)} of ${tunnelSeconds * 1_000} ms`,
      invocations * (usd.invocation + tunnelSeconds * usd.gigabyteSecond),
    ],
    [
      "tunnel, a ping that is not noted",
      `${millions(pings - noted)} of ${unnotedSeconds * 1_000} ms`,
      (pings - noted) * (usd.invocation + unnotedSeconds * usd.gigabyteSecond),
    ],
    ["table, a ping", units(ping), table([ping], pings)],
    ["table, a connection", units(...reconnect), table(reconnect, reconnects)],
    ["table, the sweeper's reads, an hour", units(sweeps), table([sweeps], hours)],
    // Without messages and minutes, by which WebSocket APIs are billed.
    [
      "the sweeper's GET @connections, its time",
      millions(questions),
      questions * questionSeconds * usd.gigabyteSecond,
    ],
    ["logs", "", logsUsd],
  ];
  const together = parts.reduce((sum, [, , cost]) => sum + cost, 0);
  return [
    ...parts.map(([figure, much, cost]) => ({ figure, measured: `${much} $${cost.toFixed(2)}`, target: "" })),
    ...[
      { figure: "of a connection: $connect", measured: units(connect), target: "" },
      { figure: "hello, with the end of the one before", measured: units(greet), target: "" },
      { figure: "$disconnect of that one", measured: units(disconnect), target: "" },
      { figure: "its removal after 30 days", measured: units(expire), target: "" },
    ],
    {
      figure: `${machines} machines, a month`,
      measured: `$${together.toFixed(2)}`,
      target: `at most $${usdMax}`,
      isReached: together <= usdMax,
    },
  ];
}

/** Machines with one key, whose drivers keep a secret and have proved it. */
async function createFleet(size: number) {
  const world = tunnelWorld();
  const { clock, sockets } = world;
  const handler = createTunnelHandler({ ...world, keyConnectionsMax: 2 * machines });
  // The id is as long as those of usual identity providers.
  const organizationId = organizationIdOf(`org_${randomBytes(14).toString("hex").slice(1)}`);
  const key = await world.key(["driver"], { organizationId });
  const receive = async (websocketId: string, eventType: "CONNECT" | "MESSAGE" | "DISCONNECT", rest = {}) =>
    await handler({
      ...rest,
      requestContext: {
        eventType,
        connectionId: websocketId,
        apiId: "a1b2c3d4e5",
        stage: "live",
        requestId: randomUUID(),
        identity: { sourceIp: "203.0.113.27" },
      },
    });
  const send = async (websocketId: string, message: object) =>
    await receive(websocketId, "MESSAGE", { body: JSON.stringify(message) });
  const shakeHands = async (driver: Driver): Promise<void> => {
    driver.websocketId = `${randomBytes(10).toString("base64url")}=`;
    const { statusCode } = await receive(driver.websocketId, "CONNECT", {
      headers: {
        Authorization: key.bearer,
        "X-Machine-Fingerprint": driver.fingerprint,
        "X-Machine-Hostname": "desk-0427.office.example",
        "X-Machine-Name": "Front desk 427",
        "X-Driver-Version": "2.4.1",
        ...(driver.secret !== undefined && { "X-Machine-Secret": driver.secret }),
      },
    });
    if (statusCode !== 200) throw new Error(`a handshake was answered ${statusCode}`);
    sockets.open(driver.websocketId);
  };
  const greet = async (driver: Driver): Promise<void> => {
    const fields = {
      hostname: "desk-0427.office.example",
      os_info: "Ubuntu 24.04.1 LTS",
      version: "2.4.1",
      capabilities: ["machine_secret", "computer/batch", "screenshot_settle", "single_part_unacknowledged"],
    };
    await send(driver.websocketId, hello(fields));
    for (const message of sockets.messages(driver.websocketId)) {
      if (message.type === "welcome") driver.secret = message.machine_secret ?? driver.secret;
    }
  };
  const drivers: Driver[] = [];
  for (let count = 0; count < size; count += 1) {
    const driver = { fingerprint: randomUUID(), websocketId: "", secret: undefined };
    drivers.push(driver);
    for (let times = 0; times < 2; times += 1) {
      const before = driver.websocketId;
      await shakeHands(driver);
      await greet(driver);
      if (before !== "") await receive(before, "DISCONNECT");
    }
    // A key may make 60 machines a minute.
    if (count % 50 === 0) clock.advance(minuteMs);
  }
  let replaced = "";
  const meter = new ModelMeter(world.model);
  const pingAll = async (some: readonly Driver[], pinged: Spent): Promise<void> => {
    for (const { websocketId } of some) {
      await pinged.add(async () => await send(websocketId, { type: "ping", at: 1 }));
      if (sockets.messages(websocketId).at(-1)?.type !== "pong") throw new Error("a ping was not answered");
    }
  };
  return {
    meter,
    /** The projector's work on rows that TTL deleted, which is free. */
    expire: async (): Promise<void> => {
      const closed = await world.connections.findByWebsocketId(replaced);
      if (closed?.status !== "disconnected") throw new Error("the connection before is not closed");
      await world.connections.settleExpired(closed.organizationId, closed.id, clock.now());
    },
    /** Counts an hour of idle machines: each pings every five minutes, and one reconnects every six seconds. */
    spendHour: async () => {
      let questions = 0;
      const asking = {
        disconnect: async (websocketId: string) => await sockets.disconnect(websocketId),
        exists: async (websocketId: string) => {
          questions += 1;
          return await sockets.exists(websocketId);
        },
      };
      const sweep = createSweeper({
        ...world,
        sockets: asking,
        checker: new AjvInputChecker(world),
        vanishedGraceMs: 2 * minuteMs,
        sessionIdleMs: 60 * minuteMs,
        runDays: 30,
        secretOwner: () => undefined,
        objectOwner: ownerOfObject,
        helper: { start: async () => {} },
      });
      let next = 0;
      const spend = async (minutes: number) => {
        const [pinged, connected, greeted, disconnected, swept] = Array.from(
          { length: 5 },
          () => new Spent(meter),
        ) as [Spent, Spent, Spent, Spent, Spent];
        questions = 0;
        for (let minute = 0; minute < minutes; minute += 1) {
          await pingAll(
            drivers.filter((_, at) => at % 5 === minute % 5),
            pinged,
          );
          await swept.add(async () => await sweep());
          for (let until = clock.now() + minuteMs; clock.now() < until; clock.advance(connectEveryMs)) {
            const driver = drivers[next % drivers.length];
            next += 1;
            if (!driver) continue;
            replaced = driver.websocketId;
            await connected.add(async () => await shakeHands(driver));
            await greeted.add(async () => await greet(driver));
            await disconnected.add(async () => await receive(replaced, "DISCONNECT"));
          }
        }
        return {
          ping: pinged.average(),
          notedShare: pinged.writing / pinged.times,
          questions,
          connect: connected.average(),
          greet: greeted.average(),
          disconnect: disconnected.average(),
          swept: swept.sum,
        };
      };
      await spend(60);
      return await spend(60);
    },
  };
}

/** The capacity used by calls of one kind. */
class Spent {
  readonly #meter: ModelMeter;
  sum: Capacity = { reads: 0, writes: 0 };
  times = 0;
  /** Number of calls that wrote. */
  writing = 0;

  constructor(meter: ModelMeter) {
    this.#meter = meter;
  }

  async add(work: () => Promise<unknown>): Promise<void> {
    const { reads, writes } = await this.#meter.of(work);
    this.sum = { reads: this.sum.reads + reads, writes: this.sum.writes + writes };
    this.times += 1;
    if (writes > 0) this.writing += 1;
  }

  average(): Capacity {
    return { reads: this.sum.reads / this.times, writes: this.sum.writes / this.times };
  }
}

interface Driver {
  readonly fingerprint: string;
  websocketId: string;
  secret: string | undefined;
}

function units(...parts: readonly Capacity[]): string {
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const writes = sumOf(parts.map((part) => part.writes));
  return `${decimals(writes)} writes, ${decimals(sumOf(parts.map((part) => part.reads)))} reads`;
}

function millions(count: number): string {
  return `${(count / 1e6).toFixed(2)} million`;
}

/** At most two decimals. */
function decimals(count: number): string {
  return String(Math.round(count * 100) / 100);
}
