import { createHash, createHmac, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { resetMachineSecret } from "../../../shared/domain/machine/reset-machine-secret.ts";
import { createTestService } from "../../support/shared/test-service.ts";
import { hello, tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

function proofOf(secret: string, connectionId: string): string {
  const key = createHash("sha256").update(secret).digest();
  return createHmac("sha256", key).update(connectionId).digest("base64url");
}

function digestOf(secret = ""): string {
  return createHash("sha256").update(secret).digest("base64url");
}

interface Given {
  readonly machine_secret?: string;
  readonly connection_id?: string;
}

async function setUp() {
  const world = tunnelWorld();
  const key = await world.key(["driver"]);
  const fingerprint = randomUUID();
  const sources = { address: "192.0.2.7" };
  const knock = async (secret?: string, bearer = key.bearer) =>
    await world.connect(
      {
        Authorization: bearer,
        "X-Machine-Fingerprint": fingerprint,
        ...(secret && { "X-Machine-Secret": secret }),
      },
      undefined,
      sources.address,
    );
  const welcome = (websocketId: string) =>
    (world.sockets.messages(websocketId).findLast(({ type }) => type === "welcome") ?? {}) as Given;
  const greet = async (websocketId: string) => {
    await world.send(websocketId, hello({ capabilities: ["machine_secret"] }));
    return welcome(websocketId);
  };
  const connect = async (secret?: string, bearer?: string) => {
    const { statusCode, websocketId } = await knock(secret, bearer);
    expect(statusCode).toBe(200);
    return { websocketId, ...(await greet(websocketId)) };
  };
  const prove = async (driver: { websocketId: string } & Given, secret = driver.machine_secret ?? "") => {
    const secret_proof = proofOf(secret, driver.connection_id ?? "");
    await world.send(driver.websocketId, { type: "ping", at: 1, secret_proof });
  };
  const own = { organizationId: key.organizationId, fingerprint };
  const machine = () => world.machineOf(own);
  const caller = { ...key, kind: "api_key", principal: key.id, keyId: key.id, scopes: ["write"] } as const;
  const reset = async () => await resetMachineSecret(world, caller, { machineId: (await machine()).id });
  return { world, key, sources, knock, greet, connect, prove, machine, reset, own };
}

describe("a machine's own secret", () => {
  it("is given once, and only its digest is kept", async () => {
    const { world, connect, prove, machine } = await setUp();
    const driver = await connect();
    expect(driver.machine_secret).toMatch(/^[\w-]{43}$/);
    await prove(driver);
    const { secretDigest, pendingSecretDigest } = await machine();
    const digest = createHash("sha256")
      .update(driver.machine_secret ?? "")
      .digest("base64url");
    expect([secretDigest, pendingSecretDigest]).toEqual([digest, null]);
    expect(JSON.stringify([await machine(), world.logger.lines])).not.toContain(driver.machine_secret);
    const next = await connect(driver.machine_secret);
    expect(next).not.toHaveProperty("machine_secret");
    expect(next).not.toHaveProperty("connection_id");
  });

  it("keeps out who has key and fingerprint alone, also when nobody is connected", async () => {
    const { world, connect, prove, knock, machine } = await setUp();
    const driver = await connect();
    await prove(driver);
    const own = (await machine()).connection;
    for (const guess of [undefined, "A".repeat(43), "x"]) expect((await knock(guess)).statusCode).toBe(428);
    expect((await machine()).connection).toEqual(own);
    await world.disconnected(driver.websocketId);
    const refused = await knock();
    expect([refused.statusCode, JSON.parse(refused.body ?? "").error_code]).toEqual([
      428,
      "machine_secret_required",
    ]);
    expect((await knock(driver.machine_secret)).statusCode).toBe(200);
  });

  it("keeps out who shook hands before it was proved", async () => {
    const { world, knock, greet, prove, machine } = await setUp();
    const [driver, thief] = [await knock(), await knock()];
    const given = { ...driver, ...(await greet(driver.websocketId)) };
    await prove(given);
    const own = (await machine()).connection;
    expect(await greet(thief.websocketId)).toEqual({});
    expect((await machine()).connection).toEqual(own);
    expect(world.sockets.isOpen(thief.websocketId)).toBe(false);
    expect(world.sockets.isOpen(driver.websocketId)).toBe(true);
  });

  it("pending, keeps out others while its driver is connected", async () => {
    const { connect, knock } = await setUp();
    await connect();
    expect((await knock()).statusCode).toBe(428);
  });

  it("lost with its welcome, locks nobody out: the next connect gets another", async () => {
    const { world, connect, prove, knock } = await setUp();
    const lost = await connect();
    await world.disconnected(lost.websocketId);
    const driver = await connect();
    expect(driver.machine_secret).not.toBe(lost.machine_secret);
    await prove(driver);
    expect((await knock(lost.machine_secret)).statusCode).toBe(428);
    expect((await knock(driver.machine_secret)).statusCode).toBe(200);
  });

  it("comes again with a repeated hello, until it is proved", async () => {
    const { connect, greet, prove, knock } = await setUp();
    const lost = await connect();
    const driver = { ...lost, ...(await greet(lost.websocketId)) };
    expect(driver.machine_secret).not.toBe(lost.machine_secret);
    await prove(driver, lost.machine_secret);
    expect((await knock(lost.machine_secret)).statusCode).toBe(428);
    await prove(driver);
    expect(await greet(driver.websocketId)).not.toHaveProperty("machine_secret");
    expect((await knock(driver.machine_secret)).statusCode).toBe(200);
  });

  it("is proved by the next handshake that shows it, as by a ping", async () => {
    const { world, connect, knock } = await setUp();
    const { websocketId, machine_secret: secret } = await connect();
    expect((await knock(secret)).statusCode).toBe(200);
    await world.disconnected(websocketId);
    expect((await knock()).statusCode).toBe(428);
  });

  it("is not proved over another connection, nor by a proof for another", async () => {
    const { world, connect, prove, machine } = await setUp();
    const driver = await connect();
    await prove({ ...driver, connection_id: randomUUID() });
    await world.send(driver.websocketId, { type: "ping", at: 1, secret_proof: "A".repeat(43) });
    expect((await machine()).secretDigest).toBeNull();
  });

  it("is asked of no driver that takes none, whose machine never got one", async () => {
    const { world, key, own } = await setUp();
    const [first, second] = [await world.driver({ ...own, key }), await world.driver({ ...own, key })];
    expect(JSON.stringify(world.sockets.messages(second.websocketId))).not.toContain("machine_secret");
    expect(world.sockets.isOpen(first.websocketId)).toBe(false);
    expect((await world.machineOf(own)).pendingSecretDigest).toBeNull();
  });

  it("once reset, lets a reinstalled desktop in, which gets its own", async () => {
    const { connect, prove, knock, reset } = await setUp();
    const before = await connect();
    await prove(before);
    expect((await knock()).statusCode).toBe(428);
    await reset();
    const after = await connect();
    await prove(after);
    expect((await knock(before.machine_secret)).statusCode).toBe(428);
    expect((await knock(after.machine_secret)).statusCode).toBe(200);
  });

  it("lets a key with write in without it; the old one counts until the new one is proved", async () => {
    const { world, connect, prove, knock, key, machine } = await setUp();
    const before = await connect();
    await prove(before);
    const setUpKey = await world.key(["driver", "write"], { organizationId: key.organizationId });
    const after = await connect(undefined, setUpKey.bearer);
    expect((await machine()).secretDigest).toBe(digestOf(before.machine_secret));
    await prove(after);
    expect((await machine()).secretDigest).toBe(digestOf(after.machine_secret));
    expect((await knock(after.machine_secret, setUpKey.bearer)).statusCode).toBe(200);
    // Bound to that key since.
    expect((await knock(after.machine_secret)).statusCode).toBe(403);
  });
});

describe("a connection that takes a machine from another", () => {
  it("names the other's address when it did not show the machine's own secret", async () => {
    const { world, sources, connect, prove, reset } = await setUp();
    const before = await connect();
    await prove(before);
    await reset();
    sources.address = "198.51.100.7";
    const after = await connect();
    expect(await world.connections.findByWebsocketId(after.websocketId)).toMatchObject({
      ipAddress: "198.51.100.7",
      supersededAddress: "192.0.2.7",
    });
  });

  it("names none when it showed it, or nobody was connected", async () => {
    const { world, connect, prove } = await setUp();
    const first = await connect();
    await prove(first);
    const second = await connect(first.machine_secret);
    for (const { websocketId } of [first, second]) {
      const connection = await world.connections.findByWebsocketId(websocketId);
      expect(connection?.supersededAddress).toBeNull();
    }
  });
});

describe("POST /v1/machines/{machine_id}/reset-secret", () => {
  it("forgets the secret, proved or pending, and shows nothing of it", async () => {
    const service = await createTestService();
    const digests = { secretDigest: "digest-1", pendingSecretDigest: "digest-2" };
    const { id, organizationId } = await service.putMachine(digests);
    const response = await createMachinesApp(service.deps).request(`/v1/machines/${id}/reset-secret`, {
      method: "POST",
      headers: { authorization: service.authorize(), "idempotency-key": "once" },
    });
    expect([response.status, await response.text()]).toEqual([200, expect.not.stringContaining("digest-")]);
    expect(await service.stores.machines.find(organizationId, id)).toMatchObject({
      secretDigest: null,
      pendingSecretDigest: null,
    });
  });
});
