import { v7 } from "uuid";
import { describe, expect, it, vi } from "vitest";
import { createSweeper, type SweptShard } from "../../../functions/sweeper/app.ts";
import { sweeps } from "../../../shared/contract/service-metrics.ts";
import { ownKeyIdOf } from "../../../shared/domain/access/api-key.ts";
import { callerOfKey } from "../../../shared/domain/access/credentials.ts";
import { ownerOfObject } from "../../../shared/files/object-owner.ts";
import { AjvInputChecker } from "../../../shared/schema/ajv-input-checker.ts";
import { ownerOfSecret } from "../../../shared/secrets/secret-owner.ts";
import { DynamoServicePlaces } from "../../../shared/storage/matching/dynamo-service-places.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import {
  aConnection,
  aCredential,
  aMachine,
  anOrganization,
  aPool,
  aRun,
} from "../../support/builders/entities.ts";
import { aWebhookEndpoint } from "../../support/builders/webhooks.ts";
import { hello, tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

const minuteMs = 60_000;

function sweeperWorld() {
  const world = tunnelWorld();
  const secretOwner = (name: string) => ownerOfSecret("test", name);
  const matching = {
    checker: new AjvInputChecker(world),
    vanishedGraceMs: 2 * minuteMs,
    sessionIdleMs: 60 * minuteMs,
    runDays: 30,
  };
  const helpers: SweptShard[] = [];
  const helper = { start: async (work: SweptShard) => void helpers.push(work) };
  const newInstance = (
    settings: { readonly runDays?: number; readonly servicePlaces?: DynamoServicePlaces } = {},
  ) =>
    createSweeper({
      ...world,
      ...matching,
      ...settings,
      helper,
      secretOwner,
      objectOwner: ownerOfObject,
    });
  const sweep = newInstance();
  const sweepAll = async () => {
    for (let minute = 0; minute < 5; minute += 1) {
      await sweep();
      world.clock.advance(minuteMs);
    }
  };
  const swept = () => world.logger.lines.filter((line) => line.message === "swept").at(-1)?.fields;
  const iso = () => new Date(world.clock.now()).toISOString();
  return { ...world, newInstance, sweep, sweepAll, swept, iso, helpers };
}

describe("the line for places of the deployment's runs", () => {
  it("is counted each minute by the organizations in it", async () => {
    const world = sweeperWorld();
    const servicePlaces = new DynamoServicePlaces({ ...world, serviceExecutionsMax: 1 });
    vi.spyOn(servicePlaces, "keep").mockResolvedValue(0);
    for (const organizationId of [anOrganization(), anOrganization()])
      await servicePlaces.join(organizationId, ["idle"]);
    await world.newInstance({ servicePlaces })();
    expect(world.swept()).toMatchObject({ service_runs_max: 1, service_organizations_in_line: 2 });
  });
});

describe("a connection that the gateway has no more", () => {
  it("is closed 11 to 16 minutes after it was opened, and its machine is disconnected", async () => {
    const world = sweeperWorld();
    const driver = await world.driver({ key: await world.key() });
    const { lastSeen } = await world.machineOf(driver);
    world.sockets.vanish(driver.websocketId);
    world.clock.advance(6 * minuteMs);
    await world.sweepAll();
    expect((await world.machineOf(driver)).connection).not.toBeNull();
    world.clock.advance(1);
    await world.sweepAll();
    expect(await world.machineOf(driver)).toMatchObject({ connection: null, lastSeen });
    const closed = world.logger.lines.filter(({ fields }) => fields.silent_connections === 1);
    expect(closed).toHaveLength(1);
  });

  it("is closed within five minutes however long it was open", async () => {
    const world = sweeperWorld();
    const driver = await world.driver({ key: await world.key() });
    world.clock.advance(60 * minuteMs);
    await world.sweepAll();
    expect((await world.machineOf(driver)).connection).not.toBeNull();
    world.sockets.vanish(driver.websocketId);
    await world.sweepAll();
    expect((await world.machineOf(driver)).connection).toBeNull();
  });

  it("is asked for without a read, once in five minutes", async () => {
    const world = sweeperWorld();
    const driver = await world.driver({ key: await world.key() });
    const asked: string[] = [];
    const exists = world.sockets.exists.bind(world.sockets);
    world.sockets.exists = async (websocketId) => {
      asked.push(websocketId);
      return await exists(websocketId);
    };
    const read = vi.spyOn(world.connections, "findLive");
    const rowsRead = () => read.mock.calls.reduce((sum, [places]) => sum + places.length, 0);
    world.clock.advance(30 * minuteMs);
    await world.sweepAll();
    expect([asked, rowsRead()]).toEqual([[driver.websocketId], 0]);
  });

  it("that never said hello is closed as well", async () => {
    const world = sweeperWorld();
    const { websocketId } = await world.silent({ key: await world.key() });
    world.clock.advance(11 * minuteMs + 1);
    await world.sweepAll();
    expect(world.sockets.isOpen(websocketId)).toBe(false);
    expect((await world.connections.findByWebsocketId(websocketId))?.status).toBe("disconnected");
  });

  it("lives on once it has said hello, however late", async () => {
    const world = sweeperWorld();
    const { websocketId } = await world.silent({ key: await world.key() });
    world.clock.advance(10 * minuteMs);
    await world.send(websocketId, hello());
    world.clock.advance(minuteMs + 1);
    await world.sweepAll();
    expect(world.sockets.isOpen(websocketId)).toBe(true);
    expect((await world.connections.findByWebsocketId(websocketId))?.status).toBe("connected");
  });

  it("is one of many that a sweep closes; from half a page on helpers take a shard each", async () => {
    const world = sweeperWorld();
    const lastPing = world.iso();
    const opened = Array.from({ length: 520 }, () => aConnection(aMachine(), { lastPing }));
    for (const connection of opened) await world.connections.open(connection);
    const states = async () => {
      const found = await Promise.all(
        opened.map(({ organizationId, id }) => world.connections.find(organizationId, id)),
      );
      return found.filter((connection) => connection?.status === "disconnected").length;
    };
    world.clock.advance(12 * minuteMs);
    const turn = Math.floor(world.clock.now() / minuteMs) % 5;
    const first = opened.filter(({ id }) => Number.parseInt(id.slice(-1), 16) % 5 === turn);
    expect(first.length).toBeGreaterThanOrEqual(50);
    await world.sweep();
    expect(await states()).toBe(first.length);
    expect(world.helpers).toEqual(
      Array.from({ length: 16 }, (_, shard) => ({ sweep: "silent_connections", shard })),
    );
    for (const work of world.helpers) await world.sweep(work);
    expect(await states()).toBe(520);
    expect(world.swept()).not.toHaveProperty("waiting_runs");
  });

  it("of a crowded shard is left to a helper, but for a sample", async () => {
    const world = sweeperWorld();
    const listLive = world.connections.listLive.bind(world.connections);
    const driver = await world.driver({ key: await world.key() });
    const shard = Number.parseInt((await world.machineOf(driver)).connection?.id.slice(-1) ?? "", 16);
    let asked = 0;
    world.sockets.exists = async () => {
      asked += 1;
      return true;
    };
    world.connections.listLive = async (listed, before, position) => {
      const { places } = await listLive(listed, before, null);
      const many = places.flatMap((place) => Array(150).fill(place));
      return { places: many, position: listed === shard && position === null ? "more" : null };
    };
    world.clock.advance(30 * minuteMs);
    await world.sweepAll();
    expect([asked, world.helpers]).toEqual([100, [{ sweep: "silent_connections", shard }]]);
    expect(world.swept()).toMatchObject({ sweeps_behind: 0 });
    await world.sweep({ sweep: "silent_connections", shard });
    expect(asked).toBe(100 + 2 * 150);
  });

  it("is asked for until the sweep's time is over; a helper that has not finished is behind", async () => {
    const world = sweeperWorld();
    const driver = await world.driver({ key: await world.key() });
    const shard = Number.parseInt((await world.machineOf(driver)).connection?.id.slice(-1) ?? "", 16);
    const listLive = world.connections.listLive.bind(world.connections);
    world.connections.listLive = async (...given) => {
      const { places } = await listLive(...given);
      return { places: places.flatMap((place) => Array(500).fill(place)), position: null };
    };
    let asked = 0;
    world.sockets.exists = async () => {
      asked += 1;
      world.clock.advance(200);
      return true;
    };
    world.clock.advance(30 * minuteMs);
    await world.sweep({ sweep: "silent_connections", shard });
    expect([asked, world.swept()?.sweeps_behind]).toEqual([200, 1]);
  });

  it("is not looked for any more in a minute in which the gateway is away", async () => {
    const world = sweeperWorld();
    const opened = Array.from({ length: 400 }, () => aConnection(aMachine(), { lastPing: world.iso() }));
    for (const connection of opened) await world.connections.open(connection);
    let asked = 0;
    world.sockets.exists = async () => {
      asked += 1;
      throw new Error("the gateway is away");
    };
    world.clock.advance(30 * minuteMs);
    await expect(world.sweep()).rejects.toThrow("silent_connections");
    expect(asked).toBeLessThan(100);
  });

  it("that cannot be closed keeps no other from being closed, and the run fails", async () => {
    const world = sweeperWorld();
    const key = await world.key();
    const drivers = [await world.driver({ key }), await world.driver({ key }), await world.driver({ key })];
    for (const { websocketId } of drivers) world.sockets.vanish(websocketId);
    world.sockets.exists = async (websocketId) => {
      if (websocketId === drivers[0]?.websocketId) throw new Error("the gateway is away");
      return false;
    };
    world.clock.advance(12 * minuteMs);
    await expect(world.sweepAll()).rejects.toThrow("silent_connections");
    world.clock.advance(minuteMs);
    for (let minute = 1; minute < 5; minute += 1) {
      await world.sweep();
      world.clock.advance(minuteMs);
    }
    const machines = await Promise.all(drivers.map(world.machineOf));
    expect(machines.map(({ connection }) => connection !== null)).toEqual([true, false, false]);
  });
});

describe("a viewer", () => {
  it("is ended with goodbye expired once its session has ended, and not before", async () => {
    const world = sweeperWorld();
    const key = callerOfKey(await world.key(["read"]));
    const caller = { ...key, keyId: null, sessionEndsAtMs: world.clock.now() + minuteMs };
    const { websocketId, read } = await world.viewer(caller);
    world.clock.advance(minuteMs - 1);
    await world.sweep();
    expect([read(), world.sockets.isOpen(websocketId)]).toEqual([[], true]);
    world.clock.advance(1);
    await world.sweep();
    expect(read()).toEqual([{ type: "goodbye", code: "expired", retry_after_seconds: 0 }]);
    expect(world.sockets.isOpen(websocketId)).toBe(false);
    expect(world.swept()).toMatchObject({ ended_viewers: 1 });
  });

  it("of a key is ended after two hours", async () => {
    const world = sweeperWorld();
    const { websocketId } = await world.viewer(callerOfKey(await world.key(["read"])));
    world.clock.advance(2 * 60 * minuteMs);
    await world.sweep();
    expect(world.sockets.isOpen(websocketId)).toBe(false);
  });
});

describe("a revoked key", () => {
  it("has its connections ended with goodbye revoked, and no other's", async () => {
    const world = sweeperWorld();
    const key = await world.key();
    const other = await world.driver({
      key: await world.key(["driver"], { organizationId: key.organizationId }),
    });
    const driver = await world.driver({ key });
    await world.apiKeys.revoke(key.id, world.iso());
    await world.sweep();
    expect(world.sockets.messages(driver.websocketId).at(-1)).toEqual({
      type: "goodbye",
      code: "revoked",
      retry_after_seconds: null,
    });
    expect(world.sockets.isOpen(driver.websocketId)).toBe(false);
    expect((await world.machineOf(driver)).connection).toBeNull();
    expect(world.sockets.isOpen(other.websocketId)).toBe(true);
  });

  it("has its viewers ended, too, and no other's", async () => {
    const world = sweeperWorld();
    const key = await world.key(["read"]);
    const other = await world.key(["read"], { organizationId: key.organizationId });
    const [viewer, stranger] = [await world.viewer(callerOfKey(key)), await world.viewer(callerOfKey(other))];
    await world.apiKeys.revoke(key.id, world.iso());
    await world.sweep();
    expect(viewer.read()).toEqual([{ type: "goodbye", code: "revoked", retry_after_seconds: null }]);
    expect([viewer, stranger].map(({ websocketId }) => world.sockets.isOpen(websocketId))).toEqual([
      false,
      true,
    ]);
    expect(await world.viewers.list(key.organizationId)).toHaveLength(1);
  });

  it("is one as well that has expired, and not before", async () => {
    const world = sweeperWorld();
    const expiresAt = new Date(world.clock.now() + minuteMs).toISOString();
    const key = await world.key(["driver"], { id: ownKeyIdOf(v7()), expiresAt });
    const driver = await world.driver({ key });
    await world.sweep();
    expect(world.sockets.isOpen(driver.websocketId)).toBe(true);
    world.clock.advance(minuteMs);
    await world.sweep();
    expect(world.sockets.isOpen(driver.websocketId)).toBe(false);
  });

  it("is settled only when no instance can remember it any more", async () => {
    const world = sweeperWorld();
    const key = await world.key();
    await world.apiKeys.revoke(key.id, world.iso());
    await world.sweep();
    expect(await world.apiKeys.listRevocations(10, world.clock.now())).toHaveLength(1);
    world.clock.advance(2 * minuteMs + 1);
    await world.sweep();
    expect(await world.apiKeys.listRevocations(10, world.clock.now())).toEqual([]);
  });

  it("is not settled while a connection of it could not be closed", async () => {
    const world = sweeperWorld();
    const key = await world.key();
    await world.driver({ key });
    await world.apiKeys.revoke(key.id, world.iso());
    world.clock.advance(3 * minuteMs);
    world.sockets.failures.push(new Error("the gateway is away"));
    await expect(world.sweep()).rejects.toThrow("revoked_connections");
    expect(await world.apiKeys.listRevocations(10, world.clock.now())).toHaveLength(1);
    await world.sweep();
    expect(await world.apiKeys.listRevocations(10, world.clock.now())).toEqual([]);
  });
});

describe("a secret that nothing names", () => {
  async function withSecrets() {
    const world = sweeperWorld();
    const machine = await world.machineOf(await world.driver({ key: await world.key() }));
    const { organizationId, id } = machine;
    const named = world.secrets.secretName(organizationId, { kind: "machine", id }, v7());
    const unnamed = world.secrets.secretName(organizationId, { kind: "machine", id }, v7());
    for (const name of [named, unnamed]) await world.secrets.create(name, { password: "x" });
    await world.machines.update(organizationId, id, { secretName: named });
    return { ...world, machine, named, unnamed };
  }

  async function leftAfterADay(world: ReturnType<typeof sweeperWorld>) {
    world.clock.advance(24 * 60 * minuteMs + 1);
    await world.sweep();
    return world.secrets.names();
  }

  it("is removed after 24 hours, and one that its machine names never", async () => {
    const world = await withSecrets();
    await world.sweep();
    expect(world.secrets.names()).toHaveLength(2);
    expect(await leftAfterADay(world)).toEqual([world.named]);
  });

  it("is removed when its machine is gone altogether", async () => {
    const world = await withSecrets();
    const { organizationId, id } = world.machine;
    await world.machines.markDeleted(organizationId, id, world.iso());
    await world.machines.remove(organizationId, id);
    expect(await leftAfterADay(world)).toEqual([]);
  });

  it.each(["pool", "provider", "webhook"] as const)(
    "of a %s is removed when that names another one, or is gone",
    async (kind) => {
      const world = sweeperWorld();
      const organizationId = anOrganization();
      const [id, otherId] = kind === "provider" ? ["openai", "google"] : [v7(), v7()];
      const nameOf = (of: string) => world.secrets.secretName(organizationId, { kind, id: of }, v7());
      const [secretName, replaced, gone] = [nameOf(id), nameOf(id), nameOf(otherId)];
      for (const name of [secretName, replaced, gone]) await world.secrets.create(name, { secret: "x" });
      const owner = { organizationId, id, secretName };
      await {
        pool: () => world.pools.create(aPool(owner)),
        provider: () =>
          world.providerCredentials.replace(aCredential({ ...owner, slot: "openai" }), undefined),
        webhook: () => world.webhookEndpoints.create(aWebhookEndpoint(owner)),
      }[kind]();
      expect(await leftAfterADay(world)).toEqual([secretName]);
    },
  );

  it("of another deployment, or whose owner cannot be told, is left alone", async () => {
    const world = sweeperWorld();
    const foreign = ["das/production/org/machine/x/y", `das/other/org/machine/${v7()}/${v7()}`, "something"];
    for (const name of foreign) await world.secrets.create(name, { password: "x" });
    world.clock.advance(25 * 60 * minuteMs);
    await world.sweep();
    expect(world.secrets.names()).toEqual(foreign);
  });

  it("is looked for page by page, in any instance, once an hour", async () => {
    const world = sweeperWorld();
    const cursors: (string | null)[] = [];
    world.secrets.listOlderThan = async ({ cursor }: { readonly cursor: string | null }) => {
      cursors.push(cursor);
      return { names: [], ...(cursor === null && { cursor: "page 2" }) };
    };
    for (let run = 0; run < 4; run++) {
      await world.newInstance()();
      world.clock.advance(minuteMs);
    }
    expect(cursors).toEqual([null, "page 2"]);
    world.clock.advance(60 * minuteMs);
    await world.sweep();
    expect(cursors).toEqual([null, "page 2", null]);
  });
});

describe("a run that ended", () => {
  const dayMs = 24 * 60 * minuteMs;

  async function setUp() {
    const world = sweeperWorld();
    const run = aRun({ organizationId: anOrganization() });
    await world.table.put(runItem(run));
    const change = { status: "cancelled" as const, endedAt: world.iso() };
    await world.runs.update(run.organizationId, run.id, change, {});
    const find = async () => await world.runs.find(run.organizationId, run.id);
    return { world, run, find };
  }

  it("is deleted when its time is over, as by DELETE, and not before", async () => {
    const { world, run, find } = await setUp();
    world.clock.advance(30 * dayMs - 1);
    await world.sweep();
    expect(await find()).toBeDefined();
    world.clock.advance(1);
    await world.sweep();
    expect(await find()).toBeUndefined();
    expect(world.swept()).toMatchObject({ expired_runs: 1 });
    expect(await world.runs.findDeleted(run.organizationId, run.id)).toBeDefined();
  });

  it("leaves those that there is no time for, and says that it is behind", async () => {
    const { world } = await setUp();
    world.clock.advance(31 * dayMs);
    const list = world.runs.listEndedBefore.bind(world.runs);
    world.runs.listEndedBefore = async (untilMs, limit) => {
      const [run] = await list(untilMs, 1);
      world.clock.advance(40_000);
      return run ? Array.from({ length: limit }, () => run) : [];
    };
    await world.sweep();
    expect(world.swept()).toMatchObject({ expired_runs: 500, sweeps_behind: 1 });
    await world.sweep();
    expect(world.swept()).toMatchObject({ expired_runs: 0, sweeps_behind: 0 });
  });

  it("is kept while the setting is 0", async () => {
    const { world, find } = await setUp();
    world.clock.advance(10_000 * dayMs);
    await world.newInstance({ runDays: 0 })();
    expect(await find()).toBeDefined();
  });

  it("is kept when it is retried just then", async () => {
    const { world, run, find } = await setUp();
    world.clock.advance(31 * dayMs);
    const list = world.runs.listEndedBefore.bind(world.runs);
    world.runs.listEndedBefore = async (...page) => {
      const ended = await list(...page);
      await world.table.put(runItem({ ...run, status: "scheduling", endedAt: null }));
      return ended;
    };
    await world.sweep();
    expect(await find()).toMatchObject({ status: "scheduling" });
  });
});

describe("a run of the sweeper", () => {
  it("does all sweeps when one fails, and then fails itself, naming it", async () => {
    const world = sweeperWorld();
    const driver = await world.driver({ key: await world.key() });
    world.sockets.vanish(driver.websocketId);
    world.due.listDeleted = async () => {
      throw new Error("the table is away");
    };
    world.clock.advance(12 * minuteMs);
    await expect(world.sweep()).rejects.toThrow("sweeps failed: deletions");
    expect((await world.machineOf(driver)).connection).toBeNull();
    expect(world.swept()).toMatchObject({ silent_connections: 1, failed: ["deletions"], sweeps_behind: 1 });
  });

  it("says in one line what every sweep repaired, and how the fleet is", async () => {
    const world = sweeperWorld();
    await world.driver({ key: await world.key() });
    await world.sweep();
    for (const sweep of sweeps) expect(world.swept()).toHaveProperty(sweep, expect.any(Number));
    expect(world.swept()).toMatchObject({
      silent_connections: 0,
      unnamed_secrets: 0,
      connected_machines: 1,
      runs_waiting: 0,
      oldest_waiting_ms: 0,
    });
  });

  it("sweeps although the fleet cannot be counted, and fails itself", async () => {
    const world = sweeperWorld();
    const driver = await world.driver({ key: await world.key() });
    world.sockets.vanish(driver.websocketId);
    world.fleet.read = async () => {
      throw new Error("the table is away");
    };
    world.clock.advance(12 * minuteMs);
    await expect(world.sweep()).rejects.toThrow("sweeps failed: fleet");
    expect((await world.machineOf(driver)).connection).toBeNull();
    expect(world.swept()).not.toHaveProperty("connected_machines");
  });

  it("counts apart what the projector had left undone", async () => {
    const world = sweeperWorld();
    const driver = await world.driver({ key: await world.key() });
    const { organizationId, id } = await world.machineOf(driver);
    await world.machines.markDeleted(organizationId, id, world.iso());
    world.clock.advance(3 * minuteMs);
    await world.sweep();
    expect(world.swept()).toMatchObject({ deletions: 1, deletions_left_over: 1 });
  });
});
