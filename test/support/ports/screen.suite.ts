import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SimulatedEvent } from "../../../infra/demo-desk/simulated-screen.ts";
import type { Answer, Desktop } from "../../../infra/driver/desktop.ts";
import { findKeysym } from "../../../infra/driver/screens/keysyms/keysyms.ts";
import type { MouseButton, Point, Size } from "../../../infra/driver/screens/screen.ts";
import { askDesktop, jsonOf } from "../fake-service/ask-desktop.ts";
import { decodePng } from "../pictures/decode-png.ts";

export type ArrivedEvent = Extract<SimulatedEvent, { readonly kind: "button" | "scroll" | "key" }>;

interface Arrived {
  /** Events without motion. Keys pressed to type text may cause events or none. */
  readonly events: readonly ArrivedEvent[];
  readonly text: string;
}

export interface ScreenWorld {
  readonly desktop: Desktop;
  readonly size: Size;
  /** Returns the input since the last call, once nothing more arrives. */
  observe(): Promise<Arrived>;
  offerToCopy(text: string): Promise<void>;
  close?(): Promise<void>;
}

export interface ScreenSuiteOptions {
  readonly releasesHeld?: boolean;
}

function keysym(name: string): number {
  const found = findKeysym(name);
  if (found === undefined) throw new Error(`no key is called ${name}`);
  return found;
}

const pressed = (name: string) => ({ kind: "key", keysym: keysym(name), down: true }) as const;
const released = (name: string) => ({ kind: "key", keysym: keysym(name), down: false }) as const;
const button = (down: boolean, at: Point, of: MouseButton = "left") =>
  ({ kind: "button", button: of, down, at }) as const;

