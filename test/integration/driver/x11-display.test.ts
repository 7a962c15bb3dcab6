import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Desktop } from "../../../infra/driver/desktop.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { parseTags } from "../../../infra/driver/screens/picture-tag.ts";
import { untilAtRest } from "../../../infra/driver/screens/x11/program-at-rest.ts";
import { X11Screen } from "../../../infra/driver/screens/x11-screen.ts";
import { askDesktop, jsonOf } from "../../support/fake-service/ask-desktop.ts";
import { until } from "../../support/stack/until.ts";
import { paintRoot } from "../../support/x-display/paint-root.ts";
import { EventWindow } from "../../support/x-display/programs/event-window.ts";
import { missingDisplayPrograms, XDisplay } from "../../support/x-display/x-display.ts";

describe.skipIf(missingDisplayPrograms.length > 0)("an X display that changes", () => {
  let display: XDisplay;
  let screen: X11Screen;
  let desktop: Desktop;
  const logged: string[] = [];

  beforeEach(async () => {
    logged.length = 0;
    display = await XDisplay.open(640, 480);
    screen = await X11Screen.open({
      display: display.name,
      log: (level, message) => logged.push(`${level}: ${message}`),
    });
    desktop = createLocalDesktop({ screen, root: "/", allowShell: false });
  });
  afterEach(async () => {
    await screen.close();
    await display.close();
  });

  const get = (path: string, query = "") => askDesktop(desktop, "GET", path, { query });
  const move = (x: number, y: number) => askDesktop(desktop, "POST", "input/mouse/move", { body: { x, y } });
  const screenshot = async (query: string) => {
    const { headers, body } = await get("display/screenshot", query);
    return { isSettled: headers["x-screen-settled"], png: Buffer.from(body as Uint8Array) };
  };

  it("is gone with its server, which is said at once, and back with the next one", async () => {
    await display.close();
    await until(() => logged.length > 0);
    const answer = await move(1, 1);
    expect([answer.status, jsonOf(answer)]).toEqual([
      502,
      { code: "display_unavailable", error: expect.stringContaining("does not answer") },
    ]);
    expect((await get("display/screenshot")).status).toBe(502);
    display = await XDisplay.open(800, 600, display.name);
    await until(() => logged.length > 1);
    expect(logged).toEqual(["warn: X display is gone", "info: X display is back"]);
    expect((await move(700, 500)).status).toBe(200);
    expect(jsonOf(await get("display/dimensions"))).toEqual({ width: 800, height: 600 });
  });

  it("has the size that it was given last, whatever its windows do", async () => {
    const { connection } = display;
    const { crtcs, config_timestamp: at } = await connection.askRandr<{
      crtcs: readonly number[];
      config_timestamp: number;
    }>("GetScreenResourcesCurrent", connection.root);
    const off = 0;
    await connection.askRandr("SetCrtcConfig", crtcs[0], 0, at, 0, 0, off, 1, []);
    await connection.sendRandr("SetScreenSize", connection.root, 500, 300, 100, 100);
    const window = await EventWindow.open(display, { x: 0, y: 0, width: 200, height: 100 });
    await connection.sync();
    await until(async () => (jsonOf(await get("display/dimensions")) as { width: number }).width !== 640);
    await window.close();
    expect(jsonOf(await get("display/dimensions"))).toEqual({ width: 500, height: 300 });
    expect((await screenshot("")).png.subarray(16, 24).toString("hex")).toBe("000001f40000012c");
    expect((await move(600, 10)).status).toBe(422);
    expect((await move(499, 299)).status).toBe(200);
  });

  it("tells its size, scale and monitors where the service is told of the desktop", async () => {
    expect(screen.osInfo).toContain(`X11 display ${display.name}, 640x480, scale 1, 1 monitor`);
    const [resourceManager, string] = [23, 31];
    const resources = "*background: white\nXft.dpi:\t144\n";
    display.connection.send(
      "ChangeProperty",
      0,
      display.connection.root,
      resourceManager,
      string,
      8,
      resources,
    );
    await display.connection.sync();
    const scaled = await X11Screen.open({ display: display.name });
    expect(scaled.osInfo).toContain("scale 1.5,");
    await scaled.close();
  });

  it("takes no point that no monitor shows", async () => {
    const { connection } = display;
    const {
      crtcs,
      outputs,
      config_timestamp: at,
    } = await connection.askRandr<{
      crtcs: readonly number[];
      outputs: readonly number[];
      config_timestamp: number;
    }>("GetScreenResourcesCurrent", connection.root);
    const half = { width: 320, height: 480, name: "half" };
    const mode = await connection.askRandr<number>("CreateMode", connection.root, half);
    await connection.sendRandr("AddOutputMode", outputs[0], mode);
    await connection.askRandr("SetCrtcConfig", crtcs[0], 0, at, 0, 0, mode, 1, outputs);
    await until(async () => (await move(400, 10)).status !== 200);
    expect(jsonOf(await move(400, 10))).toEqual({
      code: "outside_display",
      error: "(400, 10) is on none of the 1 monitors",
    });
    expect((await move(319, 10)).status).toBe(200);
  });

  it("is settled once nothing is drawn, also while a text cursor blinks, and is not while more changes", async () => {
    expect((await screenshot("settle_ms=3000")).isSettled).toBe("true");
    expect((await screenshot("")).isSettled).toBeUndefined();
    const window = await EventWindow.open(display, { x: 0, y: 0, width: 600, height: 400 });
    for (const [width, isSettled] of [
      [2, "true"],
      [200, "false"],
    ] as const) {
      const drawing = drawOn(display, window.window, width);
      const taken = await screenshot("settle_ms=700").finally(drawing.stop);
      expect([width, taken.isSettled]).toEqual([width, isSettled]);
    }
    await window.close();
  });

  it("shows its pointer when it is asked for", async () => {
    await EventWindow.open(display, { x: 0, y: 0, width: 640, height: 480 });
    await move(300, 200);
    const [without, withPointer, again] = [
      await screenshot(""),
      await screenshot("cursor=true"),
      await screenshot("cursor=false"),
    ];
    expect(withPointer.png.equals(without.png)).toBe(false);
    expect(again.png.equals(without.png)).toBe(true);
  });
});

