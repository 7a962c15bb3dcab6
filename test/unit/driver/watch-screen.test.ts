import { describe, expect, it } from "vitest";
import { Blinking } from "../../../infra/driver/screens/blinking.ts";
import { parseTags } from "../../../infra/driver/screens/picture-tag.ts";
import type { Frame, PointerPicture } from "../../../infra/driver/screens/pictures/frame.ts";
import { PictureEncoder } from "../../../infra/driver/screens/pictures/picture-encoder.ts";
import type { WatchInput } from "../../../infra/driver/screens/screen.ts";
import { type WatchedDisplay, watchScreen } from "../../../infra/driver/screens/watch-screen.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";

const size = { width: 400, height: 400 };
const encoder = new PictureEncoder();
const signal = AbortSignal.timeout(20_000);

/** The pixels of a rectangle have the color, the others are black. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color: number;
}

const window: Box = { x: 8, y: 8, width: 30, height: 20, color: 200 };
const other: Box = { ...window, color: 90 };
const cursor: Box = { x: 50, y: 20, width: 2, height: 12, color: 255 };
const letter: Box = { x: 52, y: 20, width: 3, height: 12, color: 255 };

function frameOf(boxes: readonly Box[]): Frame {
  const pixels = new Uint8Array(size.width * size.height * 4);
  for (const { x, y, width, height, color } of boxes) {
    for (let row = y; row < y + height; row += 1) {
      const start = (row * size.width + x) * 4;
      pixels.fill(color, start, start + width * 4);
    }
  }
  return { ...size, pixels };
}

interface Event {
  readonly atMs: number;
  readonly boxes?: readonly Box[];
  readonly pointerX?: number;
}

/** A display whose drawing is a list of events on a clock of its own. */
function watchedDisplay() {
  const clock = new FakeClock();
  const startMs = clock.now();
  const elapsed = () => clock.now() - startMs;
  const events: Event[] = [];
  let boxes: readonly Box[] = [window];
  let pointerX = 1;
  let hasDrawn = false;
  const captures: number[] = [];
  const advance = (ms: number) => {
    clock.advance(ms);
    while (events[0] !== undefined && events[0].atMs <= elapsed()) {
      const event = events.shift();
      if (event?.boxes !== undefined) {
        boxes = event.boxes;
        hasDrawn = true;
      }
      pointerX = event?.pointerX ?? pointerX;
    }
  };
  const display: WatchedDisplay = {
    capture: async ({ settleMs, quietMs }) => {
      captures.push(elapsed());
      hasDrawn = false;
      if (settleMs === 0) return { frame: frameOf(boxes), isSettled: false };
      for (const endsAt = elapsed() + settleMs; elapsed() + quietMs <= endsAt; ) {
        advance(quietMs);
        if (!hasDrawn) return { frame: frameOf(boxes), isSettled: true };
        hasDrawn = false;
      }
      return { frame: frameOf(boxes), isSettled: false };
    },
    pointer: async (): Promise<PointerPicture> => {
      return { x: pointerX, y: 1, width: 1, height: 1, argb: Uint32Array.of(0xffffffff) };
    },
    drawn: async (ms) => {
      const endsAt = elapsed() + ms;
      while (!hasDrawn && elapsed() < endsAt) {
        const next = Math.min(endsAt, events.find((event) => event.boxes)?.atMs ?? endsAt);
        advance(next - elapsed());
      }
      return hasDrawn;
    },
    now: () => clock.now(),
    sleep: async (ms) => advance(ms),
  };
  const blinking = new Blinking(() => clock.now());
  const watch = async (fields: Partial<Omit<WatchInput, "unless">> & { readonly has?: string } = {}) => {
    const { has, ...query } = fields;
    const unless = parseTags(has);
    const input = { settle_ms: 0, cursor: false, wait_ms: 10_000, ...query, unless };
    const { etag, screenshot } = await watchScreen(display, { encoder, blinking }, input, signal);
    return { etag, isSame: screenshot === undefined, isSettled: screenshot?.isSettled, atMs: elapsed() };
  };
  /** What is drawn from now on, each so many milliseconds after now. */
  const willDraw = (...drawn: readonly Event[]) => {
    events.push(...drawn.map((event) => ({ ...event, atMs: elapsed() + event.atMs })));
    events.sort((one, next) => one.atMs - next.atMs);
  };
  return { watch, willDraw, advance, captures, elapsed };
}