export function screenSuite(
  open: () => Promise<ScreenWorld> | ScreenWorld,
  { releasesHeld = true }: ScreenSuiteOptions = {},
): void {
  let world: ScreenWorld;
  const openForAll = () => {
    beforeAll(async () => {
      world = await open();
    });
    afterAll(async () => {
      await world?.close?.();
    });
    beforeEach(async () => {
      await world.observe();
    });
  };

  describe("a screen", () => {
    openForAll();

    const ask = (path: string, body: object) => askDesktop(world.desktop, "POST", path, { body });
    const act = async (path: string, body: object) => {
      const answer = await ask(path, body);
      expect([answer.status, jsonOf(answer)]).toEqual([200, {}]);
    };
    const click = (body: object) => act("input/mouse/click", body);
    const keys = (text: string, down?: boolean) =>
      act("input/keyboard/key", { text, ...(down !== undefined && { down }) });
    const events = async () => (await world.observe()).events;
    const position = async () => jsonOf(await askDesktop(world.desktop, "GET", "input/mouse/position"));
    const refusalOf = (answer: Answer) => [answer.status, (jsonOf(answer) as { code: string }).code];

    it("knows its size", async () => {
      expect(jsonOf(await askDesktop(world.desktop, "GET", "display/dimensions"))).toEqual(world.size);
    });

    it.each([
      ["", (size: Size) => size],
      [
        "width=640",
        ({ width, height }: Size) => ({ width: 640, height: Math.round((height * 640) / width) }),
      ],
      [
        "height=100",
        ({ width, height }: Size) => ({ width: Math.round((width * 100) / height), height: 100 }),
      ],
      ["width=33&height=7", () => ({ width: 33, height: 7 })],
    ])("shows a PNG for %j", async (query, sizeOf) => {
      const answer = await askDesktop(world.desktop, "GET", "display/screenshot", { query });
      const png = Buffer.from(answer.body as Uint8Array);
      expect([answer.status, answer.headers["content-type"]]).toEqual([200, "image/png"]);
      expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
      expect({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }).toEqual(sizeOf(world.size));
    });

    it("names its picture by a tag, and sends none that the caller has", async () => {
      const look = async (query: string, tag = "") =>
        await askDesktop(world.desktop, "GET", "display/screenshot", {
          query,
          headers: { "if-none-match": tag },
        });
      await act("input/mouse/move", { x: 9, y: 9 });
      const { etag = "" } = (await look("settle_ms=2000&width=99")).headers;
      expect(etag).toMatch(/^"[^"]{1,64}"$/);
      const same = await look("width=99&settle_ms=2000&wait_ms=50", etag);
      if (same.status !== 304) expect(same.headers.etag).not.toBe(etag);
      const other = await look("width=98&wait_ms=10000", etag);
      expect([other.status, other.headers.etag === etag]).toEqual([200, false]);
    });

    it("moves the pointer to each corner", async () => {
      const { width, height } = world.size;
      for (const [x, y] of [
        [0, 0],
        [width - 1, 0],
        [width - 1, height - 1],
        [0, height - 1],
      ]) {
        await act("input/mouse/move", { x, y });
        expect(await position()).toEqual({ x, y });
      }
    });

    it.each([
      ["left", 1],
      ["left", 2],
      ["middle", 1],
      ["right", 3],
    ] as const)("clicks with the %s button, %i times, where it is told", async (of, clicks) => {
      const at = { x: 50, y: 60 };
      await click({ ...at, button: of, clicks });
      const once = [button(true, at, of), button(false, at, of)];
      expect(await events()).toEqual(Array.from({ length: clicks }, () => once).flat());
      expect(await position()).toEqual(at);
    });

    it("clicks left and once where the pointer is, when it is told nothing else", async () => {
      const at = { x: 70, y: 80 };
      await act("input/mouse/move", at);
      await click({});
      expect(await events()).toEqual([button(true, at), button(false, at)]);
    });

    it("holds a button down until it is released, at another place", async () => {
      const [from, to] = [
        { x: 9, y: 9 },
        { x: 30, y: 40 },
      ];
      await click({ ...from, button: "right", down: true });
      expect(await events()).toEqual([button(true, from, "right")]);
      await click({ ...to, button: "right", down: false });
      expect(await events()).toEqual([button(false, to, "right")]);
    });

    it("drags from point to point", async () => {
      const [from, to] = [
        { x: 20, y: 30 },
        { x: 220, y: 330 },
      ];
      await act("input/mouse/drag", {
        start_x: from.x,
        start_y: from.y,
        to_x: to.x,
        to_y: to.y,
        duration: 0.1,
        button: "middle",
      });
      expect(await events()).toEqual([button(true, from, "middle"), button(false, to, "middle")]);
      expect(await position()).toEqual(to);
    });

    it.each([
      ["up", 1],
      ["down", 3],
      ["left", 7],
      ["right", 250],
    ] as const)("turns the wheel %s %i times, where it is told", async (direction, amount) => {
      const at = { x: 100, y: 200 };
      await act("input/mouse/scroll", { direction, amount, ...at });
      expect(await events()).toEqual([{ kind: "scroll", direction, amount, at }]);
      expect(await position()).toEqual(at);
    });

    it("does nothing for an amount of 0", async () => {
      const before = await position();
      await act("input/mouse/scroll", { direction: "up", amount: 0, x: 1, y: 1 });
      expect(await events()).toEqual([]);
      expect(await position()).toEqual(before);
    });

    it.each([
      ["before its left edge", () => ({ x: -5, y: 0 })],
      ["above its top", () => ({ x: 0, y: -1 })],
      ["behind its right edge", ({ width }: Size) => ({ x: width, y: 0 })],
      ["below its bottom", ({ height }: Size) => ({ x: 0, y: height })],
    ])("refuses a point %s and does nothing", async (_where, pointOf) => {
      const { x, y } = pointOf(world.size);
      const before = await position();
      for (const [path, body] of [
        ["move", { x, y }],
        ["click", { x, y }],
        ["scroll", { x, y, direction: "up", amount: 1 }],
        ["drag", { start_x: x, start_y: y, to_x: 1, to_y: 1 }],
        ["drag", { start_x: 1, start_y: 1, to_x: x, to_y: y }],
      ] as const) {
        const answer = await ask(`input/mouse/${path}`, body);
        const error = `(${x}, ${y}) is outside the display of ${world.size.width}x${world.size.height}`;
        expect([answer.status, jsonOf(answer)]).toEqual([422, { code: "outside_display", error }]);
      }
      expect(await events()).toEqual([]);
      expect(await position()).toEqual(before);
    });

    it.each([
      "Hello, wörld! a+b=c -- 'quoted' \"$HOME\"",
      "Zażółć ŁÓDŹ",
      "Привет, мир! ЩЪЫ",
      "日本語 한국어 😀",
    ])("types %j", async (text) => {
      await act("input/keyboard/type", { text });
      expect((await world.observe()).text).toBe(text);
    });

    it("types tabs and lines, however they end", async () => {
      await act("input/keyboard/type", { text: "a\tb\r\nc\rd\ne" });
      expect((await world.observe()).text).toBe("a\tb\nc\nd\ne");
    });

    it("types nothing of a text with a character that cannot be typed", async () => {
      expect(refusalOf(await ask("input/keyboard/type", { text: "secret\u0007" }))).toEqual([
        422,
        "character_not_typable",
      ]);
      expect(await world.observe()).toEqual({ events: [], text: "" });
    });

    it("presses keys together and one after another, and releases them in reverse", async () => {
      await keys("ctrl+Shift+Home f5 Return");
      expect(await events()).toEqual([
        ...[pressed("Control_L"), pressed("Shift_L"), pressed("Home")],
        ...[released("Home"), released("Shift_L"), released("Control_L")],
        ...[pressed("F5"), released("F5"), pressed("Return"), released("Return")],
      ]);
    });

    it.each([undefined, true, false])("presses nothing when a name is no key's (down: %s)", async (down) => {
      const answer = await ask("input/keyboard/key", { text: "ctrl F5+NoSuchKey", down });
      expect(refusalOf(answer)).toEqual([422, "unknown_key"]);
      expect(await events()).toEqual([]);
    });

    it("holds keys down until they are released, the last one first", async () => {
      // Only modifiers are held here: a display repeats other keys.
      await keys("ctrl+shift Super_L", true);
      expect(await events()).toEqual([pressed("Control_L"), pressed("Shift_L"), pressed("Super_L")]);
      await keys("ctrl+shift Super_L", false);
      expect(await events()).toEqual([released("Super_L"), released("Shift_L"), released("Control_L")]);
    });

    it("does not press or release a held key for a combination that names it", async () => {
      await keys("ctrl", true);
      await keys("ctrl+Home");
      await keys("ctrl", true);
      await keys("ctrl", false);
      expect(await events()).toEqual([
        ...[pressed("Control_L"), pressed("Home"), released("Home")],
        released("Control_L"),
      ]);
    });

    it("types the same text while a key is held", async () => {
      await keys("shift", true);
      await act("input/keyboard/type", { text: "abc ÄÖ 1" });
      expect((await world.observe()).text).toBe("abc ÄÖ 1");
      await keys("shift", false);
      expect(await events()).toEqual([released("Shift_L")]);
    });

    if (releasesHeld) {
      it("releases all that is held, the last one first, and nothing else", async () => {
        const at = { x: 5, y: 6 };
        await click({ ...at, down: true });
        await keys("ctrl+shift", true);
        await keys("shift", false);
        await click({ button: "right", down: true });
        await world.observe();
        await world.desktop.releaseHeld();
        expect(await events()).toEqual([
          button(false, at, "right"),
          released("Control_L"),
          button(false, at),
        ]);
        await world.desktop.releaseHeld();
        expect(await events()).toEqual([]);
      });
    }
  });

  describe("several actions at once", () => {
    openForAll();

    const perform = async (actions: readonly object[], rest: object = {}) => {
      const answer = await askDesktop(world.desktop, "POST", "batch", { body: { actions, ...rest } });
      expect(answer.status).toBe(200);
      return jsonOf(answer) as {
        readonly results: readonly { readonly status: string; readonly error?: string }[];
        readonly screenshot?: { readonly settled: boolean; readonly png: string } | null;
      };
    };
    const at = { x: 30, y: 40 };

    it("are done in their order, with the waits between them, and then the screen is shown", async () => {
      await world.offerToCopy("4711");
      await world.observe();
      const started = performance.now();
      const { results, screenshot } = await perform(
        [
          { type: "move", ...at, target: "words for people" },
          { type: "click", button: "right" },
          { type: "wait", seconds: 0.2 },
          { type: "scroll", direction: "down", amount: 2, later: 1 },
          { type: "copy_to_clipboard", text: "number" },
        ],
        { screenshot: true, settle_ms: 500 },
      );
      expect(performance.now() - started).toBeGreaterThanOrEqual(200);
      expect(results).toEqual([
        { type: "move", status: "done" },
        { type: "click", status: "done" },
        { type: "wait", status: "done" },
        { type: "scroll", status: "done" },
        { type: "copy_to_clipboard", status: "done", answer: { number: "4711" } },
      ]);
      const { events } = await world.observe();
      const turned = { kind: "scroll", direction: "down", amount: 2, at };
      expect(events.slice(0, 3)).toEqual([button(true, at, "right"), button(false, at, "right"), turned]);
      const { width, height } = decodePng(Buffer.from(screenshot?.png ?? "", "base64"));
      expect([{ width, height }, screenshot?.settled]).toEqual([world.size, true]);
    });

    it("end with the first that fails, whose reason is said, and the screen is shown all the same", async () => {
      const { results, screenshot } = await perform(
        [
          { type: "click", ...at },
          { type: "click", x: world.size.width, y: 0 },
          { type: "type", text: "never typed" },
          { type: "wait", seconds: 60 },
        ],
        { screenshot: true },
      );
      const error = expect.stringContaining("outside the display");
      expect(results).toEqual([
        { type: "click", status: "done" },
        { type: "click", status: "failed", error },
        { type: "type", status: "skipped" },
        { type: "wait", status: "skipped" },
      ]);
      expect(screenshot).toEqual({ settled: false, png: expect.any(String) });
      expect(await world.observe()).toEqual({ events: [button(true, at), button(false, at)], text: "" });
    });

    it.each([
      ["an unknown type", { type: "press" }],
      ["a field of the wrong kind", { type: "move", x: "1", y: 1 }],
      ["a wait of a minute and more", { type: "wait", seconds: 61 }],
    ])("fail with %s, and without the screen where none is asked for", async (_, action) => {
      const { results, screenshot } = await perform([action]);
      expect([results[0]?.status, results[0]?.error, screenshot]).toEqual([
        "failed",
        expect.any(String),
        undefined,
      ]);
      expect((await world.observe()).events).toEqual([]);
    });
  });

  describe("a screen's clipboard", () => {
    beforeEach(async () => {
      world = await open();
    });
    afterEach(async () => {
      await world?.close?.();
    });

    const copy = async (name: string) =>
      Object.entries(
        jsonOf(
          await askDesktop(world.desktop, "POST", "copy_to_clipboard", { body: { text: name } }),
        ) as object,
      );

    it("is empty before anything was copied", async () => {
      expect(await copy("none")).toEqual([["none", ""]]);
    });

    it.each(["copied", "__proto__"])("comes under the name %s", async (name) => {
      await world.offerToCopy("from the\nclipboard é 😀");
      expect(await copy(name)).toEqual([[name, "from the\nclipboard é 😀"]]);
    });
  });
}
