import { describe, expect, it } from "vitest";
import { WallLooks } from "../../../functions/console/page/machines/wall-looks.ts";
import { type Look, ScreenFollower } from "../../../functions/console/page/screen/screen-follower.ts";
import { Wheel } from "../../../functions/console/page/screen/wheel.ts";

const png = new Uint8Array([1]);
const picture = (etag: string): Look => ({ body: png, etag, retryAfterSeconds: undefined });
const unchanged = (etag: string, retryAfterSeconds?: number): Look => ({
  body: undefined,
  etag,
  retryAfterSeconds,
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

function makeTime() {
  let now = 0;
  let timers: { readonly atMs: number; readonly callback: () => void }[] = [];
  return {
    now: () => now,
    after: (ms: number, callback: () => void) => {
      const timer = { atMs: now + ms, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    pass: async (ms: number) => {
      const end = now + ms;
      for (;;) {
        const next = timers.filter(({ atMs }) => atMs <= end).sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        timers = timers.filter((each) => each !== next);
        now = Math.max(now, next.atMs);
        next.callback();
        await settle();
      }
      now = end;
    },
  };
}

function makeFollower() {
  const time = makeTime();
  const looks: {
    readonly etag: string | undefined;
    readonly done: (look: Look) => void;
    readonly fail: () => void;
  }[] = [];
  const errors: unknown[] = [];
  let pictures = 0;
  let isSeen = true;
  const follower = new ScreenFollower({
    look: async (etag) =>
      await new Promise((done, fail) => looks.push({ etag, done, fail: () => fail(new Error("away")) })),
    onPicture: () => {
      pictures += 1;
    },
    onError: (error) => errors.push(error),
    isSeen: () => isSeen,
    ...time,
  });
  return {
    follower,
    time,
    looks,
    errors,
    pictures: () => pictures,
    see: (is: boolean) => {
      isSeen = is;
    },
    answer: async (look: Look) => {
      looks.at(-1)?.done(look);
      await settle();
    },
    fail: async () => {
      looks.at(-1)?.fail();
      await settle();
    },
  };
}

describe("a screen that is followed", () => {
  it("is looked at again at once with the last tag, and after the pause that the service asks for", async () => {
    const { follower, looks, answer, pictures, time } = makeFollower();
    follower.start();
    await answer(picture("a"));
    expect([pictures(), looks.length, looks.at(-1)?.etag]).toEqual([1, 2, "a"]);
    await answer(unchanged("a", 2));
    await time.pass(1_999);
    expect(looks).toHaveLength(2);
    await time.pass(1);
    expect(looks).toHaveLength(3);
    await answer(unchanged("a", 2));
    follower.lookNow();
    await settle();
    expect(looks).toHaveLength(4);
  });

  it("says what failed and that it works again, and begins anew without a tag", async () => {
    const { follower, looks, answer, fail, errors, time } = makeFollower();
    follower.start();
    await answer(picture("a"));
    await fail();
    await time.pass(3_000);
    expect(looks.at(-1)?.etag).toBeUndefined();
    await answer(picture("b"));
    expect(errors).toEqual([new Error("away"), undefined]);
  });

  it("is not looked at while the tab is hidden", async () => {
    const { follower, looks, see, time } = makeFollower();
    see(false);
    void follower.start();
    await time.pass(5_000);
    expect(looks).toHaveLength(0);
    see(true);
    await time.pass(1_000);
    expect(looks).toHaveLength(1);
  });

  it("is looked at some three times a second when it never stands still", async () => {
    const { follower, looks, answer, time } = makeFollower();
    follower.start();
    const until = async (ms: number) => {
      for (let at = 0; at < ms; at += 50) {
        await answer(picture(String(at)));
        await time.pass(50);
      }
    };
    await until(10_000);
    const before = looks.length;
    await until(10_000);
    expect(looks.length - before).toBeLessThan(40);
    expect(looks.length - before).toBeGreaterThan(25);
  });
});

describe("a wall of screens", () => {
  function makeWall() {
    const time = makeTime();
    const looks: { readonly id: string; readonly waitMs: number; readonly done: (look: Look) => void }[] = [];
    const wall = new WallLooks({
      look: async (id, _etag, waitMs) => await new Promise((done) => looks.push({ id, waitMs, done })),
      onPicture: () => {},
      isSeen: () => true,
      ...time,
    });
    return { wall, looks, time };
  }

  it("looks at three at once, each in its turn, some four times a second in all", async () => {
    const { wall, looks, time } = makeWall();
    for (let at = 0; at < 20; at += 1) wall.watch(`m${at}`);
    expect(looks).toHaveLength(3);
    let answered = 0;
    const answerAll = async () => {
      for (; answered < looks.length; answered += 1) looks[answered]?.done(picture("a"));
      await settle();
    };
    for (let at = 0; at < 10_000; at += 50) {
      await answerAll();
      await time.pass(50);
    }
    expect(new Set(looks.slice(0, 20).map(({ id }) => id)).size).toBe(20);
    expect(looks.length).toBeLessThan(20 + 45);
    expect(looks.every(({ waitMs }) => waitMs === 0)).toBe(true);
  });

  it("waits for the change of one that is alone in view, and no more for one that is not", async () => {
    const { wall, looks, time } = makeWall();
    wall.watch("one");
    looks[0]?.done(picture("a"));
    await settle();
    await time.pass(1_000);
    expect(looks[1]?.waitMs).toBeGreaterThan(5_000);
    wall.unwatch("one");
    looks[1]?.done(unchanged("a"));
    await settle();
    await time.pass(60_000);
    expect(looks).toHaveLength(2);
  });
});

describe("a wheel", () => {
  it("counts whole clicks, of lines, pages and a touchpad's small steps", () => {
    const wheel = new Wheel();
    expect(wheel.turn({ deltaX: 0, deltaY: 120, deltaMode: 0 })).toEqual([{ direction: "down", amount: 1 }]);
    expect(wheel.turn({ deltaX: 0, deltaY: 40, deltaMode: 0 })).toEqual([]);
    expect(wheel.turn({ deltaX: 0, deltaY: 40, deltaMode: 0 })).toEqual([{ direction: "down", amount: 1 }]);
    expect(wheel.turn({ deltaX: 0, deltaY: -6, deltaMode: 1 })).toEqual([{ direction: "up", amount: 2 }]);
    expect(wheel.turn({ deltaX: -1, deltaY: 0, deltaMode: 2 })).toEqual([{ direction: "left", amount: 1 }]);
  });
});