describe("a watched screen", () => {
  it("is shown as soon as it differs and is still", async () => {
    const { watch, willDraw } = watchedDisplay();
    const { etag } = await watch();
    willDraw({ atMs: 3_000, boxes: [window, letter] }, { atMs: 3_010, boxes: [other] });
    const seen = await watch({ has: etag });
    expect([seen.isSame, seen.isSettled]).toEqual([false, true]);
    expect(seen.atMs).toBe(3_040);
    expect(await watch({ has: seen.etag, wait_ms: 0 })).toMatchObject({ isSame: true });
  });

  it("is shown after a tenth of a second though it never is still", async () => {
    const { watch, willDraw } = watchedDisplay();
    const { etag } = await watch();
    const boxes = (at: number) => [{ ...window, color: at }];
    willDraw(...Array.from({ length: 100 }, (_, at) => ({ atMs: 20 * (at + 1), boxes: boxes(at) })));
    const seen = await watch({ has: etag });
    expect([seen.isSame, seen.isSettled]).toEqual([false, false]);
    expect(seen.atMs).toBeLessThanOrEqual(150);
  });

  it("is waited for as long as settle_ms says", async () => {
    const { watch, willDraw } = watchedDisplay();
    const { etag } = await watch();
    const boxes = (at: number) => [{ ...window, color: at }];
    willDraw(...Array.from({ length: 30 }, (_, at) => ({ atMs: 50 * (at + 1), boxes: boxes(at) })));
    expect(await watch({ has: etag, settle_ms: 5_000 })).toMatchObject({ isSettled: true, atMs: 1_650 });
  });

  it("is the same at the end of the time, and was captured once", async () => {
    const { watch, captures } = watchedDisplay();
    const { etag } = await watch();
    captures.length = 0;
    expect(await watch({ has: etag })).toMatchObject({ isSame: true, etag, atMs: 10_000 });
    expect(captures).toEqual([0]);
  });

  it("costs a viewer seven calls in the first minute", async () => {
    const { watch, elapsed } = watchedDisplay();
    let { etag } = await watch();
    let calls = 1;
    for (; elapsed() < 60_000; calls += 1) etag = (await watch({ has: etag })).etag;
    expect(calls).toBe(7);
  });

  it("is not waited for without a tag, and is compared at once without a wait", async () => {
    const { watch, elapsed } = watchedDisplay();
    const { etag, isSame } = await watch();
    expect(isSame).toBe(false);
    expect(await watch({ has: etag, wait_ms: 0 })).toMatchObject({ isSame: true });
    expect(await watch({ has: `"x", W/"y.", ${etag}`, wait_ms: 0 })).toMatchObject({ isSame: true });
    expect(elapsed()).toBe(0);
  });

  it("has a tag for each size, which another size's never matches", async () => {
    const { watch, willDraw, advance } = watchedDisplay();
    const whole = await watch();
    const scaled = await watch({ width: 8 });
    expect(new Set([whole.etag, scaled.etag, (await watch({ height: 8 })).etag]).size).toBe(3);
    expect(await watch({ width: 8, has: whole.etag })).toMatchObject({ isSame: false });
    expect(await watch({ width: 8, has: scaled.etag, wait_ms: 0 })).toMatchObject({ isSame: true });
    // One pixel of the whole screen, of which a picture eight pixels wide may show nothing.
    willDraw({ atMs: 1, boxes: [window, { x: 399, y: 399, width: 1, height: 1, color: 1 }] });
    advance(1);
    expect(await watch({ width: 8, has: scaled.etag, wait_ms: 0 })).toMatchObject({ isSame: false });
  });

  it("with the pointer differs when the pointer moves, and only then", async () => {
    const { watch, willDraw, captures } = watchedDisplay();
    const drawnIn = await watch({ cursor: true });
    willDraw({ atMs: 2_050, pointerX: 9 });
    captures.length = 0;
    const seen = await watch({ cursor: true, has: drawnIn.etag });
    expect(seen.isSame).toBe(false);
    expect(seen.atMs).toBeGreaterThanOrEqual(2_050);
    expect(captures.length).toBeLessThanOrEqual(3);
    const without = await watch();
    willDraw({ atMs: 2_050, pointerX: 1 });
    expect(await watch({ has: without.etag })).toMatchObject({ isSame: true });
  });

  it("costs few captures when the same is drawn again and again", async () => {
    const { watch, willDraw, captures } = watchedDisplay();
    const { etag } = await watch();
    willDraw(...Array.from({ length: 600 }, (_, at) => ({ atMs: 16 * (at + 1), boxes: [window] })));
    expect(await watch({ has: etag })).toMatchObject({ isSame: true });
    expect(captures.length).toBeLessThan(110);
  });
});

describe("a text cursor that blinks", () => {
  const blinks = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      atMs: from + 500 * at,
      boxes: at % 2 === 0 ? [window, cursor] : [window],
    }));

  it("costs one call more, and then none but those of a still screen", async () => {
    const { watch, willDraw, elapsed } = watchedDisplay();
    willDraw(...blinks(250, 200));
    let { etag } = await watch();
    const calls: number[] = [];
    while (elapsed() < 60_000) {
      calls.push(elapsed());
      etag = (await watch({ has: etag })).etag;
    }
    expect(calls.length).toBeLessThanOrEqual(8);
    expect(calls.slice(2).every((at, place) => at - (calls[place + 1] ?? 0) >= 9_000)).toBe(true);
  });

  it("does not hide a narrow letter", async () => {
    const { watch, willDraw } = watchedDisplay();
    willDraw(...blinks(250, 20));
    let { etag } = await watch();
    for (let call = 0; call < 2; call += 1) etag = (await watch({ has: etag })).etag;
    const shown = await watch();
    willDraw({ atMs: 300, boxes: [window, letter] });
    const seen = await watch({ has: shown.etag });
    expect(seen.isSame).toBe(false);
    expect(seen.atMs - shown.atMs).toBeLessThan(500);
  });

  it("hides a letter that is deleted at once for no longer than the wait", async () => {
    const { watch, willDraw } = watchedDisplay();
    const before = await watch();
    willDraw({ atMs: 100, boxes: [window, letter] }, { atMs: 1_000, boxes: [window] });
    const typed = await watch({ has: before.etag });
    const deleted = await watch({ has: typed.etag });
    expect([deleted.isSame, deleted.etag]).toEqual([false, before.etag]);
    expect(deleted.atMs - typed.atMs).toBeLessThanOrEqual(10_000);
  });
});
