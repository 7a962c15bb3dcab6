import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Caller } from "../../../shared/domain/access/caller.ts";
import { callerOfKey } from "../../../shared/domain/access/credentials.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { hello, tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

async function setUp() {
  const world = tunnelWorld();
  const key = await world.key(["read"]);
  return { world, key, caller: callerOfKey(key) };
}

const runId = randomUUID();

function aSession(fields: Partial<Caller> = {}): Caller {
  const userId = randomUUID();
  return {
    kind: "session",
    organizationId: anOrganization(),
    userId,
    principal: userId,
    keyId: null,
    scopes: ["read"],
    ...fields,
  };
}

describe("a viewer's handshake", () => {
  it("takes a ticket once", async () => {
    const { world, caller } = await setUp();
    const ticket = await world.liveTicket(caller);
    const codes = [await world.connectViewer(ticket), await world.connectViewer(ticket)];
    expect(codes.map(({ statusCode }) => statusCode)).toEqual([200, 401]);
  });

  it("takes a ticket for a minute", async () => {
    const { world, caller } = await setUp();
    const [early, late] = [await world.liveTicket(caller), await world.liveTicket(caller)];
    world.clock.advance(59_999);
    expect((await world.connectViewer(early)).statusCode).toBe(200);
    world.clock.advance(1);
    expect((await world.connectViewer(late)).statusCode).toBe(401);
  });

  it("takes no ticket of a key that was revoked since, nor of a session that has ended", async () => {
    const { world, key, caller } = await setUp();
    const session = aSession({ sessionEndsAtMs: world.clock.now() + 30_000 });
    const tickets = [await world.liveTicket(caller), await world.liveTicket(session)];
    await world.apiKeys.revoke(key.id, new Date(world.clock.now()).toISOString());
    world.clock.advance(30_000);
    for (const ticket of tickets) expect((await world.connectViewer(ticket)).statusCode).toBe(401);
  });

  it("takes no driver's credentials, in the address or beside it", async () => {
    const { world } = await setUp();
    const driver = await world.key(["driver"]);
    const headers = { Authorization: driver.bearer, "X-Machine-Fingerprint": randomUUID() };
    for (const ticket of [driver.text, "", "nonsense"]) {
      expect((await world.connectViewer(ticket, headers)).statusCode).toBe(401);
    }
    const { machineId } = { machineId: headers["X-Machine-Fingerprint"] };
    expect(await world.machines.findByFingerprint(driver.organizationId, machineId)).toBeUndefined();
  });

  it("keeps no text of the ticket", async () => {
    const { world, caller } = await setUp();
    const ticket = await world.liveTicket(caller);
    await world.connectViewer(ticket);
    expect(JSON.stringify([...world.model.items.all()])).not.toContain(ticket);
    expect(JSON.stringify(world.logger.lines)).not.toContain(ticket);
  });

  it("counts guesses of one address", async () => {
    const { world } = await setUp();
    for (let guess = 0; guess < 60; guess += 1) await world.connectViewer(`guess ${guess}`);
    expect((await world.connectViewer("one more")).statusCode).toBe(429);
  });

  it("has a hundred places in an organization, of which a closed socket gives its back", async () => {
    const { world, caller } = await setUp();
    const [ticket, spare] = [await world.liveTicket(caller), await world.liveTicket(caller)];
    const tickets = await Promise.all(Array.from({ length: 99 }, () => world.liveTicket(caller)));
    const opened = await Promise.all(tickets.map((each) => world.connectViewer(each)));
    expect(opened.map(({ statusCode }) => statusCode)).toEqual(Array(99).fill(200));
    expect((await world.connectViewer(ticket)).statusCode).toBe(200);
    await expect(world.liveTicket(caller)).rejects.toMatchObject({ code: "rate_limited" });
    expect(await world.connectViewer(spare)).toMatchObject({
      statusCode: 429,
      headers: { "retry-after": "60" },
    });
    expect((await world.connectViewer(await world.liveTicket(aSession()))).statusCode).toBe(200);
    await world.disconnected(opened[7]?.websocketId ?? "");
    expect((await world.connectViewer(await world.liveTicket(caller))).statusCode).toBe(200);
  });
});

