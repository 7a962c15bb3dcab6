import { describe, expect, it } from "vitest";
import { DomainError } from "../../../shared/domain/errors.ts";
import { formatReplyTo } from "../../../shared/tunnel/reply-to.ts";
import { base64, hello, responseTo, tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

async function greeted() {
  const world = tunnelWorld();
  const driver = await world.driver({ key: await world.key() });
  const sendOften = async (times: number, message: unknown) => {
    for (let sent = 0; sent < times; sent += 1) await world.send(driver.websocketId, message);
  };
  const goodbyes = () =>
    world.sockets.messages(driver.websocketId).filter((message) => message.type === "goodbye");
  return { world, driver, sendOften, goodbyes };
}

const ping = { type: "ping", at: 1 };
const forged = responseTo({ id: "r1", reply_to: "nonsense" });

describe("a driver that sends too many frames", () => {
  it.each([
    ["nonsense", { type: "dance" }],
    ["pings", ping],
  ])("of %s is told to come back later, once, and its socket is ended", async (_, message) => {
    const { world, driver, sendOften, goodbyes } = await greeted();
    await sendOften(59, message);
    expect(world.sockets.isOpen(driver.websocketId)).toBe(true);
    await sendOften(10, message);
    expect(goodbyes()).toEqual([{ type: "goodbye", code: "rate_limited", retry_after_seconds: 60 }]);
    expect(world.sockets.isOpen(driver.websocketId)).toBe(false);
  });

  it("with a forged reply_to has no more of them than of any other frame", async () => {
    const { world, driver, sendOften, goodbyes } = await greeted();
    await sendOften(61, forged);
    expect(goodbyes()).toHaveLength(1);
    expect(world.sockets.isOpen(driver.websocketId)).toBe(false);
  });

  it("of pings is told so by whichever instances hear more than one", async () => {
    const { world, driver, goodbyes } = await greeted();
    const { websocketId } = driver;
    const instances = Array.from({ length: 10 }, () => world.instance());
    const pingAll = async () =>
      await Promise.all(instances.map(async (send) => await send(websocketId, ping)));
    for (let round = 0; round < 5; round += 1) await pingAll();
    expect(goodbyes()).toEqual([]);
    for (let round = 0; round < 4; round += 1) await pingAll();
    expect(goodbyes()).toHaveLength(1);
    expect(world.sockets.isOpen(websocketId)).toBe(false);
  });

  it.each([
    ["nonsense", { type: "dance" }],
    ["hellos", hello()],
    ["forged responses", forged],
  ])("of %s, each to another instance at once, is told so too, once", async (_, message) => {
    const { world, driver, goodbyes } = await greeted();
    const { websocketId } = driver;
    await world.sendAtOnce(websocketId, Array(59).fill(message));
    expect(goodbyes()).toEqual([]);
    await world.sendAtOnce(websocketId, Array(20).fill(message));
    expect(goodbyes()).toHaveLength(1);
    expect(world.sockets.isOpen(websocketId)).toBe(false);
  });

  it("is ended by its next frame when its socket could not be ended, or its goodbye not be sent", async () => {
    const { world, driver, sendOften, goodbyes } = await greeted();
    const disconnect = world.sockets.disconnect.bind(world.sockets);
    world.sockets.disconnect = async () => {};
    await sendOften(65, ping);
    expect(goodbyes()).toHaveLength(1);
    world.sockets.disconnect = disconnect;
    await sendOften(1, ping);
    expect(goodbyes()).toHaveLength(1);
    expect(world.sockets.isOpen(driver.websocketId)).toBe(false);

    const other = await world.driver({ key: await world.key() });
    const post = world.sockets.post.bind(world.sockets);
    world.sockets.post = async (websocketId, text) => {
      if (text.includes("goodbye")) throw new Error("the gateway is away");
      return await post(websocketId, text);
    };
    // A ping that is noted is counted once more.
    for (let sent = 0; sent < 58; sent += 1) await world.send(other.websocketId, ping);
    const more = async () => {
      for (let sent = 0; sent < 5; sent += 1) await world.send(other.websocketId, ping);
    };
    await expect(more()).rejects.toThrow("the gateway is away");
    expect(world.sockets.isOpen(other.websocketId)).toBe(false);
  });

  it.each([
    ["nonsense", { type: "dance" }],
    ["pings", ping],
  ])(
    "of %s is ended by what one instance has counted itself, also when nothing can be written",
    async (_, message) => {
      const { world, driver } = await greeted();
      const away = async () => {
        throw new DomainError("service_unavailable", "the table is away");
      };
      Object.assign(world.connections, { countFrame: away, ping: away });
      await Promise.allSettled(
        Array.from({ length: 60 }, async () => await world.send(driver.websocketId, message)),
      );
      expect(world.sockets.isOpen(driver.websocketId)).toBe(true);
      await world.send(driver.websocketId, message);
      expect(world.sockets.isOpen(driver.websocketId)).toBe(false);
    },
  );

  it("costs no further write once an instance knows of it", async () => {
    const { world, driver, sendOften } = await greeted();
    await sendOften(61, ping);
    const other = world.instance();
    await other(driver.websocketId, { type: "dance" });
    world.model.takeRecords();
    await sendOften(40, ping);
    for (let sent = 0; sent < 40; sent += 1) await other(driver.websocketId, ping);
    expect(world.model.takeRecords()).toEqual([]);
  });

  it("may go on in the next minute", async () => {
    const { world, driver, sendOften } = await greeted();
    await sendOften(50, ping);
    world.clock.advance(60_000);
    await sendOften(50, ping);
    expect(world.sockets.isOpen(driver.websocketId)).toBe(true);
  });

  it("takes nothing from another", async () => {
    const { world, sendOften } = await greeted();
    const other = await world.driver({ key: await world.key() });
    await sendOften(100, ping);
    await world.send(other.websocketId, ping);
    expect(world.sockets.messages(other.websocketId).at(-1)).toMatchObject({ type: "pong" });
  });
});

describe("a driver that answers", () => {
  it("may do so as fast as calls come", async () => {
    const { world, driver, goodbyes } = await greeted();
    world.script(driver.websocketId, (request) => world.send(driver.websocketId, responseTo(request)));
    const machine = await world.machineOf(driver);
    for (let call = 0; call < 300; call += 1) {
      expect(await world.ask(machine)).toMatchObject({ kind: "answered" });
    }
    expect(goodbyes()).toEqual([]);
  });
});

describe("a driver that repeats a response", () => {
  const mailbox = "11111111-1111-7111-8111-111111111111";

  async function answering() {
    const all = await greeted();
    const { websocketId, organizationId } = all.driver;
    const address = { mailbox, organizationId, websocketId, requestId: "r1" };
    const replyTo = await formatReplyTo(all.world.signer, address);
    const response = (body: string) => responseTo({ id: "r1", reply_to: replyTo }, { body: base64(body) });
    const received = () =>
      all.world.sockets.messages(websocketId).filter((message) => message.type === "received").length;
    return { ...all, response, received };
  }

  it("has it acknowledged again, and changes nothing of what was stored", async () => {
    const { world, sendOften, response, received } = await answering();
    await sendOften(1, response("first"));
    await sendOften(9, response("other"));
    expect(received()).toBe(10);
    const stored = await world.mailboxes.poll(mailbox);
    expect(stored.map((part) => Buffer.from(part.body ?? []).toString())).toEqual(["first"]);
  });

  it("more than nine times makes noise: beyond the limit it is ended", async () => {
    const { world, driver, sendOften, goodbyes, response, received } = await answering();
    await sendOften(1 + 9 + 59, response("first"));
    expect(goodbyes()).toEqual([]);
    await world.sendAtOnce(driver.websocketId, Array(30).fill(response("first")));
    expect(goodbyes()).toHaveLength(1);
    expect(received()).toBe(1 + 9 + 59);
    expect(world.sockets.isOpen(driver.websocketId)).toBe(false);
  });
});
