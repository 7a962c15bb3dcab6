import { describe, expect, it } from "vitest";
import { responseTo, tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

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