describe.skipIf(missingDisplayPrograms.length > 0).each([
  ["that reports what is drawn", []],
  ["that does not", ["-extension", "DAMAGE"]],
])("a watched X display %s", (_, args) => {
  let display: XDisplay;
  let screen: X11Screen;
  const cursor = { x: 300, y: 200, width: 2, height: 16 };
  const blank = 0x336699;

  beforeEach(async () => {
    display = await XDisplay.open(640, 480, undefined, args);
    screen = await X11Screen.open({ display: display.name });
    await paintRoot(display, blank);
  });
  afterEach(async () => {
    await screen.close();
    await display.close();
  });

  const watch = async (etag: string | undefined, waitMs: number) =>
    await screen.watch(
      { settle_ms: 0, cursor: false, wait_ms: waitMs, unless: parseTags(etag) },
      AbortSignal.timeout(20_000),
    );

  it("is shown when something is drawn, and not while it is still", async () => {
    const { etag, screenshot } = await watch(undefined, 10_000);
    expect(screenshot?.png.byteLength).toBeGreaterThan(100);
    expect(await watch(etag, 300)).toEqual({ etag, screenshot: undefined });
    let isShown = false;
    const watched = watch(etag, 10_000).finally(() => {
      isShown = true;
    });
    await watch(etag, 200);
    expect(isShown).toBe(false);
    await paintRoot(display, 0x112233);
    const changed = await watched;
    expect(changed.screenshot?.png.byteLength).toBeGreaterThan(100);
    expect(await watch(changed.etag, 0)).toEqual({ etag: changed.etag, screenshot: undefined });
  });

  it("is still while a text cursor blinks, once it has blinked", async () => {
    let blinks = 0;
    const blinking = setInterval(() => {
      blinks += 1;
      void paintRoot(display, blinks % 2 === 0 ? blank : 0xffffff, cursor);
    }, 150);
    try {
      let { etag } = await watch(undefined, 0);
      const waited: boolean[] = [];
      for (let call = 0; call < 3; call += 1) {
        const before = blinks;
        ({ etag } = await watch(etag, 900));
        waited.push(blinks - before > 2);
      }
      expect(waited.slice(1)).toEqual([true, true]);
    } finally {
      clearInterval(blinking);
    }
  });

  it("fails at once when its server goes", async () => {
    const { etag } = await watch(undefined, 0);
    const failing = expect(watch(etag, 10_000)).rejects.toThrow("does not answer");
    await watch(etag, 100);
    await display.close();
    await failing;
    display = await XDisplay.open(640, 480);
  });
});

function drawOn(display: XDisplay, window: number, width: number): { stop(): void } {
  const { connection } = display;
  const context = connection.makeId();
  connection.send("CreateGC", context, window, { foreground: 0 });
  let foreground = 0;
  const timer = setInterval(() => {
    foreground += 0x010101;
    connection.send("ChangeGC", context, { foreground });
    connection.send("PolyFillRectangle", window, context, [20, 30, width, 18]);
    void connection.sync();
  }, 30);
  return { stop: () => clearInterval(timer) };
}

describe("whether a program is at rest", () => {
  const sync = async () => undefined;

  it.each([
    ["one that sleeps is", "setTimeout(() => {}, 60_000); console.log()", true],
    ["one that works is not", "console.log(); for (;;);", false],
  ])("%s", async (_name, program, isAtRest) => {
    const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    expect(await untilAtRest(child.pid ?? 0, sync)).toBe(isAtRest);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await untilAtRest(child.pid ?? 0, sync)).toBe(false);
  });
});
