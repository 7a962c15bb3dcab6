import { randomBytes, randomUUID } from "node:crypto";
import { createSweeper } from "../../functions/sweeper/app.ts";
import { createTunnelHandler } from "../../functions/tunnel/app.ts";
import { organizationIdOf } from "../../shared/domain/access/organization-id.ts";
import { ownerOfObject } from "../../shared/files/object-owner.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { hello, tunnelWorld } from "../support/tunnel-world/tunnel-world.ts";
import { type Capacity, CapacityMeter } from "./capacity-meter.ts";
import type { Figure } from "./figure.ts";

const machines = 1_000;
const minuteMs = 60_000;
const hours = 730;
const pings = machines * hours * 12;
/** After 90 to 115 minutes. */
const reconnects = (machines * hours * 60) / 102.5;

/** us-east-1, November 2026; the pages of DEPLOY.md, "What a million calls cost". */
const usd = {
  connectionMinute: 0.25e-6,
  message: 1e-6,
  invocation: 0.2e-6,
  /** 1,024 MB on Arm. */
  second: 0.0000133334,
  write: 0.625e-6,
  read: 0.125e-6,
  logs: 0.4,
};
/** Of an invocation of `tunnel`, assumed: one write and one message. */
const invocationSeconds = 0.008;
const usdMax = 45;

/** What a month of machines costs that are connected and asked for nothing: counted on the model, and multiplied. */
export async function measureMachines(): Promise<readonly Figure[]> {
  const fleet = await createFleet(machines);
  const ping = await fleet.meter.of(fleet.ping);
  const connect = await fleet.meter.of(fleet.connect);
  const greet = await fleet.meter.of(fleet.greet);
  const disconnect = await fleet.meter.of(fleet.disconnect);
  const expire = await fleet.meter.of(fleet.expire);
  const swept = await fleet.sweepHour();
  const idle = await (await createFleet(0)).sweepHour();
  const sweeps = { reads: swept.reads - idle.reads, writes: swept.writes - idle.writes };

  const reconnect = [connect, greet, disconnect, expire];
  const table = (parts: readonly Capacity[], times: number) =>
    times * parts.reduce((sum, { reads, writes }) => sum + reads * usd.read + writes * usd.write, 0);
  const invocations = pings + 3 * reconnects;
  // Pings and pongs; hello, welcome, and goodbye to the connection before.
  const messages = 2 * pings + 3 * reconnects;
  const parts: readonly (readonly [string, string, number])[] = [
    ["WebSocket API, minutes", millions(machines * hours * 60), machines * hours * 60 * usd.connectionMinute],
    ["WebSocket API, messages", millions(messages), messages * usd.message],
    [
      "tunnel",
      `${millions(invocations)} of ${invocationSeconds * 1_000} ms`,
      invocations * (usd.invocation + invocationSeconds * usd.second),
    ],
    ["table, a ping", units(ping), table([ping], pings)],
    ["table, a connection", units(...reconnect), table(reconnect, reconnects)],
    ["table, the sweeper's reads, an hour", units(sweeps), table([sweeps], hours)],
    ["logs", "", usd.logs],
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

/** Machines with one key, whose drivers keep a secret and have proved it. The last of them is measured. */
async function createFleet(size: number) {
  const world = tunnelWorld();
  const { clock, sockets } = world;
  const handler = createTunnelHandler({ ...world, keyConnectionsMax: 2 * machines });
  // As long as the ids of usual identity providers.
  const organizationId = organizationIdOf(`org_${randomBytes(14).toString("hex").slice(1)}`);
  const key = await world.key(["driver"], { organizationId });
  const receive = async (websocketId: string, eventType: "CONNECT" | "MESSAGE" | "DISCONNECT", rest = {}) =>
    await handler({
      ...rest,
      requestContext: {
        ...{ eventType, connectionId: websocketId, apiId: "a1b2c3d4e5", stage: "live" },
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
      ...{ hostname: "desk-0427.office.example", os_info: "Ubuntu 24.04.1 LTS", version: "2.4.1" },
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
  const measured = drivers.at(-1) ?? { fingerprint: "", websocketId: "", secret: undefined };
  let replaced = "";
  const meter = new CapacityMeter(world.model);
  const pingAll = async (some: readonly Driver[]): Promise<void> => {
    for (const { websocketId } of some) {
      await send(websocketId, { type: "ping", at: 1 });
      if (sockets.messages(websocketId).at(-1)?.type !== "pong") throw new Error("a ping was not answered");
    }
  };
  return {
    meter,
    ping: async (): Promise<void> => {
      clock.advance(5 * minuteMs);
      await pingAll([measured]);
    },
    connect: async (): Promise<void> => {
      replaced = measured.websocketId;
      await shakeHands(measured);
    },
    greet: async () => await greet(measured),
    disconnect: async () => await receive(replaced, "DISCONNECT"),
    /** The projector's work on what TTL has removed, which is free. */
    expire: async (): Promise<void> => {
      const closed = await world.connections.findByWebsocketId(replaced);
      if (closed?.status !== "disconnected") throw new Error("the connection before is not closed");
      await world.connections.settleExpired(closed.organizationId, closed.id, clock.now());
    },
    /** Once all are idle and noted so. */
    sweepHour: async (): Promise<Capacity> => {
      const sweep = createSweeper({
        ...world,
        checker: new AjvInputChecker(world),
        ...{ vanishedGraceMs: 2 * minuteMs, sessionIdleMs: 60 * minuteMs, runDays: 30 },
        ...{ secretOwner: () => undefined, objectOwner: ownerOfObject, helper: { start: async () => {} } },
      });
      const minutes = async (count: number): Promise<Capacity> => {
        let [reads, writes] = [0, 0];
        for (let minute = 0; minute < count; minute += 1) {
          await pingAll(drivers.filter((_, at) => at % 5 === minute % 5));
          const spent = await meter.of(async () => await sweep());
          reads += spent.reads;
          writes += spent.writes;
          clock.advance(minuteMs);
        }
        return { reads, writes };
      };
      await pingAll(drivers);
      await minutes(30);
      return await minutes(60);
    },
  };
}

interface Driver {
  readonly fingerprint: string;
  websocketId: string;
  secret: string | undefined;
}

function units(...parts: readonly Capacity[]): string {
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const writes = sumOf(parts.map((part) => part.writes));
  return `${writes} writes, ${sumOf(parts.map((part) => part.reads))} reads`;
}

function millions(count: number): string {
  return `${(count / 1e6).toFixed(2)} million`;
}
