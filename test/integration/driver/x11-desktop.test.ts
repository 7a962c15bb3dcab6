import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Desktop } from "../../../infra/driver/desktop.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { findX11Problem, X11Screen } from "../../../infra/driver/screens/x11-screen.ts";
import { askDesktop, jsonOf } from "../../support/fake-service/ask-desktop.ts";
import { ownClipboard } from "../../support/x-display/programs/clipboard-owner.ts";
import { EventWindow } from "../../support/x-display/programs/event-window.ts";
import { refusedTexts } from "../../support/x-display/texts.ts";
import { missingDisplayPrograms, XDisplay } from "../../support/x-display/x-display.ts";

describe.skipIf(missingDisplayPrograms.length > 0)("an X11 desktop", () => {
  let display: XDisplay;
  let screen: X11Screen;
  let desktop: Desktop;
  let program: EventWindow;

  beforeAll(async () => {
    display = await XDisplay.open();
    screen = await X11Screen.open({ display: display.name });
    desktop = createLocalDesktop({ screen, root: "/", allowShell: false });
    program = await EventWindow.open(display);
    await program.focus();
  });
  beforeEach(async () => {
    await program.settle();
    program.clear();
  });
  afterAll(async () => {
    await screen?.close();
    await program?.close();
    await display?.close();
  });

  const input = async (operation: string, body: object) => {
    const response = await askDesktop(desktop, "POST", `input/${operation}`, { body });
    await program.settle();
    return response;
  };
  const type = (text: string) => input("keyboard/type", { text });

  it("clicks as often and with the button that is asked for, close enough for a double click", async () => {
    await input("mouse/click", { x: 50, y: 60, button: "right", clicks: 3 });
    const presses = program.of("ButtonPress");
    expect(presses).toMatchObject(Array(3).fill({ detail: 3, x: 50, y: 60 }));
    expect((presses[2]?.time ?? 0) - (presses[0]?.time ?? 0)).toBeLessThan(400);
    expect(program.of("ButtonRelease", 3)).toHaveLength(3);
    expect(jsonOf(await askDesktop(desktop, "GET", "input/mouse/position"))).toEqual({ x: 50, y: 60 });
  });

  it("drags from point to point, through points between them, in the time that is given", async () => {
    const drag = { start_x: 20, start_y: 30, to_x: 220, to_y: 330, duration: 0.2 };
    const started = Date.now();
    expect((await input("mouse/drag", drag)).status).toBe(200);
    expect(Date.now() - started).toBeGreaterThanOrEqual(200);
    expect(program.of("ButtonPress")).toMatchObject([{ detail: 1, x: 20, y: 30 }]);
    expect(program.of("ButtonRelease")).toMatchObject([{ detail: 1, x: 220, y: 330 }]);
    const names = program.events.map(({ name }) => name);
    const whileDown = names.slice(names.indexOf("ButtonPress") + 1, names.indexOf("ButtonRelease"));
    expect(new Set(whileDown)).toEqual(new Set(["MotionNotify"]));
    expect(whileDown.length).toBeGreaterThan(2);
  });

  it("types 5,000 characters within a call's time, into a program that stands still meanwhile", async () => {
    const text = "abcdefghij".repeat(500);
    const started = Date.now();
    const stalled = program.stall(1_000);
    expect((await type(text)).status).toBe(200);
    expect(Date.now() - started).toBeLessThan(20_000);
    await stalled;
    await program.settle();
    expect(program.typed).toBe(text);
  });

  it("types what the keyboard lacks into a program that stands still meanwhile", async () => {
    const text = "Съешь же ещё этих мягких французских булок 漢字 😀 ".repeat(3);
    const stalled = program.stall(800);
    expect((await type(text)).status).toBe(200);
    await stalled;
    await program.settle();
    expect(program.typed).toBe(text);
  });

  it("types on two displays at once, and on each its own", async () => {
    const otherDisplay = await XDisplay.open();
    const otherScreen = await X11Screen.open({ display: otherDisplay.name });
    const other = await EventWindow.open(otherDisplay);
    try {
      await other.focus();
      const otherDesktop = createLocalDesktop({ screen: otherScreen, root: "/", allowShell: false });
      const [here, there] = ["Здравствуй, мир ".repeat(10), "żółć gęślą jaźń ".repeat(10)];
      const typedThere = askDesktop(otherDesktop, "POST", "input/keyboard/type", { body: { text: there } });
      const statuses = [(await type(here)).status, (await typedThere).status];
      await other.settle();
      expect([statuses, program.typed, other.typed]).toEqual([[200, 200], here, there]);
    } finally {
      await other.close();
      await otherScreen.close();
      await otherDisplay.close();
    }
  });

  it.each(refusedTexts)("types nothing of a text with $name, which it names", async ({ name, text }) => {
    const response = await type(text);
    expect([response.status, jsonOf(response)]).toEqual([
      422,
      { code: "character_not_typable", error: expect.stringContaining(name) },
    ]);
    expect(program.events).toEqual([]);
  });

  it("shows what is on the display", async () => {
    const before = Buffer.from((await askDesktop(desktop, "GET", "display/screenshot")).body as Uint8Array);
    const other = await EventWindow.open(display, { x: 900, y: 400, width: 300, height: 300 });
    const after = Buffer.from((await askDesktop(desktop, "GET", "display/screenshot")).body as Uint8Array);
    await other.close();
    expect(after.equals(before)).toBe(false);
  });

  it("brings a clipboard of 1 MB, which comes in parts", async () => {
    const text = "línea 漢 😀\n".repeat(60_000).slice(0, 1_000_000);
    const owner = await ownClipboard(display.name, text);
    const response = await askDesktop(desktop, "POST", "copy_to_clipboard", { body: { text: "large" } });
    await owner.close();
    expect(response.status).toBe(200);
    expect((jsonOf(response) as { large: string }).large === text).toBe(true);
  });

  it("says so in time when the owner of the clipboard never answers", async () => {
    const owner = await ownClipboard(display.name, undefined);
    const started = Date.now();
    const response = await askDesktop(desktop, "POST", "copy_to_clipboard", { body: { text: "none" } });
    await owner.close();
    const error = expect.stringContaining("owns the clipboard did not hand it over");
    expect([response.status, jsonOf(response)]).toEqual([502, { code: expect.any(String), error }]);
    expect(Date.now() - started).toBeLessThan(10_000);
  });

  it("is found ready, and what is missing is one sentence", async () => {
    expect(await findX11Problem(display.name)).toBeUndefined();
    expect(await findX11Problem(":9999")).toContain(":9999 does not answer");
  });
});
