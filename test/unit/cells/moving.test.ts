import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { copyKeys } from "../../../infra/cells/copy-keys.ts";
import { ownKeyIdOf } from "../../../shared/domain/access/api-key.ts";
import { moveDrivers } from "../../../shared/domain/connection/move-drivers.ts";
import { anApiKey, anOrganization } from "../../support/builders/entities.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";
import { tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

const address = "wss://desktops.c8.invalid/live";

async function movingWorld() {
  const world = tunnelWorld();
  const key = await world.key();
  const { organizationId } = key;
  const connect = async (capabilities: readonly string[]) => {
    const driver = await world.driver({ key, hello: { capabilities } });
    return { ...driver, machine: await world.machineOf(driver) };
  };
  const connected = async () => await world.connections.listConnected(organizationId);
  const move = async () => await moveDrivers(world, await connected(), address);
  return { ...world, organizationId, connect, connected, move };
}

describe("an organization's drivers that move", () => {
  it("are told the address, and disconnected, once; the others stay", async () => {
    const world = await movingWorld();
    const able = await world.connect(["moved"]);
    const other = await world.connect([]);
    await world.driver({ key: await world.key(["driver"]), hello: { capabilities: ["moved"] } });
    const before = world.sockets.messages(other.websocketId).length;
    expect(await world.move()).toEqual({
      moved: [able.machine.id],
      busy: [],
      waiting: [other.machine.id],
    });
    expect(world.sockets.messages(able.websocketId).at(-1)).toEqual({
      type: "goodbye",
      code: "moved",
      retry_after_seconds: 0,
      address,
    });
    expect((await world.machineOf(able)).connection).toBeNull();
    expect(world.sockets.messages(other.websocketId)).toHaveLength(before);
    expect((await world.machineOf(other)).connection).not.toBeNull();
    expect(await world.move()).toEqual({ moved: [], busy: [], waiting: [other.machine.id] });
  });

  it("stay while they have a run", async () => {
    const world = await movingWorld();
    const { machine, websocketId } = await world.connect(["moved"]);
    const find: typeof world.machines.find = async (...name) => {
      const found = await world.machines.find(...name);
      return found && { ...found, currentRunId: randomUUID() };
    };
    const moved = await moveDrivers({ ...world, machines: { find } }, await world.connected(), address);
    expect(moved).toEqual({ moved: [], busy: [machine.id], waiting: [] });
    expect(world.sockets.messages(websocketId).map(({ type }) => type)).not.toContain("goodbye");
  });
});

describe("keys of an organization that moves", () => {
  it("are copied once, as long as they are good", async () => {
    const [from, to] = [createModelStores(), createModelStores()];
    const organizationId = anOrganization();
    const record = { idempotency: undefined, result: null };
    const ofOperator = anApiKey({ organizationId });
    const own = anApiKey({
      organizationId,
      id: ownKeyIdOf(v7()),
      scopes: ["driver"],
      expiresAt: new Date(from.clock.now() + 60_000).toISOString(),
    });
    const revoked = anApiKey({ organizationId, revokedAt: "2026-01-01T00:00:00.000Z" });
    const operating = anApiKey({ organizationId, scopes: ["read", "operator"] });
    for (const key of [ofOperator, revoked, operating, anApiKey()]) await from.apiKeys.create(key);
    await from.apiKeys.createOwn(own, record);

    const copy = async () => await copyKeys(from.apiKeys, to.apiKeys, organizationId, from.clock.now());
    expect(new Set(await copy())).toEqual(new Set([ofOperator.id, own.id]));
    expect(await copy()).toEqual([]);
    expect(await to.apiKeys.find(own.id)).toEqual(own);
    expect(await to.apiKeys.find(revoked.id)).toBeUndefined();
    // The other deployment closes its connections, too, once it has expired.
    const expired = await to.apiKeys.listRevocations(10, from.clock.now() + 120_000);
    expect(expired.map(({ keyId }) => keyId)).toEqual([own.id]);
  });
});
