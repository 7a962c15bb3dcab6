import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Desktop } from "../../../infra/driver/desktop.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { findX11Problem, X11Screen } from "../../../infra/driver/screens/x11-screen.ts";
import { askDesktop, jsonOf } from "../../support/fake-service/ask-desktop.ts";
import { missingDisplayPrograms, XDisplay } from "../../support/x-display/x-display.ts";
import { buttonPresses, lastButtonPlace, typedText } from "../../support/x-display/xev-log.ts";

async function until(isSo: () => boolean): Promise<void> {
  for (let wait = 0; wait < 200 && !isSo(); wait += 1) await sleep(25);
}

describe.skipIf(missingDisplayPrograms.length > 0)("an X11 desktop", () => {
  let display: XDisplay;
  let desktop: Desktop;
  let xev: { output(): string };

  beforeAll(async () => {
    display = await XDisplay.open();
    desktop = createLocalDesktop({
      screen: await X11Screen.open({ display: display.name }),
      root: "/",
      allowShell: false,
    });
    xev = display.run("xev", ["-geometry", "800x600+0+0", "-event", "button", "-event", "keyboard"]);
    await until(() => display.read("xdotool", ["search", "--name", "Event Tester"]) !== "");
    await sleep(300);
    await askDesktop(desktop, "POST", "input/mouse/move", { body: { x: 400, y: 300 } });
    display.read("xdotool", ["search", "--name", "Event Tester", "windowfocus"]);
    await sleep(200);
  });
  afterAll(async () => {
    await display?.close();
  });

  it("knows its size", async () => {
    expect(jsonOf(await askDesktop(desktop, "GET", "display/dimensions"))).toEqual({
      width: 1280,
      height: 800,
    });
  });

  it.each([
    ["up", 4, 1],
    ["down", 5, 3],
    ["left", 6, 7],
    ["right", 7, 250],
  ])("turns the wheel %s: button %i, %i times", async (direction, button, amount) => {
    const before = buttonPresses(xev.output(), button);
    const body = { direction, amount, x: 100 + button, y: 200 };
    const answer = await askDesktop(desktop, "POST", "input/mouse/scroll", { body });
    expect([answer.status, jsonOf(answer)]).toEqual([200, {}]);
    await until(() => buttonPresses(xev.output(), button) - before >= amount);
    await sleep(50);
    expect(buttonPresses(xev.output(), button) - before).toBe(amount);
    expect(lastButtonPlace(xev.output())).toBe(`root:(${100 + button},200)`);
  });

  it("clicks as often and with the button that is asked for", async () => {
    const before = buttonPresses(xev.output(), 3);
    await askDesktop(desktop, "POST", "input/mouse/click", {
      body: { x: 50, y: 60, button: "right", clicks: 3 },
    });
    await until(() => buttonPresses(xev.output(), 3) - before >= 3);
    expect(buttonPresses(xev.output(), 3) - before).toBe(3);
    expect(jsonOf(await askDesktop(desktop, "GET", "input/mouse/position"))).toEqual({ x: 50, y: 60 });
  });

  it("holds a button down until it is released, and drags from point to point", async () => {
    const releases = () =>
      xev
        .output()
        .split("\n\n")
        .filter((event) => /^ButtonRelease/m.test(event) && event.includes("button 1,"));
    const [before, released] = [buttonPresses(xev.output(), 1), releases().length];
    await askDesktop(desktop, "POST", "input/mouse/click", { body: { x: 9, y: 9, down: true } });
    await until(() => buttonPresses(xev.output(), 1) > before);
    expect(releases()).toHaveLength(released);
    await askDesktop(desktop, "POST", "input/mouse/click", { body: { down: false } });
    const drag = { start_x: 20, start_y: 30, to_x: 220, to_y: 330, duration: 0.2 };
    const started = Date.now();
    expect((await askDesktop(desktop, "POST", "input/mouse/drag", { body: drag })).status).toBe(200);
    expect(Date.now() - started).toBeGreaterThanOrEqual(200);
    await until(() => releases().length - released >= 2);
    expect(buttonPresses(xev.output(), 1) - before).toBe(2);
    expect(releases().at(-1)).toContain("root:(220,330)");
  });

  it("types text, with capitals, signs and lines", async () => {
    const text = "Hello, wörld! a+b=c -- 'quoted' \"$HOME\"";
    const before = typedText(xev.output()).length;
    expect((await askDesktop(desktop, "POST", "input/keyboard/type", { body: { text } })).status).toBe(200);
    await until(() => typedText(xev.output()).length - before >= text.length);
    await sleep(100);
    expect(typedText(xev.output()).slice(before)).toBe(text);
  });

  it("types 5,000 characters in the time of a call", async () => {
    const before = typedText(xev.output()).length;
    const text = "abcdefghij".repeat(500);
    const started = Date.now();
    expect((await askDesktop(desktop, "POST", "input/keyboard/type", { body: { text } })).status).toBe(200);
    expect(Date.now() - started).toBeLessThan(20_000);
    await until(() => typedText(xev.output()).length - before >= text.length);
    expect(typedText(xev.output()).slice(before)).toBe(text);
  });

  it("presses keys together and one after another", async () => {
    const keysyms = () =>
      [...xev.output().matchAll(/KeyPress event[\s\S]*?keysym 0x[0-9a-f]+, (\w+)\)/g)].map(
        (match) => match[1],
      );
    const before = keysyms().length;
    const answer = await askDesktop(desktop, "POST", "input/keyboard/key", {
      body: { text: "ctrl+a Enter f5 plus" },
    });
    expect(answer.status).toBe(200);
    await until(() => keysyms().slice(before).includes("plus"));
    const pressed = keysyms().slice(before);
    expect(pressed.slice(0, 4)).toEqual(["Control_L", "a", "Return", "F5"]);
    expect(pressed).toContain("plus");
  });

  it("says that a key is unknown instead of leaving it out", async () => {
    const answer = await askDesktop(desktop, "POST", "input/keyboard/key", { body: { text: "NoSuchKey" } });
    expect(answer.status).toBe(422);
    expect(jsonOf(answer)).toMatchObject({ code: "unknown_key" });
  });

  it("refuses a point outside instead of clicking elsewhere", async () => {
    for (const [x, y] of [
      [1280, 10],
      [-5, 10],
      [10, -1],
    ]) {
      const answer = await askDesktop(desktop, "POST", "input/mouse/click", { body: { x, y } });
      const error = `(${x}, ${y}) is outside the display of 1280x800`;
      expect([answer.status, jsonOf(answer)]).toEqual([422, { code: "outside_display", error }]);
    }
  });

  it.each([
    ["", 1280, 800],
    ["width=640&height=100", 640, 100],
    ["width=320", 320, 200],
    ["height=400", 640, 400],
  ])("shows a PNG of the display for %j", async (query, width, height) => {
    const answer = await askDesktop(desktop, "GET", "display/screenshot", { query });
    const png = Buffer.from(answer.body as Uint8Array);
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height]);
  });

  it("shows what is on the display", async () => {
    const before = Buffer.from((await askDesktop(desktop, "GET", "display/screenshot")).body as Uint8Array);
    display.run("xev", ["-geometry", "300x300+900+400", "-bw", "20"]);
    await until(
      () => display.read("xdotool", ["search", "--name", "Event Tester"]).trim().split("\n").length === 2,
    );
    await sleep(300);
    const after = Buffer.from((await askDesktop(desktop, "GET", "display/screenshot")).body as Uint8Array);
    expect(after.equals(before)).toBe(false);
  });

  it("answers the clipboard under the name given, and no text as an empty one", async () => {
    const empty = await askDesktop(desktop, "POST", "copy_to_clipboard", { body: { text: "none" } });
    expect(jsonOf(empty)).toEqual({ none: "" });
    display.run("xclip", ["-selection", "clipboard", "-quiet"], "from the clipboard é");
    await sleep(300);
    const answer = await askDesktop(desktop, "POST", "copy_to_clipboard", { body: { text: "copied" } });
    expect(jsonOf(answer)).toEqual({ copied: "from the clipboard é" });
  });

  it("is found ready, and what is missing is one sentence", async () => {
    expect(await findX11Problem(display.name)).toBeUndefined();
    expect(await findX11Problem(":9999")).toContain(":9999 does not answer");
  });
});
