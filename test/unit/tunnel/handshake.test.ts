import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { formatTicket } from "../../../shared/tunnel/ticket-text.ts";
import { aMachine } from "../../support/builders/entities.ts";
import { hello, tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

async function setUp() {
  const world = tunnelWorld();
  const key = await world.key();
  const headers = { Authorization: key.bearer, "X-Machine-Fingerprint": randomUUID() };
  return { world, key, headers };
}

describe("a driver's handshake", () => {
  it("makes a machine of an unknown fingerprint, bound to the key, with what the headers say", async () => {
    const world = tunnelWorld();
    const key = await world.key(["driver"]);
    const fingerprint = randomUUID();
    const { statusCode } = await world.connect({
      authorization: key.bearer,
      "x-machine-FINGERPRINT": fingerprint.toUpperCase(),
      "X-Machine-Name": "till 7",
      "X-Machine-Hostname": "till7.shop.example",
      "X-Driver-Version": "1.2.3",
    });
    expect(statusCode).toBe(200);
    const machine = await world.machines.findByFingerprint(key.organizationId, fingerprint);
    expect(machine).toMatchObject({
      name: "till 7",
      hostname: "till7.shop.example",
      version: "1.2.3",
      keyServiceKeyId: key.id,
      userId: key.userId,
      connection: null,
    });
  });

  it("makes sixty machines a minute for one key; known machines connect beyond that, other keys make theirs", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const connect = async (bearer: string, fingerprint: string = randomUUID()) =>
      (await world.connect({ Authorization: bearer, "X-Machine-Fingerprint": fingerprint })).statusCode;
    const known = randomUUID();
    expect(await connect(key.bearer, known)).toBe(200);
    for (let made = 1; made < 60; made++) expect(await connect(key.bearer)).toBe(200);

    const fingerprint = randomUUID();
    const refused = await world.connect({ Authorization: key.bearer, "X-Machine-Fingerprint": fingerprint });
    expect(refused).toMatchObject({ statusCode: 429, headers: { "retry-after": "60" } });
    expect(await world.machines.findByFingerprint(key.organizationId, fingerprint)).toBeUndefined();
    expect(await connect(key.bearer, known)).toBe(200);
    expect(await connect((await world.key()).bearer)).toBe(200);
    world.clock.advance(60_000);
    expect(await connect(key.bearer, fingerprint)).toBe(200);
  });

  it("opens a connection that is pending until hello", async () => {
    const { world, key, headers } = await setUp();
    const { websocketId } = await world.connect({ ...headers, "X-Remote-Peer-Id": "peer-1" });
    expect(await world.connections.findByWebsocketId(websocketId)).toMatchObject({
      status: "pending",
      host: "a1b2c3/live/us-east-1",
      keyId: key.id,
      ipAddress: "192.0.2.7",
      userAgent: "driver/1.0",
      remotePeerId: "peer-1",
    });
  });

  it.each([
    ["no credentials", undefined, 403],
    ["an empty header", "", 403],
    ["an unknown key", "Bearer das_nobody_knows", 401],
    ["another scheme", "Basic dXNlcjpwYXNz", 401],
    ["a forged ticket", "Ticket token.nonce.fake.mac", 401],
    ["a ticket of one piece", "Ticket token", 401],
  ])("refuses %s", async (_what, authorization, status) => {
    const { world, headers } = await setUp();
    expect((await world.connect({ ...headers, Authorization: authorization })).statusCode).toBe(status);
  });

  it.each([
    ["no fingerprint", {}],
    ["a fingerprint that is no UUID", { "X-Machine-Fingerprint": "my-laptop" }],
    [
      "a name that is not printable ASCII",
      { "X-Machine-Fingerprint": randomUUID(), "X-Machine-Name": "tillé" },
    ],
    [
      "a hostname of 256 characters",
      { "X-Machine-Fingerprint": randomUUID(), "X-Machine-Hostname": "h".repeat(256) },
    ],
  ])("refuses %s as a bad request, and makes no machine", async (_what, headers) => {
    const world = tunnelWorld();
    const key = await world.key();
    expect((await world.connect({ Authorization: key.bearer, ...headers })).statusCode).toBe(400);
    const page = await world.machines.list(key.organizationId, {}, { skip: 0, limit: 10 });
    expect(page.total).toBe(0);
  });

  it("refuses a key that may not open tunnels, and takes one with the scope write", async () => {
    const world = tunnelWorld();
    const reader = await world.key(["read"]);
    const writer = await world.key(["write"]);
    const headers = { "X-Machine-Fingerprint": randomUUID() };
    expect((await world.connect({ ...headers, Authorization: reader.bearer })).statusCode).toBe(403);
    expect((await world.connect({ ...headers, Authorization: writer.bearer })).statusCode).toBe(200);
  });

  it("refuses a machine that is bound to another key, unless the key has the scope write, which binds it anew", async () => {
    const world = tunnelWorld();
    const first = await world.key(["driver"]);
    const { organizationId } = first;
    const other = await world.key(["driver"], { organizationId });
    const writer = await world.key(["driver", "write"], { organizationId });
    const driver = await world.driver({ key: first });
    const headers = { "X-Machine-Fingerprint": driver.fingerprint };
    expect((await world.connect({ ...headers, Authorization: other.bearer })).statusCode).toBe(403);
    expect((await world.machineOf(driver)).keyServiceKeyId).toBe(first.id);

    await world.driver({ key: writer, fingerprint: driver.fingerprint });
    expect((await world.machineOf(driver)).keyServiceKeyId).toBe(writer.id);
  });

  it("binds a machine made through the API to the first key that connects it, even when two shook hands", async () => {
    const world = tunnelWorld();
    const first = await world.key(["driver"]);
    const { organizationId } = first;
    const second = await world.key(["driver"], { organizationId });
    const machine = aMachine({ organizationId });
    await world.machines.create(machine);
    const headers = { "X-Machine-Fingerprint": machine.fingerprint };
    const one = await world.connect({ ...headers, Authorization: first.bearer });
    const two = await world.connect({ ...headers, Authorization: second.bearer });
    await world.send(one.websocketId, hello());
    await world.send(two.websocketId, hello());
    expect(await world.machines.find(organizationId, machine.id)).toMatchObject({
      keyServiceKeyId: first.id,
      connection: { websocketId: one.websocketId },
    });
    expect(world.sockets.isOpen(two.websocketId)).toBe(false);
  });

  it("makes one machine of two first connects at once", async () => {
    const { world, key, headers } = await setUp();
    const answers = await Promise.all([world.connect(headers), world.connect(headers)]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
    expect((await world.machines.list(key.organizationId, {}, { skip: 0, limit: 10 })).total).toBe(1);
  });

  it("answers 429 with Retry-After to the eleventh connect of one machine within a minute, and only to that machine", async () => {
    const { world, headers } = await setUp();
    for (let count = 0; count < 10; count++) expect((await world.connect(headers)).statusCode).toBe(200);
    const refused = await world.connect(headers);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers?.["retry-after"])).toBeGreaterThan(0);
    expect((await world.connect({ ...headers, "X-Machine-Fingerprint": randomUUID() })).statusCode).toBe(200);
    world.clock.advance(60_000);
    expect((await world.connect(headers)).statusCode).toBe(200);
  });

  it("limits the failed attempts of an address, and lets a good key of that address in all the same", async () => {
    const { world, headers } = await setUp();
    const statuses: number[] = [];
    for (let count = 0; count < 61; count++) {
      statuses.push((await world.connect({ ...headers, Authorization: "Bearer das_no" })).statusCode);
    }
    expect(statuses.slice(0, 60).every((status) => status === 401)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    expect((await world.connect(headers)).statusCode).toBe(200);
  });

  it("is refused while its key has as many connections open as it may, and let in when one has ended", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const connect = async (bearer = key.bearer) => {
      // Machines that one key may make in a minute are fewer.
      world.clock.advance(2_000);
      return await world.connect({ Authorization: bearer, "X-Machine-Fingerprint": randomUUID() });
    };
    const opened: string[] = [];
    for (let count = 0; count < 70; count++) opened.push((await connect()).websocketId);
    const refused = await connect();
    expect(refused).toMatchObject({ statusCode: 429, headers: { "retry-after": "60" } });
    expect(JSON.parse(refused.body ?? "")).toMatchObject({
      error_code: "rate_limited",
      message: "this key has 70 connections open, as many as one key may have",
    });
    expect((await connect((await world.key()).bearer)).statusCode).toBe(200);
    await world.disconnected(opened[0] ?? "");
    expect((await connect()).statusCode).toBe(200);
  });

  it("says 500 to a fault of its own, never 401 or 403, and logs no credential", async () => {
    const { world, key, headers } = await setUp();
    world.connections.open = async () => {
      throw new Error("the table is away");
    };
    const answer = await world.connect(headers);
    expect(answer.statusCode).toBe(500);
    expect(world.logger.lines.some((line) => line.level === "error")).toBe(true);
    expect(JSON.stringify([answer, world.logger.lines])).not.toContain(key.text);
  });
});

