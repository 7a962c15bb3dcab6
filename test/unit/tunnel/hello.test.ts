import { describe, expect, it } from "vitest";
import { aMachine } from "../../support/builders/entities.ts";
import { hello, tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

describe("hello", () => {
  it("is logged from the handshake to the end, by ids only", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const driver = await world.driver({ key });
    await world.disconnected(driver.websocketId);
    const { id } = await world.machineOf(driver);
    expect(world.logger.lines).toMatchObject(
      ["driver let in", "driver connected", "driver disconnected"].map((message) => ({
        level: "info",
        message,
        fields: { websocket_id: driver.websocketId, machine_id: id, organization_id: driver.organizationId },
      })),
    );
    expect(JSON.stringify(world.logger.lines)).not.toContain(key.text);
  });

  it("is answered with welcome, and the machine is connected, with its host and what it said", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const driver = await world.driver({
      key,
      hello: { hostname: "till7", os_info: "Debian 13", version: "1.4.0" },
    });
    const machine = await world.machineOf(driver);
    expect(world.sockets.messages(driver.websocketId)).toEqual([
      {
        type: "welcome",
        protocol: 1,
        machine_id: machine.id,
        organization_id: key.organizationId,
        transfer_hosts: ["files.example"],
        ping_seconds: 300,
        message_bytes_max: 32_000,
      },
    ]);
    expect(machine).toMatchObject({
      hostname: "till7",
      osInfo: "Debian 13",
      version: "1.4.0",
      connection: { websocketId: driver.websocketId, host: "a1b2c3/live/us-east-1" },
    });
  });

  it("tells the deployment's interval of pings", async () => {
    const world = tunnelWorld({ pingSeconds: 60 });
    const driver = await world.driver({ key: await world.key() });
    expect(world.sockets.messages(driver.websocketId)[0]).toMatchObject({ ping_seconds: 60 });
  });

  it("keeps the capabilities that the service knows, and none of the paths", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const capabilities = ["/computer/display/screenshot", "screenshot_settle", "time_travel"];
    const driver = await world.driver({ key, hello: { capabilities } });
    expect((await world.machineOf(driver)).capabilities).toEqual(["screenshot_settle"]);
    await world.driver({ key, fingerprint: driver.fingerprint });
    expect((await world.machineOf(driver)).capabilities).toEqual([]);
  });

  it("keeps the programs that a driver opens, each once, until a driver connects that opens none", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const programs = ["Orders", "Büro 4.1", "Orders"];
    const driver = await world.driver({ key, hello: { capabilities: ["open_program"], programs } });
    expect((await world.machineOf(driver)).programs).toEqual(["Orders", "Büro 4.1"]);
    await world.driver({ key, fingerprint: driver.fingerprint, hello: { programs } });
    expect((await world.machineOf(driver)).programs).toEqual([]);
  });

  it("shows half a surrogate pair, which no store has bytes for, as the replacement character", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const half = String.fromCharCode(0xd800);
    const driver = await world.driver({ key, hello: { hostname: `till${half}`, os_info: `${half}OS` } });
    expect(await world.machineOf(driver)).toMatchObject({ hostname: "till\ufffd", osInfo: "\ufffdOS" });
  });

  it("lets a known machine learn what the handshake's headers said, but not a name in place of the user's", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const { organizationId } = key;
    const named = aMachine({ organizationId, name: "the user's own" });
    const unnamed = aMachine({ organizationId });
    for (const machine of [named, unnamed]) {
      await world.machines.create(machine);
      const { websocketId } = await world.connect({
        Authorization: key.bearer,
        "X-Machine-Fingerprint": machine.fingerprint,
        "X-Machine-Name": "driver's name",
        "X-Machine-Hostname": "till7",
      });
      await world.send(websocketId, hello({ version: "2" }));
    }
    const facts = { hostname: "till7", version: "2" };
    expect(await world.machineOf(named)).toMatchObject({ ...facts, name: "the user's own" });
    expect(await world.machineOf(unnamed)).toMatchObject({ ...facts, name: "driver's name" });
  });

  it("ends the older connection with goodbye, and the newest one is the machine's", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const older = await world.driver({ key });
    const newer = await world.driver({ key, fingerprint: older.fingerprint });
    expect(world.sockets.messages(older.websocketId).at(-1)).toEqual({
      type: "goodbye",
      code: "superseded",
      retry_after_seconds: null,
    });
    expect(world.sockets.isOpen(older.websocketId)).toBe(false);
    expect(world.sockets.isOpen(newer.websocketId)).toBe(true);
    expect((await world.machineOf(newer)).connection?.websocketId).toBe(newer.websocketId);
    expect((await world.connections.findByWebsocketId(older.websocketId))?.status).toBe("disconnected");
  });

  it("of an older connection that comes after the newer one's is answered with goodbye, not welcome", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const older = await world.silent({ key });
    const newer = await world.silent({ key, fingerprint: older.fingerprint });
    await world.send(newer.websocketId, hello());
    await world.send(older.websocketId, hello());
    expect(world.sockets.messages(older.websocketId)).toEqual([
      { type: "goodbye", code: "superseded", retry_after_seconds: null },
    ]);
    expect(world.sockets.isOpen(older.websocketId)).toBe(false);
    expect(world.sockets.isOpen(newer.websocketId)).toBe(true);
    expect((await world.machineOf(newer)).connection?.websocketId).toBe(newer.websocketId);
  });

  it("for a machine that was deleted in between is answered with goodbye deleted", async () => {
    const world = tunnelWorld();
    const driver = await world.silent({ key: await world.key() });
    const { organizationId, websocketId } = driver;
    const { id } = await world.machineOf(driver);
    await world.machines.markDeleted(organizationId, id, "2026-01-15T12:00:00.000Z");
    await world.send(websocketId, hello());
    expect(world.sockets.messages(websocketId)).toEqual([
      { type: "goodbye", code: "deleted", retry_after_seconds: null },
    ]);
    expect(world.sockets.isOpen(websocketId)).toBe(false);
  });

  it("whose socket is gone before the welcome leaves the machine disconnected", async () => {
    const world = tunnelWorld();
    const driver = await world.silent({ key: await world.key() });
    world.sockets.vanish(driver.websocketId);
    await world.send(driver.websocketId, hello());
    expect((await world.machineOf(driver)).connection).toBeNull();
  });

  it("of another protocol is answered with an error, and the machine stays disconnected", async () => {
    const world = tunnelWorld();
    const driver = await world.driver({ key: await world.key(), hello: { protocol: 2 } });
    expect(world.sockets.messages(driver.websocketId)).toEqual([
      expect.objectContaining({ type: "error", code: "unsupported_protocol" }),
    ]);
    expect((await world.machineOf(driver)).connection).toBeNull();
  });
});

describe("$disconnect", () => {
  it("leaves the machine disconnected, at no host", async () => {
    const world = tunnelWorld();
    const driver = await world.driver({ key: await world.key() });
    await world.disconnected(driver.websocketId);
    expect((await world.machineOf(driver)).connection).toBeNull();
    expect((await world.connections.findByWebsocketId(driver.websocketId))?.status).toBe("disconnected");
  });

  it("of a socket that was never let in is nothing", async () => {
    const world = tunnelWorld();
    await expect(world.disconnected("never-seen=")).resolves.toBeUndefined();
  });
});
