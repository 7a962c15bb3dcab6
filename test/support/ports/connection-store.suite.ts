import { describe, expect, it } from "vitest";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import type { Connection } from "../../../shared/domain/connection/connection.ts";
import { type OrganizationId, organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { DynamoConnectionStore } from "../../../shared/storage/connection/dynamo-connection-store.ts";
import { connectionKey } from "../../../shared/storage/table/keys.ts";
import { aConnection, aMachine, anOrganization } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function connectionStoreSuite(create: CreateTableStores): void {
  const setUp = async (fields: Parameters<typeof aMachine>[0] = {}) => {
    const stores = create();
    const machine = aMachine({ name: "front desk", ...fields });
    await stores.machines.create(machine);
    const connection = aConnection(machine, {
      facts: { name: "from the handshake", osInfo: "Linux" },
      remotePeerId: "peer-1",
    });
    const now = Date.parse(connection.connectedAt) + 1_000;
    const machineNow = () => stores.machines.find(machine.organizationId, machine.id);
    const connectionNow = (id = connection.id) => stores.connections.find(machine.organizationId, id);
    return { ...stores, machine, connection, now, machineNow, connectionNow };
  };
  type World = Awaited<ReturnType<typeof setUp>>;

  const connected = async () => {
    const world = await setUp();
    await world.connections.open(world.connection);
    await world.connections.activate(world.connection, {}, world.now);
    return world;
  };

  const openNewer = async ({ connections, machine }: World) => {
    const newer = aConnection(machine);
    await connections.open(newer);
    return newer;
  };

  describe("a connection store", () => {
    it("finds an opened connection by its id and by its websocket id", async () => {
      const { connections, connection, connectionNow } = await setUp();
      await connections.open(connection);
      expect(await connectionNow()).toEqual({ ...connection, facts: {} });
      expect(await connections.findByWebsocketId(connection.websocketId)).toEqual(connection);
      expect(await connections.findByWebsocketId(connection.websocketId)).toEqual(connection);
      expect(await connections.findByWebsocketId("unknown=")).toBeUndefined();
      expect(await connections.find(organizationIdOf("org_other"), connection.id)).toBeUndefined();
    });

    it("finds what the handshake said by the websocket id, in any instance, its facts until the hello", async () => {
      const { connections, connection, now, table } = await setUp();
      const shown = {
        ...connection,
        shownSecretDigest: "shown",
        keepaliveForMachineId: connection.machineId,
      };
      await connections.open(shown);
      const found = async () =>
        await new DynamoConnectionStore({ table }).findByWebsocketId(connection.websocketId);
      expect(await found()).toEqual(shown);
      await connections.activate(shown, {}, now);
      const greeted = { status: "connected", facts: {}, shownSecretDigest: "shown" } as const;
      expect(await found()).toMatchObject(greeted);
      expect(await connections.findByWebsocketId(connection.websocketId)).toMatchObject(greeted);
    });

    it("says since when a machine is without its connection, until it has one again", async () => {
      const world = await connected();
      expect((await world.machineNow())?.disconnectedAt).toBeNull();
      await world.connections.close(world.connection, world.now + 5);
      expect((await world.machineNow())?.disconnectedAt).toBe(isoTimestamp(world.now + 5));
      await world.connections.close(world.connection, world.now + 9);
      expect((await world.machineNow())?.disconnectedAt).toBe(isoTimestamp(world.now + 5));
      await world.connections.activate(await openNewer(world), {}, world.now + 10);
      expect((await world.machineNow())?.disconnectedAt).toBeNull();
      await world.connections.close(world.connection, world.now + 11);
      expect((await world.machineNow())?.disconnectedAt).toBeNull();
    });

    it("lists an organization's connections, newest first, by machine and by status", async () => {
      const world = await connected();
      const { connections, machine, connection, now } = world;
      const newer = await openNewer(world);
      const { organizationId } = machine;
      const all = { skip: 0, limit: 10 };
      const ids = async (filter: Parameters<typeof connections.list>[1], page = all) => {
        const { items, total } = await connections.list(organizationId, filter, page);
        return { ids: items.map(({ id }) => id), total };
      };
      expect(await ids({})).toEqual({ ids: [newer.id, connection.id], total: 2 });
      expect(await ids({}, { skip: 1, limit: 1 })).toEqual({ ids: [connection.id], total: 2 });
      expect(await ids({ machineId: machine.id })).toEqual({ ids: [newer.id, connection.id], total: 2 });
      expect(await ids({ machineId: "0190b5a0-0000-7000-8000-00000000dead" })).toEqual({ ids: [], total: 0 });
      expect(await ids({ status: "connected" })).toEqual({ ids: [connection.id], total: 1 });
      expect(await ids({ machineId: machine.id, status: "pending" })).toEqual({ ids: [newer.id], total: 1 });
      await connections.close(connection, now);
      expect(await ids({ status: "disconnected" })).toEqual({ ids: [connection.id], total: 1 });
      expect(await connections.list(organizationIdOf("org_other"), {}, all)).toEqual({ items: [], total: 0 });
    });

    it("forgets a closed connection once, and no open one", async () => {
      const { connections, machine, connection, now, connectionNow } = await connected();
      const { organizationId } = machine;
      expect(await connections.remove(organizationId, connection.id, now)).toBe(false);
      await connections.close(connection, now);
      expect(await connections.remove(organizationIdOf("org_other"), connection.id, now)).toBe(false);
      expect(await connections.remove(organizationId, connection.id, now)).toBe(true);
      expect(await connections.remove(organizationId, connection.id, now)).toBe(false);
      expect(await connectionNow()).toBeUndefined();
      expect((await connections.list(organizationId, {}, { skip: 0, limit: 1 })).total).toBe(0);
    });

    it("opens no connection with the websocket id of another", async () => {
      const { connections, connection, machine, connectionNow } = await setUp();
      await connections.open(connection);
      const other = aConnection(machine, { websocketId: connection.websocketId });
      await expect(connections.open(other)).rejects.toThrow("another connection has this websocket id");
      expect(await connectionNow(other.id)).toBeUndefined();
      expect(await connections.findByWebsocketId(connection.websocketId)).toEqual(connection);
    });

    it("changes nothing when a connection is opened again", async () => {
      const { connections, connection, now, connectionNow } = await setUp();
      await connections.open(connection);
      await connections.activate(connection, {}, now);
      await connections.open(connection);
      expect(await connectionNow()).toMatchObject({ status: "connected" });
    });

    it("does not connect the machine before the hello", async () => {
      const { connections, connection, machine, machineNow } = await setUp();
      await connections.open(connection);
      expect(await machineNow()).toEqual(machine);
      expect(await connections.listConnected(machine.organizationId)).toEqual([]);
    });

    it("gives the machine its connection, its facts and its key with the hello", async () => {
      const { connections, connection, machine, now, machineNow, connectionNow } = await setUp();
      await connections.open(connection);
      const outcome = await connections.activate(connection, { hostname: "desk-7", version: "2.0" }, now);
      expect(outcome).toEqual({ kind: "active", superseded: null });
      expect(await machineNow()).toEqual({
        ...machine,
        hostname: "desk-7",
        version: "2.0",
        lastSeen: isoTimestamp(now),
        keyServiceKeyId: connection.keyId,
        connection: {
          id: connection.id,
          websocketId: connection.websocketId,
          host: connection.host,
          lastPing: isoTimestamp(now),
        },
        revision: 2,
      });
      expect(await connectionNow()).toEqual({
        ...connection,
        status: "connected",
        lastPing: isoTimestamp(now),
        facts: {},
      });
    });

    it("gives the machine a pending secret with the hello, and another with a hello again", async () => {
      const { connections, connection, now, machineNow } = await setUp();
      const none = { secretDigest: null, pendingSecretDigest: null, isShown: false };
      await connections.open(connection);
      const say = async (pendingSecretDigest: string | null, nextDigest: string) =>
        await connections.activate(connection, {}, now, {
          secret: { ...none, pendingSecretDigest, nextDigest },
        });
      expect(await say(null, "first")).toEqual({ kind: "active", superseded: null });
      expect(await machineNow()).toMatchObject({ secretDigest: null, pendingSecretDigest: "first" });
      expect(await say("first", "second")).toEqual({ kind: "active", superseded: null });
      expect(await say("first", "third")).toEqual({ kind: "secret_changed" });
      expect(await machineNow()).toMatchObject({ secretDigest: null, pendingSecretDigest: "second" });
    });

    it("gives a machine to nobody once it has another secret than was read", async () => {
      const { connections, connection, machine, now, machineNow } = await setUp({ secretDigest: "own" });
      const secret = { secretDigest: null, pendingSecretDigest: null, isShown: false, nextDigest: null };
      await connections.open(connection);
      expect(await connections.activate(connection, {}, now, { secret })).toEqual({ kind: "secret_changed" });
      expect(await machineNow()).toEqual(machine);
    });

    it("keeps the address of the one whose place was taken without the secret", async () => {
      const { connections, connection, machine, now } = await setUp({ secretDigest: "own" });
      const secret = { secretDigest: "own", pendingSecretDigest: null, nextDigest: null };
      const [shown, taking] = [aConnection(machine), aConnection(machine, { ipAddress: "198.51.100.7" })];
      const told = async (each: Connection, isShown: boolean) => {
        await connections.open(each);
        await connections.activate(each, {}, now, { secret: { ...secret, isShown } });
        return (await connections.find(each.organizationId, each.id))?.supersededAddress;
      };
      expect(await told(connection, false)).toBeNull();
      expect(await told(shown, true)).toBeNull();
      expect(await told(taking, false)).toBe(shown.ipAddress);
    });

    it("lets no other key than its own take a machine, unless it is to be bound anew", async () => {
      const { connections, machine, now, machineNow } = await setUp({ keyServiceKeyId: "first" });
      const rival = aConnection(machine, { keyId: "other" });
      await connections.open(rival);
      expect(await connections.activate(rival, {}, now)).toEqual({ kind: "bound_to_another" });
      expect(await machineNow()).toEqual(machine);
      expect(await connections.activate(rival, {}, now, { bindKey: true })).toMatchObject({ kind: "active" });
      expect(await machineNow()).toMatchObject({ keyServiceKeyId: "other" });
    });

    it("gives an unbound machine to one of two keys whose hellos come at once", async () => {
      for (let round = 0; round < 5; round++) {
        const { connections, machine, now, machineNow } = await setUp();
        const rivals = [aConnection(machine, { keyId: "one" }), aConnection(machine, { keyId: "other" })];
        for (const rival of rivals) await connections.open(rival);
        const outcomes = await Promise.all(rivals.map((rival) => connections.activate(rival, {}, now)));
        expect(outcomes.filter(({ kind }) => kind === "active")).toHaveLength(1);
        const [winner] = rivals.filter((_, index) => outcomes[index]?.kind === "active");
        expect(await machineNow()).toMatchObject({
          keyServiceKeyId: winner?.keyId,
          connection: { id: winner?.id },
        });
      }
    });

    it("changes facts only when hello is said again", async () => {
      const { connections, connection, now, machineNow, connectionNow } = await connected();
      const [machine, before] = [await machineNow(), await connectionNow()];
      const again = await connections.activate(connection, { osInfo: "Linux 6" }, now + 5_000);
      expect(again).toEqual({ kind: "active", superseded: null });
      expect(await machineNow()).toEqual({ ...machine, osInfo: "Linux 6", revision: 3 });
      expect(await connectionNow()).toEqual(before);
    });

    it("lets the newer connection win, and names the one to close", async () => {
      const world = await connected();
      const { connections, connection, machineNow, now } = world;
      const newer = await openNewer(world);
      expect(await connections.activate(newer, {}, now)).toEqual({
        kind: "active",
        superseded: { id: connection.id, websocketId: connection.websocketId },
      });
      expect(await world.connectionNow()).toMatchObject({ status: "disconnected" });
      expect(await machineNow()).toMatchObject({ connection: { id: newer.id } });
      expect(await connections.activate(connection, { name: "late" }, now)).toEqual({ kind: "older" });
      expect(await machineNow()).toMatchObject({ connection: { id: newer.id }, name: "front desk" });
    });

    it("makes the newest of several hellos at once the current one", async () => {
      const world = await setUp();
      const { connections, machine, now, machineNow } = world;
      const opened = Array.from({ length: 5 }, () => aConnection(machine));
      await Promise.all(opened.map((connection) => connections.open(connection)));
      await Promise.all(opened.map((connection) => connections.activate(connection, {}, now)));
      const newest = opened
        .map((connection) => connection.id)
        .sort()
        .at(-1);
      expect(await machineNow()).toMatchObject({ connection: { id: newest } });
    });

    it("says gone to a connection that is closed or unknown, or whose machine is deleted", async () => {
      const { connections, connection, machines, machine, now, machineNow } = await setUp();
      expect(await connections.activate(connection, {}, now)).toEqual({ kind: "gone" });
      await connections.open(connection);
      const orphan = aConnection(aMachine());
      await connections.open(orphan);
      expect(await connections.activate(orphan, {}, now)).toEqual({ kind: "gone" });
      await connections.close(connection, now);
      expect(await connections.activate(connection, {}, now)).toEqual({ kind: "gone" });
      expect(await machineNow()).toMatchObject({ connection: null });
      const late = aConnection(machine);
      await connections.open(late);
      await machines.markDeleted(machine.organizationId, machine.id, isoTimestamp(now));
      expect(await connections.activate(late, {}, now)).toEqual({ kind: "gone" });
    });

    it("notes a ping on the machine, and on no revision of it", async () => {
      const { connections, connection, now, machineNow, connectionNow } = await connected();
      const [machine, opened] = [await machineNow(), await connectionNow()];
      await connections.noteUnanswered(connection, now);
      const { organizationId, machineId, id } = connection;
      expect(await connections.ping(connection.websocketId, now + 300_000)).toEqual({
        connection: { organizationId, machineId, id },
        frames: 1,
        pendingSecretDigest: null,
      });
      const lastPing = isoTimestamp(now + 300_000);
      expect(await machineNow()).toEqual({
        ...machine,
        lastSeen: lastPing,
        connection: { ...machine?.connection, lastPing },
      });
      expect(await connectionNow()).toEqual(opened);
      expect(opened && (await connections.withLastPings([opened]))).toEqual([{ ...opened, lastPing }]);
    });

    it("says which secret a ping may prove", async () => {
      const { connections, connection, now } = await setUp();
      const secret = { secretDigest: null, pendingSecretDigest: null, isShown: false, nextDigest: "next" };
      await connections.open(connection);
      await connections.activate(connection, {}, now, { secret });
      expect(await connections.ping(connection.websocketId, now)).toMatchObject({
        pendingSecretDigest: "next",
      });
    });

    it("notes a ping of the machine's current connection alone", async () => {
      const world = await connected();
      const { connections, connection, now, machine, machines, machineNow } = world;
      const newer = await openNewer(world);
      expect(await connections.ping(newer.websocketId, now + 1)).toBeUndefined();
      await connections.activate(newer, {}, now);
      const before = await machineNow();
      expect(await connections.ping(connection.websocketId, now + 9_000)).toBeUndefined();
      expect(await connections.ping("unknown=", now + 9_000)).toBeUndefined();
      expect(await machineNow()).toEqual(before);
      await machines.markDeleted(machine.organizationId, machine.id, isoTimestamp(now));
      expect(await connections.ping(newer.websocketId, now + 9_000)).toBeUndefined();
      await connections.close(newer, now);
      expect(await connections.ping(newer.websocketId, now + 9_000)).toBeUndefined();
      expect(await machines.findDeleted(machine.organizationId, machine.id)).toMatchObject({
        lastSeen: isoTimestamp(now),
      });
    });

    it("hears a ping before or after a hello at the same time, and leaves the machine connected", async () => {
      for (let round = 0; round < 5; round++) {
        const { connections, connection, now, machineNow } = await setUp();
        await connections.open(connection);
        const [ping] = await Promise.all([
          connections.ping(connection.websocketId, now + 1),
          connections.activate(connection, {}, now),
        ]);
        const lastPing = isoTimestamp(ping ? now + 1 : now);
        expect(await machineNow()).toMatchObject({
          lastSeen: lastPing,
          connection: { id: connection.id, lastPing },
        });
      }
    });

    it("notes how many calls were left unanswered, and when the last was, until one is answered", async () => {
      const { connections, connection, now, machineNow } = await connected();
      const current = async () => (await machineNow())?.connection;
      const before = await current();
      for (const later of [1, 2]) await connections.noteUnanswered(connection, now + later);
      const unansweredAt = isoTimestamp(now + 2);
      expect(await current()).toEqual({ ...before, unanswered: 2, unansweredAt });
      await connections.noteAnswered(connection);
      expect(await current()).toEqual(before);
    });

    it("remembers when a ping came, by socket", async () => {
      const { connections } = create();
      expect(connections.hear("one=", 1)).toBeUndefined();
      expect(connections.hear("other=", 2)).toBeUndefined();
      expect(connections.hear("one=", 3)).toBe(1);
      expect(connections.hear("one=", 4)).toBe(3);
    });

    it("knows a machine's current connection, in any instance, and no other", async () => {
      const world = await connected();
      const { connections, connection, machine, machines, now, table } = world;
      const isCurrent = async ({ websocketId }: Connection, store = connections) =>
        await store.isCurrent(websocketId, now);
      const fresh = () => new DynamoConnectionStore({ table });
      expect([await isCurrent(connection), await isCurrent(connection, fresh())]).toEqual([true, true]);
      expect(await connections.isCurrent("unknown=", now)).toBe(false);
      const newer = await openNewer(world);
      expect(await isCurrent(newer)).toBe(false);
      await connections.activate(newer, {}, now);
      expect([await isCurrent(newer), await isCurrent(connection)]).toEqual([true, false]);
      await connections.close(newer, now);
      expect(await isCurrent(newer)).toBe(false);
      const last = await openNewer(world);
      await connections.activate(last, {}, now);
      await machines.markDeleted(machine.organizationId, machine.id, isoTimestamp(now));
      expect([await isCurrent(last), await isCurrent(last, fresh())]).toEqual([true, false]);
      expect(await connections.isCurrent(last.websocketId, now + 30 * 60_000)).toBe(false);
    });

    it("says that the machine was seen when its connection ends by itself", async () => {
      const { connections, connection, now, machineNow, connectionNow } = await connected();
      await connections.close(connection, now + 5_000, true);
      const seen = isoTimestamp(now + 5_000);
      expect(await machineNow()).toMatchObject({ lastSeen: seen, disconnectedAt: seen });
      expect(await connectionNow()).toMatchObject({ lastPing: isoTimestamp(now), disconnectedAt: seen });
    });

    it("keeps the last ping of a connection that is closed, and of one that is replaced", async () => {
      const world = await connected();
      const { connections, connection, now, connectionNow } = world;
      await connections.ping(connection.websocketId, now + 9_000);
      const newer = await openNewer(world);
      await connections.activate(newer, {}, now + 10_000);
      const lastPing = isoTimestamp(now + 9_000);
      expect(await connectionNow()).toMatchObject({
        status: "disconnected",
        lastPing,
        disconnectedAt: isoTimestamp(now + 10_000),
      });
      await connections.ping(newer.websocketId, now + 20_000);
      await connections.close(newer, now + 21_000);
      const closed = await connectionNow(newer.id);
      expect(closed).toMatchObject({ status: "disconnected", lastPing: isoTimestamp(now + 20_000) });
      expect(closed && (await connections.withLastPings([closed]))).toEqual([closed]);
    });

    it("lets a hello replace a connection whose row is gone", async () => {
      const world = await connected();
      const { connections, connection, now, machineNow, table } = world;
      await table.delete(connectionKey(connection.organizationId, connection.id));
      const newer = await openNewer(world);
      expect(await connections.activate(newer, {}, now)).toMatchObject({ kind: "active" });
      expect(await machineNow()).toMatchObject({ connection: { id: newer.id } });
      expect(await connections.find(connection.organizationId, connection.id)).toBeUndefined();
    });

    it("counts pings and other frames of a connection together, window by window, whoever counts", async () => {
      const { connections, connection, table } = await connected();
      const other = new DynamoConnectionStore({ table });
      const { websocketId } = connection;
      const window = 60_000 * 30_000_000;
      const counted = [(await connections.ping(websocketId, window))?.frames];
      for (const store of [other, connections, other]) {
        counted.push(await store.countFrame(websocketId, window + 59_999));
      }
      counted.push((await other.ping(websocketId, window + 59_999))?.frames);
      expect(counted).toEqual([1, 2, 3, 4, 5]);
      expect(await connections.countFrame(websocketId, window + 60_000)).toBe(1);
      // The other instance's clock is behind.
      expect(await other.ping(websocketId, window + 59_999)).toMatchObject({ frames: 2 });
      expect(await connections.countFrame("unknown=", window)).toBeUndefined();
    });

    it("counts the frames of a connection that is not the machine's own apart", async () => {
      const world = await connected();
      const { connections, connection, now } = world;
      const pending = await openNewer(world);
      await connections.countFrame(connection.websocketId, now);
      expect(await connections.countFrame(pending.websocketId, now)).toBe(1);
      expect(await connections.countFrame(pending.websocketId, now)).toBe(2);
      // The pending connection's hello is the first.
      await connections.activate(pending, {}, now);
      expect(await connections.countFrame(pending.websocketId, now)).toBe(2);
      await connections.close(pending, now);
      expect(await connections.countFrame(pending.websocketId, now)).toBe(3);
    });

    it("gives each of many frames at once a number of its own", async () => {
      const { connections, connection, now } = await connected();
      const { websocketId } = connection;
      const later = now + 60_000;
      const counts = await Promise.all(
        Array.from({ length: 20 }, async () => (await connections.countFrame(websocketId, later)) ?? 0),
      );
      expect(counts.toSorted((one, two) => one - two)).toEqual(counts.map((_, index) => index + 1));
    });

    it("counts the live connections of a key, up to a number", async () => {
      const { connections, connection, machine, now } = await connected();
      const { keyId } = connection;
      for (let count = 0; count < 3; count++) await connections.open(aConnection(machine, { keyId }));
      expect(await connections.countByKey(keyId, 10, now)).toBe(4);
      expect(await connections.countByKey(keyId, 2, now)).toBe(2);
      await connections.close(connection, now);
      expect(await connections.countByKey(keyId, 10, now + 60_000)).toBe(3);
      expect(await connections.countByKey("another", 10, now)).toBe(0);
    });

    it("remembers for a minute how many a key has, with its own opens, and reads it again near the limit", async () => {
      const { connections, connection, machine, now, table } = await connected();
      const { keyId } = connection;
      const open = async (store = connections) => await store.open(aConnection(machine, { keyId }));
      const count = async (max: number, later = 0) => await connections.countByKey(keyId, max, now + later);
      expect(await count(8)).toBe(1);
      await open(new DynamoConnectionStore({ table }));
      await open();
      expect([await count(8, 59_999), await count(8, 60_000)]).toEqual([2, 3]);
      for (let own = 0; own < 2; own += 1) await open();
      await open(new DynamoConnectionStore({ table }));
      expect([await count(8, 60_001), await count(6, 60_001)]).toEqual([5, 6]);
      await connections.close(connection, now);
      expect(await count(8, 60_002)).toBe(5);
    });

    it("clears the machine's connection when it is closed, and changes nothing when closed again", async () => {
      const other = aMachine();
      const { connections, machine, now, machineNow, connectionNow, connection } = await setUp();
      const keeper = { ...connection, keepaliveForMachineId: other.id };
      await connections.open(keeper);
      await connections.activate(keeper, {}, now);
      expect(await machineNow()).toMatchObject({ linkedKeepaliveMachineId: other.id });
      await connections.close(keeper, now + 5_000);
      const closed = await machineNow();
      expect(closed).toEqual({
        ...machine,
        keyServiceKeyId: keeper.keyId,
        lastSeen: isoTimestamp(now),
        disconnectedAt: isoTimestamp(now + 5_000),
        revision: 3,
      });
      await connections.close(keeper, now + 9_000);
      expect(await machineNow()).toEqual(closed);
      expect(await connectionNow()).toMatchObject({
        status: "disconnected",
        disconnectedAt: isoTimestamp(now + 5_000),
      });
    });

    it("changes nothing on the machine when an older connection ends late", async () => {
      const world = await connected();
      const { connections, connection, now, machineNow, connectionNow } = world;
      await connections.activate(await openNewer(world), {}, now);
      const before = await machineNow();
      await connections.close(connection, now + 5_000);
      expect(await machineNow()).toEqual(before);
      expect(await connectionNow()).toMatchObject({ status: "disconnected" });
    });

    it("closes a connection whose machine is deleted or removed", async () => {
      const { connections, connection, machines, machine, now, connectionNow } = await connected();
      await machines.markDeleted(machine.organizationId, machine.id, isoTimestamp(now));
      const deleted = await machines.findDeleted(machine.organizationId, machine.id);
      expect(deleted?.connection?.id).toBe(connection.id);
      await connections.close(connection, now);
      const cleared = await machines.findDeleted(machine.organizationId, machine.id);
      expect(cleared?.connection).toBeNull();
      const late = aConnection(machine);
      await connections.open(late);
      await machines.remove(machine.organizationId, machine.id);
      await connections.close(late, now);
      expect(await connectionNow(late.id)).toMatchObject({ status: "disconnected" });
      await connections.close(aConnection(machine), now);
    });

    it("keeps a machine's connection and its status apart when it is out of service", async () => {
      const { connections, connection, machines, machine, now } = await connected();
      const { organizationId, id } = machine;
      const total = async (status: "connected" | "disconnected" | "error") =>
        (await machines.list(organizationId, { status }, { skip: 0, limit: 10 })).total;
      expect([await total("connected"), await total("disconnected"), await total("error")]).toEqual([
        1, 0, 0,
      ]);
      await machines.update(organizationId, id, { outOfService: true });
      expect([await total("connected"), await total("disconnected"), await total("error")]).toEqual([
        0, 0, 1,
      ]);
      await connections.close(connection, now);
      expect([await total("connected"), await total("disconnected"), await total("error")]).toEqual([
        0, 0, 1,
      ]);
      await machines.update(organizationId, id, { outOfService: false });
      expect([await total("connected"), await total("disconnected"), await total("error")]).toEqual([
        0, 1, 0,
      ]);
    });
  });

  describe("a connection store's lists", () => {
    it("hold the live ones that were opened before a time, shard by shard, with their sockets", async () => {
      const { connections, machine, now } = await setUp();
      const opened = [0, 2_000, 3_000, 500_000].map((later) =>
        aConnection(machine, { lastPing: isoTimestamp(now + later) }),
      );
      await Promise.all(opened.map((connection) => connections.open(connection)));
      const mine = async (before: number) => {
        const shards = [...Array(16).keys()];
        const pages = await Promise.all(shards.map((shard) => connections.listLive(shard, before, null)));
        return pages
          .flatMap(({ places }, shard) => places.map((place) => ({ ...place, shard })))
          .filter(({ organizationId }) => organizationId === machine.organizationId)
          .sort((one, other) => one.openedAtMs - other.openedAtMs);
      };
      const places = opened.map(({ organizationId, id, websocketId, lastPing }) => ({
        organizationId,
        id,
        websocketId,
        openedAtMs: Date.parse(lastPing),
        shard: Number.parseInt(id.slice(-1), 16),
      }));
      expect(await mine(now + 3_001)).toEqual(places.slice(0, 3));
      expect(await mine(now + 3_000)).toEqual(places.slice(0, 2));
      for (const connection of opened.slice(0, 3)) await connections.close(connection, now);
      expect(await mine(now + 900_000)).toEqual(places.slice(3));
      expect(await connections.findLive(places, true)).toEqual(opened.slice(3));
    });

    it("hold the live connections that a key has opened", async () => {
      const world = await connected();
      const { connections, connection, now } = world;
      const pending = aConnection(world.machine);
      await connections.open(pending);
      await connections.open(aConnection(world.machine, { keyId: "other" }));
      const ids = async () => (await connections.listByKey(connection.keyId)).map((one) => one.id).sort();
      expect(await ids()).toEqual([connection.id, pending.id].sort());
      await connections.close(connection, now);
      expect(await ids()).toEqual([pending.id]);
      expect(await connections.listByKey("another")).toEqual([]);
    });

    it("hold each machine's current connection, of one organization or of all", async () => {
      const world = await connected();
      const { connections, connection, machine, machines, now } = world;
      const other = await setUp();
      await other.connections.open(other.connection);
      const ids = async (organization?: OrganizationId) =>
        (await connections.listConnected(organization)).map((one) => one.id);
      expect(await ids(machine.organizationId)).toEqual([connection.id]);
      expect(await ids(anOrganization())).toEqual([]);
      expect(await ids()).toContain(connection.id);
      expect(await ids()).not.toContain(other.connection.id);
      const newer = await openNewer(world);
      await connections.activate(newer, {}, now);
      expect(await ids(machine.organizationId)).toEqual([newer.id]);
      await machines.markDeleted(machine.organizationId, machine.id, isoTimestamp(now));
      expect(await ids(machine.organizationId)).toEqual([]);
      expect(await ids()).not.toContain(newer.id);
    });
  });
}
