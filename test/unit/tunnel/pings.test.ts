import { describe, expect, it } from "vitest";
import { isPingNoted } from "../../../shared/domain/connection/ping-turn.ts";
import { tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

const minuteMs = 60_000;
const ping = { type: "ping", at: 1 };
const unheard = { heardBeforeMs: undefined, hasProof: false, pingSeconds: 300 };

async function greeted(pingSeconds = 300) {
  const world = tunnelWorld({ pingSeconds });
  const key = await world.key();
  const driver = await world.driver({ key });
  const { websocketId } = driver;
  const sent: string[] = [];
  const answer = world.model.answer.bind(world.model);
  world.model.answer = (command) => {
    sent.push((command as object).constructor.name);
    return answer(command);
  };
  /** @returns the calls of the table that it made. */
  const send = async (message: object, via = world.send): Promise<readonly string[]> => {
    sent.length = 0;
    await via(websocketId, message);
    return [...sent];
  };
  const isTurn = (nowMs = world.clock.now()) => isPingNoted({ ...unheard, pingSeconds, websocketId, nowMs });
  const wait = (until: boolean) => {
    while (isTurn() !== until) world.clock.advance(minuteMs);
  };
  return { ...world, world, key, driver, send, isTurn, wait };
}

describe("the turn of a ping", () => {
  it.each([60, 300, 330])(
    "comes once in each half hour of pings %i s apart, and for few more",
    (pingSeconds) => {
      let noted = 0;
      let halfHours = 0;
      for (let socket = 0; socket < 100; socket += 1) {
        const beganMs = 1_800_000_000_000 + socket * 7_919;
        let lastMs = beganMs;
        let nowMs = beganMs;
        // A day, with a timer that is never early.
        for (let pings = 0; nowMs < beganMs + 24 * 60 * minuteMs; pings += 1) {
          nowMs += pingSeconds * 1_000 + (pings % 9) * 30;
          if (!isPingNoted({ ...unheard, pingSeconds, websocketId: `${socket}abc=`, nowMs })) continue;
          expect(nowMs - lastMs).toBeLessThan(36 * minuteMs);
          lastMs = nowMs;
          noted += 1;
        }
        halfHours += (nowMs - beganMs) / (30 * minuteMs);
      }
      expect(noted / halfHours).toBeGreaterThan(0.99);
      expect(noted / halfHours).toBeLessThan(1.1);
    },
  );

  it("comes for a fleet's sockets one after the other", () => {
    const atOnce = (minute: number) =>
      Array.from({ length: 1_000 }, (_, socket) => {
        const nowMs = 1_800_000_000_000 + minute * minuteMs;
        return isPingNoted({ ...unheard, websocketId: `Q${socket * 7}fW=`, nowMs });
      }).filter(Boolean).length;
    for (let minute = 0; minute < 30; minute += 1) {
      expect(atOnce(minute)).toBeGreaterThan(100);
      expect(atOnce(minute)).toBeLessThan(250);
    }
  });
});

describe("a ping", () => {
  it("whose turn has come is one write, and the machine was seen", async () => {
    const { clock, wait, send, world, driver } = await greeted();
    wait(false);
    wait(true);
    expect(await send(ping)).toEqual(["UpdateItemCommand"]);
    const now = new Date(clock.now()).toISOString();
    expect(await world.machineOf(driver)).toMatchObject({ lastSeen: now, connection: { lastPing: now } });
  });

  it("of another time is no call at all, and is answered", async () => {
    const { wait, send, world, driver } = await greeted();
    const before = await world.machineOf(driver);
    wait(false);
    expect(await send(ping)).toEqual([]);
    expect(await world.machineOf(driver)).toEqual(before);
    expect(world.sockets.messages(driver.websocketId).at(-1)).toMatchObject({ type: "pong" });
  });

  it("that another instance hears is read by it, once", async () => {
    const { clock, wait, send, world } = await greeted();
    const other = world.instance();
    wait(false);
    expect(await send(ping, other)).toEqual(["GetItemCommand", "GetItemCommand"]);
    clock.advance(minuteMs);
    wait(false);
    expect(await send(ping, other)).toEqual([]);
  });

  it("that comes less than half a minute after another is noted", async () => {
    const { clock, wait, send } = await greeted();
    wait(false);
    await send(ping);
    clock.advance(minuteMs / 2 - 1);
    expect(await send(ping)).toEqual(["UpdateItemCommand"]);
  });

  it("of the shortest interval is not noted for that, though a timer or the network is early by seconds", async () => {
    const { clock, isTurn, send } = await greeted(60);
    while (isTurn() || isTurn(clock.now() + minuteMs)) clock.advance(minuteMs);
    await send(ping);
    clock.advance(minuteMs - 3_000);
    expect(await send(ping)).toEqual([]);
  });

  it.each([1, 5])(
    "of a driver with another interval is noted within 75 minutes, by %i instances",
    async (size) => {
      const { clock, isTurn, send, world, driver } = await greeted(60);
      const instances = Array.from({ length: size }, () => world.instance());
      const comesNever = () =>
        [0, 5, 10, 15, 20, 25].every((minute) => !isTurn(clock.now() + minute * minuteMs));
      while (!comesNever()) clock.advance(minuteMs);
      for (let pings = 0; pings < 12 * 8; pings += 1) {
        expect(isTurn()).toBe(false);
        await send(ping, instances[pings % size]);
        const { lastSeen } = await world.machineOf(driver);
        expect(clock.now() - Date.parse(lastSeen)).toBeLessThan(75 * minuteMs);
        clock.advance(5 * minuteMs);
      }
    },
  );

  it("with a proof is noted", async () => {
    const { wait, send } = await greeted();
    wait(false);
    expect(await send({ ...ping, secret_proof: "x".repeat(43) })).toEqual(["UpdateItemCommand"]);
  });

  it("of a superseded socket ends it in any instance, at the latest with its turn", async () => {
    const { wait, world, driver, key } = await greeted();
    const other = world.instance();
    wait(false);
    await other(driver.websocketId, ping);
    world.dismissal.dismiss = async () => {
      throw new Error("interrupted");
    };
    await expect(world.driver({ key, fingerprint: driver.fingerprint })).rejects.toThrow("interrupted");
    Reflect.deleteProperty(world.dismissal, "dismiss");
    wait(true);
    await other(driver.websocketId, ping);
    expect(world.sockets.isOpen(driver.websocketId)).toBe(false);
  });
});