describe("X-Keepalive-For", () => {
  it("links the machine to another of its organization while it is connected", async () => {
    const { world, key, headers } = await setUp();
    const target = await world.machineOf(await world.driver({ key }));
    const { websocketId } = await world.connect({ ...headers, "X-Keepalive-For": target.id });
    await world.send(websocketId, hello());
    const driver = { organizationId: key.organizationId, fingerprint: headers["X-Machine-Fingerprint"] };
    expect((await world.machineOf(driver)).linkedKeepaliveMachineId).toBe(target.id);
    await world.disconnected(websocketId);
    expect((await world.machineOf(driver)).linkedKeepaliveMachineId).toBeNull();
  });

  it("answers the same 409 for itself, an unknown machine, another organization's, and no id at all", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const self = await world.driver({ key });
    const foreign = await world.machineOf(await world.driver({ key: await world.key() }));
    const bodies = new Set<unknown>();
    for (const target of [(await world.machineOf(self)).id, randomUUID(), foreign.id, "something"]) {
      const answer = await world.connect({
        Authorization: key.bearer,
        "X-Machine-Fingerprint": self.fingerprint,
        "X-Keepalive-For": target,
      });
      expect(answer.statusCode).toBe(409);
      bodies.add(answer.body);
    }
    expect(bodies.size).toBe(1);
  });
});

