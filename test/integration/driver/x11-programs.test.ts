import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Desktop } from "../../../infra/driver/desktop.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { X11Screen } from "../../../infra/driver/screens/x11-screen.ts";
import { askDesktop, jsonOf } from "../../support/fake-service/ask-desktop.ts";
import { until } from "../../support/stack/until.ts";
import { manageWindows } from "../../support/x-display/programs/window-manager.ts";
import { missingDisplayPrograms, XDisplay } from "../../support/x-display/x-display.ts";

const programFile = (name: string) =>
  fileURLToPath(new URL(`../../support/x-display/programs/${name}.ts`, import.meta.url));
const [stubborn, painting] = [programFile("stubborn-window"), programFile("painting-window")];

const [cutBuffer, integer] = [16, 19];

describe.skipIf(missingDisplayPrograms.length > 0)("a program of the machine's list", () => {
  let folder: string;
  let display: XDisplay;
  let screen: X11Screen;
  let desktop: Desktop;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "programs-"));
  });
  beforeEach(async () => {
    display = await XDisplay.open();
    screen = await X11Screen.open({ display: display.name, programs: listed() });
    desktop = createLocalDesktop({ screen, root: "/", allowShell: false });
  });
  afterEach(async () => {
    await screen?.close();
    await display?.close();
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const answered = () => join(folder, "answered");
  const listed = () => [
    { name: "Till", command: ["xterm", "-class", "TillTerminal"], window: "TillTerminal" },
    { name: "Titled", command: ["xterm", "-T", "Till 7"], window: "Till 7" },
    { name: "Plain", command: ["xterm"], window: undefined },
    { name: "Launched", command: ["sh", "-c", "xterm & exit 0"], window: undefined },
    { name: "Ask", command: ["sh", "-c", `exec zenity --entry >'${answered()}'`], window: undefined },
    { name: "Stubborn", command: [process.execPath, stubborn, display.name, "Stubborn"], window: "Stubborn" },
    {
      name: "Painting",
      command: [process.execPath, painting, display.name, "Painting", "1000", String(cutBuffer)],
      window: "Painting",
    },
    { name: "Broken", command: ["false"], window: undefined },
  ];
  const open = async (program: string, ifOpen?: "use" | "restart") => {
    const answer = await askDesktop(desktop, "POST", "programs/open", {
      body: { program, ...(ifOpen && { if_open: ifOpen }) },
    });
    return { status: answer.status, ...(jsonOf(answer) as object) };
  };
  const focused = async () => (await display.connection.ask<{ focus: number }>("GetInputFocus")).focus;

  it.each(["Till", "Titled", "Plain", "Launched"])(
    "%s is started once, and used from then on: its window is in front and has the keyboard",
    async (program) => {
      expect(await open(program)).toEqual({ status: 200, was_open: false, is_shown: true });
      const [window = 0] = await display.windows();
      expect(await focused()).toBe(window);
      const { window: above } = await display.openWindow(() => display.start("xterm", ["-T", "Another"]));
      await display.focus(above);
      expect(await open(program, "use")).toEqual({ status: 200, was_open: true, is_shown: true });
      expect(await display.windows()).toEqual([above, window]);
      expect(await focused()).toBe(window);
    },
  );

  const mark = async () => {
    const [window = 0] = await display.windows();
    display.connection.send("ChangeProperty", 0, window, cutBuffer, integer, 8, Buffer.from([1]));
    await display.connection.sync();
  };
  const markedWith = async () => {
    const windows = await display.windows();
    const found = windows.map((window) =>
      display.connection.ask<{ data: Buffer }>("GetProperty", 0, window, cutBuffer, 0, 0, 1),
    );
    return (await Promise.all(found)).map(({ data }) => data[0]);
  };
  const marks = async () => (await markedWith()).map((value) => value !== undefined);

  it.each(["Till", "Plain"])("%s is closed and started anew to be restarted", async (program) => {
    await open(program);
    await mark();
    expect(await marks()).toEqual([true]);
    expect(await open(program, "restart")).toEqual({ status: 200, was_open: true, is_shown: true });
    expect(await marks()).toEqual([false]);
  });

  it("that a person has opened is known by its window", async () => {
    const { window } = await display.openWindow(() => display.start("xterm", ["-T", "Till 7"]));
    expect(await open("Titled")).toEqual({ status: 200, was_open: true, is_shown: true });
    expect(await display.windows()).toEqual([window]);
  });

  it("gets what is typed, wherever the pointer is", async () => {
    await askDesktop(desktop, "POST", "input/mouse/move", { body: { x: 1279, y: 799 } });
    await open("Ask");
    await askDesktop(desktop, "POST", "input/keyboard/type", { body: { text: "4711\n" } });
    const said = async () => await readFile(answered(), "utf8").catch(() => "");
    await until(async () => (await said()) !== "");
    expect(await said()).toBe("4711\n");
  });

  it("is ended where it does not close, to be restarted", async () => {
    await open("Stubborn");
    await mark();
    expect(await open("Stubborn", "restart")).toEqual({ status: 200, was_open: true, is_shown: true });
    expect(await marks()).toEqual([false]);
  });

  it("that draws its window for a while is open once that is still", async () => {
    expect(await open("Painting")).toEqual({ status: 200, was_open: false, is_shown: true });
    const [isDone] = await marks();
    await until(async () => (await marks())[0] === true);
    // On a busy machine the program may pause long enough for the screen to count as still.
    const [pauseMs = 0] = await markedWith();
    expect(isDone === true || pauseMs > 80).toBe(true);
  });

  it("that ends before it shows a window says how", async () => {
    expect(await open("Broken")).toEqual({
      status: 502,
      code: "program_ended",
      error: "Broken ended with exit code 1 before it showed a window",
    });
  });

  it("is known by its name alone: another name is refused with those that there are", async () => {
    expect(await open("xterm; id")).toEqual({
      status: 404,
      code: "unknown_program",
      error:
        "this machine's list has no program of that name: it has Till, Titled, Plain, Launched, Ask, Stubborn, Painting, Broken",
    });
    expect(await display.windows()).toEqual([]);
  });

  it("is opened within a batch, which shows it", async () => {
    const actions = [
      { type: "open", program: "Titled", if_open: "use" },
      { type: "open", program: "unknown" },
      { type: "wait", seconds: 1 },
    ];
    const body = { actions, screenshot: true, settle_ms: 500 };
    const { results } = jsonOf(await askDesktop(desktop, "POST", "batch", { body })) as {
      results: readonly object[];
    };
    expect(results).toEqual([
      { type: "open", status: "done" },
      { type: "open", status: "failed", error: expect.stringContaining("it has Till, Titled") },
      { type: "wait", status: "skipped" },
    ]);
  });

  it("is brought to the front by the window manager where there is one", async () => {
    const manager = await manageWindows(display);
    await open("Stubborn");
    const [window = 0] = await display.windows();
    expect(manager.activated).toEqual([window]);
    manager.hide(window);
    expect(await open("Stubborn")).toEqual({ status: 200, was_open: true, is_shown: true });
    expect(manager.activated).toEqual([window, window]);
    await manager.close();
  });
});