describe("a viewer's ticket", () => {
  it("opens no tunnel", async () => {
    const { world, caller } = await setUp();
    for (const scheme of ["Ticket", "Bearer"]) {
      const ticket = await world.liveTicket(caller);
      const headers = { Authorization: `${scheme} ${ticket}`, "X-Machine-Fingerprint": randomUUID() };
      expect((await world.connect(headers)).statusCode).toBe(401);
    }
  });

  it("is given to no key that may not read", async () => {
    const { world } = await setUp();
    const driver = callerOfKey(await world.key(["driver"]));
    await expect(world.liveTicket(driver)).rejects.toMatchObject({ code: "insufficient_scope" });
  });
});

describe("a viewer's message", () => {
  it("watch replaces the topics, each once", async () => {
    const { world, caller } = await setUp();
    const { websocketId, read } = await world.viewer(caller, "machines", "runs", "machines");
    await world.send(websocketId, { type: "watch", topics: [`run:${runId}`] });
    expect(read()).toEqual([
      { type: "watching", topics: ["machines", "runs"] },
      { type: "watching", topics: [`run:${runId}`] },
    ]);
    const [viewer] = await world.viewers.list(caller.organizationId);
    expect(viewer?.topics).toEqual([`run:${runId}`]);
  });

  it("watch is answered once no instance may remember that nobody looks: the first viewer waits", async () => {
    const { world, caller } = await setUp();
    const openedMs = world.clock.now();
    await world.viewer(caller, "runs");
    expect(world.clock.now() - openedMs).toBe(2_500);
    await world.viewer(caller, "runs");
    expect(world.clock.now() - openedMs).toBe(2_500);
  });

  it.each([
    ["51 topics", Array.from({ length: 51 }, () => `run:${randomUUID()}`)],
    ["another topic", ["pools"]],
    ["an id that is none", ["run:1"]],
  ])("watch with %s is an error and changes nothing", async (_, topics) => {
    const { world, caller } = await setUp();
    const { websocketId, read } = await world.viewer(caller, "runs");
    await world.send(websocketId, { type: "watch", topics });
    expect(read().at(-1)).toMatchObject({ type: "error", code: "malformed" });
    expect((await world.viewers.list(caller.organizationId))[0]?.topics).toEqual(["runs"]);
  });

  it("ping is answered, and an unknown type is an error", async () => {
    const { world, caller } = await setUp();
    const { websocketId, read } = await world.viewer(caller);
    await world.send(websocketId, { type: "ping" });
    await world.send(websocketId, { type: "dance" });
    await world.send(websocketId, "{");
    expect(read()).toMatchObject([
      { type: "pong" },
      { type: "error", code: "unknown_type" },
      { type: "error", code: "malformed" },
    ]);
  });

  it("that only a driver sends ends the socket, and makes no machine", async () => {
    const { world, caller } = await setUp();
    const { websocketId, read } = await world.viewer(caller);
    await world.send(websocketId, hello());
    expect([read(), world.sockets.isOpen(websocketId)]).toEqual([[], false]);
    expect(await world.connections.findByWebsocketId(websocketId)).toBeUndefined();
  });

  it("ends the socket after sixty in a minute, also over many instances", async () => {
    const { world, caller } = await setUp();
    const { websocketId, read } = await world.viewer(caller);
    await world.sendAtOnce(websocketId, Array(60).fill({ type: "ping" }));
    expect(read()).toHaveLength(60);
    await world.send(websocketId, { type: "ping" });
    expect(read().at(-1)).toEqual({ type: "goodbye", code: "rate_limited", retry_after_seconds: 60 });
    expect(world.sockets.isOpen(websocketId)).toBe(false);
  });

  it("of a viewer that was removed ends its socket", async () => {
    const { world, caller } = await setUp();
    const { websocketId } = await world.viewer(caller, "runs");
    const [viewer] = await world.viewers.list(caller.organizationId);
    if (viewer) await world.viewers.remove(viewer);
    await world.send(websocketId, { type: "watch", topics: ["runs"] });
    expect(world.sockets.isOpen(websocketId)).toBe(false);
    expect(await world.viewers.list(caller.organizationId)).toEqual([]);
  });
});

describe("a driver", () => {
  it("cannot watch", async () => {
    const { world } = await setUp();
    const driver = await world.driver({ key: await world.key() });
    await world.send(driver.websocketId, { type: "watch", topics: ["runs"] });
    expect(world.sockets.messages(driver.websocketId).at(-1)).toMatchObject({
      type: "error",
      code: "unknown_type",
    });
    expect(await world.viewers.list(driver.organizationId)).toEqual([]);
  });
});