describe("a ticket", () => {
  async function ticketWorld(fields: { machineId?: string | null } = {}) {
    const { world, key, headers } = await setUp();
    const ticket = {
      tokenId: randomUUID(),
      nonce: randomUUID(),
      organizationId: key.organizationId,
      keyId: key.id,
      machineId: fields.machineId ?? null,
      remotePeerId: "peer-1",
      expiresAtMs: world.clock.now() + 60_000,
    };
    await world.tickets.issue(ticket);
    const text = await formatTicket(world.signer, ticket);
    return { world, key, headers: { ...headers, Authorization: `Ticket ${text}` } };
  }

  it("lets its driver in once, under its key and for its peer", async () => {
    const { world, key, headers } = await ticketWorld();
    const { statusCode, websocketId } = await world.connect(headers);
    expect(statusCode).toBe(200);
    expect(await world.connections.findByWebsocketId(websocketId)).toMatchObject({
      keyId: key.id,
      remotePeerId: "peer-1",
    });
    expect((await world.connect(headers)).statusCode).toBe(401);
  });

  it("is not used up by a handshake that is malformed", async () => {
    const { world, headers } = await ticketWorld();
    expect((await world.connect({ ...headers, "X-Machine-Fingerprint": "x" })).statusCode).toBe(400);
    expect((await world.connect(headers)).statusCode).toBe(200);
  });

  it("is refused after 60 s", async () => {
    const { world, headers } = await ticketWorld();
    world.clock.advance(60_001);
    expect((await world.connect(headers)).statusCode).toBe(401);
  });

  it("is refused to another machine, makes none, and is not used up by it", async () => {
    const machineId = randomUUID();
    const { world, key, headers } = await ticketWorld({ machineId });
    const { organizationId } = key;
    const machine = await world.put.machine({ id: machineId, organizationId });
    expect((await world.connect(headers)).statusCode).toBe(401);
    expect((await world.machines.list(organizationId, {}, { skip: 0, limit: 10 })).total).toBe(1);
    const own = { ...headers, "X-Machine-Fingerprint": machine.fingerprint };
    expect((await world.connect(own)).statusCode).toBe(200);
    expect((await world.connect(own)).statusCode).toBe(401);
  });

  it("is refused to another peer, and not used up by it", async () => {
    const { world, headers } = await ticketWorld();
    expect((await world.connect({ ...headers, "X-Remote-Peer-Id": "peer-2" })).statusCode).toBe(401);
    expect((await world.connect({ ...headers, "X-Remote-Peer-Id": "peer-1" })).statusCode).toBe(200);
  });

  it("is refused when its key has been revoked since", async () => {
    const { world, key, headers } = await ticketWorld();
    await world.apiKeys.revoke(key.id, "2026-01-15T12:00:00.000Z");
    expect((await world.connect(headers)).statusCode).toBe(401);
  });
});
