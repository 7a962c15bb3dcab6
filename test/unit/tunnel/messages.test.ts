import { describe, expect, it } from "vitest";
import { formatReplyTo } from "../../../shared/tunnel/reply-to.ts";
import { aDesktopCall, anOrganization } from "../../support/builders/entities.ts";
import { base64, responseTo, tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

async function greeted() {
  const world = tunnelWorld();
  const key = await world.key();
  const driver = await world.driver({ key });
  const replies = () => world.sockets.messages(driver.websocketId).slice(1);
  return { world, key, driver, replies };
}

describe("a frame that cannot be used", () => {
  it("without a type is never answered: the gateway itself sends such ones", async () => {
    const { world, driver, replies } = await greeted();
    const gatewayFrame = { message: "Internal server error", connectionId: "x", requestId: "y" };
    for (const frame of [gatewayFrame, {}, [], null, 7, { type: 7 }]) {
      await world.send(driver.websocketId, JSON.stringify(frame));
    }
    expect(replies()).toEqual([]);
  });

  it("that is not JSON is answered with one error", async () => {
    const { world, driver, replies } = await greeted();
    await world.send(driver.websocketId, "{oops");
    expect(replies()).toEqual([expect.objectContaining({ type: "error", code: "malformed" })]);
  });

  it("of an unknown type, or malformed, is answered with an error that names its request", async () => {
    const { world, driver, replies } = await greeted();
    await world.send(driver.websocketId, { type: "dance" });
    await world.send(driver.websocketId, { type: "response", id: "r1", status: 200 });
    expect(replies()).toEqual([
      expect.objectContaining({ type: "error", code: "unknown_type" }),
      expect.objectContaining({ type: "error", code: "malformed", id: "r1" }),
    ]);
  });

  it("above 32,000 bytes is answered with an error and not read", async () => {
    const { world, driver, replies } = await greeted();
    const ofBytes = (bytes: number) => {
      const message = { type: "ping", at: 1, padding: "" };
      return { ...message, padding: "x".repeat(bytes - JSON.stringify(message).length) };
    };
    await world.send(driver.websocketId, ofBytes(32_000));
    expect(replies()).toEqual([expect.objectContaining({ type: "pong" })]);
    await world.send(driver.websocketId, ofBytes(32_001));
    expect(replies().at(-1)).toMatchObject({ type: "error", code: "too_large" });
    expect(world.sockets.isOpen(driver.websocketId)).toBe(true);
  });

  it("is answered in a message of legal size, however long its type", async () => {
    const { world, driver, replies } = await greeted();
    await world.send(driver.websocketId, { type: "t".repeat(30_000) });
    expect(replies()).toHaveLength(1);
  });

  it("that is an error is never answered, well formed or not", async () => {
    const { world, driver, replies } = await greeted();
    await world.send(driver.websocketId, { type: "error", code: "unknown_type", message: "what?" });
    await world.send(driver.websocketId, { type: "error" });
    expect(replies()).toEqual([]);
  });
});

describe("ping", () => {
  it("is answered with pong", async () => {
    const { world, driver, replies } = await greeted();
    world.clock.advance(300_000);
    await world.send(driver.websocketId, { type: "ping", at: 5 });
    expect(replies()).toEqual([{ type: "pong", at: world.clock.now() }]);
  });

  it("before hello is answered with an error", async () => {
    const world = tunnelWorld();
    const { websocketId } = await world.silent({ key: await world.key() });
    await world.send(websocketId, { type: "ping", at: 5 });
    expect(world.sockets.messages(websocketId)).toEqual([
      expect.objectContaining({ type: "error", code: "hello_expected" }),
    ]);
  });

  it("ends a socket whose connection was closed already, and one that is unknown", async () => {
    const { world, driver } = await greeted();
    const connection = await world.connections.findByWebsocketId(driver.websocketId);
    if (connection) await world.connections.close(connection, world.clock.now());
    world.sockets.open("unknown=");
    for (const websocketId of [driver.websocketId, "unknown="]) {
      await world.send(websocketId, { type: "ping", at: 5 });
      expect(world.sockets.isOpen(websocketId)).toBe(false);
    }
  });

  it("ends the socket of a machine that is deleted", async () => {
    const { world, driver, replies } = await greeted();
    const machine = await world.machineOf(driver);
    await world.machines.markDeleted(machine.organizationId, machine.id, "2026-01-15T12:00:00.000Z");
    world.clock.advance(30 * 60_000);
    await world.send(driver.websocketId, { type: "ping", at: 5 });
    expect(replies()).toEqual([{ type: "goodbye", code: "deleted", retry_after_seconds: null }]);
  });
});

describe("a response", () => {
  const mailbox = "11111111-1111-7111-8111-111111111111";

  it("is stored under the mailbox of its reply_to, and acknowledged part by part", async () => {
    const { world, driver, replies } = await greeted();
    const { websocketId, organizationId } = driver;
    const address = { mailbox, organizationId, websocketId, requestId: "r1" };
    const replyTo = await formatReplyTo(world.signer, address);
    const request = { id: "r1", reply_to: replyTo };
    await world.send(websocketId, responseTo(request, { part: 1, parts: 2, body: base64("two") }));
    await world.send(websocketId, responseTo(request, { part: 0, parts: 2, body: base64("one") }));
    expect(replies()).toEqual([
      { type: "received", id: "r1", part: 1 },
      { type: "received", id: "r1", part: 0 },
    ]);
    const stored = await world.mailboxes.poll(mailbox);
    expect(stored.map((part) => Buffer.from(part.body ?? []).toString())).toEqual(["one", "two"]);
    expect(stored[0]?.headers).toEqual({ "content-type": "application/json" });
  });

  it.each([
    ["another mailbox", { mailbox: "22222222-2222-7222-8222-222222222222" }],
    ["another organization", { organizationId: anOrganization() }],
    ["another connection", { websocketId: "somebody-else=" }],
    ["another request (a reply_to used again)", { requestId: "r0" }],
    ["another connection's call", { callOf: "33333333-3333-7333-8333-333333333333" }],
    ["a call of others", { callOf: "33333333-3333-7333-8333-333333333333", facts: "of-others" }],
    ["another connection's slot", { slotOf: "33333333-3333-7333-8333-333333333333" }],
    ["a driver that needs no acknowledgement", { isUnacknowledged: true }],
  ])("with the reply_to of %s is refused, and nothing is stored", async (_what, forged) => {
    const { world, driver, replies } = await greeted();
    const { websocketId, organizationId } = driver;
    const own = { mailbox, organizationId, websocketId, requestId: "r1" };
    const [address] = (await formatReplyTo(world.signer, own)).split(".");
    const [, ...mac] = (await formatReplyTo(world.signer, { ...own, ...forged })).split(".");
    await world.send(websocketId, responseTo({ id: "r1", reply_to: [address, ...mac].join(".") }));
    expect(replies()).toEqual([
      expect.objectContaining({ type: "error", code: "reply_to_refused", id: "r1" }),
    ]);
    expect(await world.mailboxes.poll(mailbox)).toEqual([]);
  });

  it.each(["", ".", "no-dot", `${mailbox}.`])("with the reply_to %j stores nothing", async (replyTo) => {
    const { world, driver, replies } = await greeted();
    await world.send(driver.websocketId, responseTo({ id: "r1", reply_to: replyTo }));
    expect(replies()).toEqual([expect.objectContaining({ type: "error", id: "r1" })]);
  });

  const large = { body: base64("x".repeat(2_000)) };
  it.each([
    ["one write and no read", "callOf", {}, ["callRecords.arrive"]],
    ["the same with the call's facts", "facts", {}, ["callRecords.arrive"]],
    ["the same for an upload", "callOf", { uploaded: true }, ["callRecords.arrive"]],
    ["one without a call", undefined, {}, ["mailboxes.put"]],
    ["two if it is large", "callOf", large, ["mailboxes.put", "callRecords.arrive"]],
    ["two if its caller expects that", "large", {}, ["mailboxes.put", "callRecords.arrive"]],
    ["one if that is an upload", "large", { uploaded: true }, ["mailboxes.put"]],
    [
      "two if it is the first of several parts",
      "callOf",
      { parts: 2 },
      ["mailboxes.put", "callRecords.arrive"],
    ],
    ["one if it is a later part", "callOf", { part: 1, parts: 2 }, ["mailboxes.put"]],
    ["two of a caller of the release before", "slotOf", {}, ["mailboxes.put", "slots.release"]],
  ] as const)("costs %s", async (_what, names, fields, expected) => {
    const { world, driver } = await greeted();
    const { websocketId, organizationId } = driver;
    const requestId = world.ids.uuid7();
    const call = aDesktopCall({ organizationId, requestId });
    const callOf = call.connectionId;
    const named = {
      callOf: { callOf },
      facts: { callOf, facts: await world.callRecords.describe(call) },
      large: { callOf, isLarge: true },
      slotOf: { slotOf: callOf },
    };
    const replyTo = await formatReplyTo(world.signer, {
      mailbox,
      organizationId,
      websocketId,
      requestId,
      ...(names && named[names]),
    });
    const calls: string[] = [];
    for (const store of [
      "connections",
      "machines",
      "mailboxes",
      "rateLimiter",
      "apiKeys",
      "callRecords",
      "slots",
    ] as const) {
      watchCalls(world[store], (method) => calls.push(`${store}.${method}`));
    }
    await world.send(websocketId, responseTo({ id: requestId, reply_to: replyTo }, fields));
    expect(calls).toEqual(expected);
  });

  it("of one part is not acknowledged to a driver that does not need it", async () => {
    const { world, driver, replies } = await greeted();
    const { websocketId, organizationId } = driver;
    const address = { mailbox, organizationId, websocketId, requestId: "r1", isUnacknowledged: true };
    const request = { id: "r1", reply_to: await formatReplyTo(world.signer, address) };
    await world.send(websocketId, responseTo(request));
    expect(replies()).toEqual([]);
    await world.send(websocketId, responseTo(request, { part: 1, parts: 2 }));
    expect(replies()).toEqual([{ type: "received", id: "r1", part: 1 }]);
  });

  it("goes to its caller's mailbox while its call's record takes none", async () => {
    const { world, driver, replies } = await greeted();
    const { websocketId, organizationId } = driver;
    const address = { mailbox, organizationId, websocketId, requestId: "r1", callOf: "c" };
    const request = { id: "r1", reply_to: await formatReplyTo(world.signer, address) };
    world.callRecords.arrive = () => Promise.reject(new Error("the table is busy"));
    await world.send(websocketId, responseTo(request));
    expect(replies()).toEqual([{ type: "received", id: "r1", part: 0 }]);
    expect(await world.mailboxes.poll(mailbox)).toMatchObject([{ requestId: "r1", status: 200 }]);
  });

  it.each(["callOf", undefined] as const)(
    "is not acknowledged when it could not be stored, so that the driver sends it again (%s)",
    async (names) => {
      const { world, driver, replies } = await greeted();
      const { websocketId, organizationId } = driver;
      const address = { mailbox, organizationId, websocketId, requestId: "r1" };
      const replyTo = await formatReplyTo(world.signer, { ...address, ...(names && { [names]: "c" }) });
      const fails = () => Promise.reject(new Error("the table is away"));
      world.mailboxes.put = fails;
      world.callRecords.arrive = fails;
      await expect(world.send(websocketId, responseTo({ id: "r1", reply_to: replyTo }))).rejects.toThrow();
      expect(replies()).toEqual([]);
    },
  );

  it("in the mailbox is acknowledged even though its call's record does not say so", async () => {
    const { world, driver, replies } = await greeted();
    const { websocketId, organizationId } = driver;
    const address = { mailbox, organizationId, websocketId, requestId: "r1", callOf: "c" };
    const request = { id: "r1", reply_to: await formatReplyTo(world.signer, address) };
    world.callRecords.arrive = () => Promise.reject(new Error("the table is away"));
    await world.send(websocketId, responseTo(request, large));
    expect(replies()).toEqual([{ type: "received", id: "r1", part: 0 }]);
  });
});

function watchCalls(store: object, called: (method: string) => void): void {
  for (const method of Object.getOwnPropertyNames(Object.getPrototypeOf(store))) {
    const original: unknown = Reflect.get(store, method);
    if (method === "constructor" || typeof original !== "function") continue;
    Reflect.set(store, method, (...given: unknown[]) => {
      called(method);
      return Reflect.apply(original, store, given);
    });
  }
}
