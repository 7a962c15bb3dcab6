import { describe, expect, it } from "vitest";
import { SimulatedScreen } from "../../../infra/demo-desk/simulated-screen.ts";
import type { Desktop } from "../../../infra/driver/desktop.ts";
import { desktopOperations, desktopPath } from "../../../infra/driver/desktops/desktop-operations.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import type { Size } from "../../../infra/driver/screens/screen.ts";
import { managedFilePaths } from "../../../shared/contract/tunnel.ts";
import { driverCapabilities } from "../../../shared/vocabulary/drivers.ts";
import { askDesktop, jsonOf } from "../../support/fake-service/ask-desktop.ts";
import { decodePng } from "../../support/pictures/decode-png.ts";
import { openSimulatedWorld } from "../../support/screens/simulated-world.ts";

function createDesktop(size?: Size) {
  const screen = new SimulatedScreen(size && { desk: { size } });
  return { screen, desktop: createLocalDesktop({ screen, root: "/nowhere", allowShell: false }) };
}

const small = { width: 64, height: 48 };

async function screenshot(desktop: Desktop, query = "") {
  const { headers, body } = await askDesktop(desktop, "GET", "display/screenshot", { query });
  return { headers, shown: decodePng(body as Uint8Array) };
}

describe("a simulated desktop", () => {
  it("says that it is simulated, and serves every path", () => {
    const { desktop } = createDesktop();
    expect(desktop.osInfo).toContain("simulated");
    const named = [...driverCapabilities, ...Object.values(managedFilePaths)];
    expect([...new Set(desktop.capabilities)].sort()).toEqual(
      [...desktopOperations.map(desktopPath), ...named].sort(),
    );
  });

  it("is still at once, and says so where settle_ms asks for it", async () => {
    const { desktop } = createDesktop(small);
    expect((await screenshot(desktop, "width=8&settle_ms=5000")).headers["x-screen-settled"]).toBe("true");
    expect((await screenshot(desktop, "width=8&settle_ms=0")).headers).not.toHaveProperty("x-screen-settled");
  });

  it("is not still while something moves by itself", async () => {
    const screen = new SimulatedScreen({ desk: { open: true, spinner: true } });
    const desktop = createLocalDesktop({ screen, root: "/nowhere", allowShell: false });
    expect((await screenshot(desktop, "width=8&settle_ms=150")).headers["x-screen-settled"]).toBe("false");
  });

  it("opens its program by name as the icon does, once the window is there", async () => {
    let now = 1_800_000_000_000;
    const sleep = async (ms: number) => {
      now += ms;
    };
    const screen = new SimulatedScreen({ desk: { openingMs: 8_000 }, now: () => now, sleep });
    const desktop = createLocalDesktop({ screen, root: "/nowhere", allowShell: false });
    const open = async (body: object) => {
      const answer = await askDesktop(desktop, "POST", "programs/open", { body });
      return [answer.status, jsonOf(answer)];
    };
    const typeItem = async (text: string) => {
      await screen.clickMouse({ x: 847, y: 232, button: "left", clicks: 1 });
      await screen.typeText({ text });
    };
    expect(desktop.programs).toEqual(["Orders"]);
    const startedAt = now;
    expect(await open({ program: "Orders" })).toEqual([200, { was_open: false, is_shown: true }]);
    expect(now - startedAt).toBe(8_000);
    await typeItem("Chair");
    const before = await screenshot(desktop);
    expect(await open({ program: "Orders", if_open: "use" })).toEqual([
      200,
      { was_open: true, is_shown: true },
    ]);
    expect((await screenshot(desktop)).shown).toEqual(before.shown);
    expect(await open({ program: "Orders", if_open: "restart" })).toEqual([
      200,
      { was_open: true, is_shown: true },
    ]);
    expect((await screenshot(desktop)).shown).not.toEqual(before.shown);
    expect(await open({ program: "Chess" })).toEqual([
      404,
      {
        code: "unknown_program",
        error: "this machine's list has no program of that name: it has Orders",
      },
    ]);
  });

  it("says of a program that takes longer than 12 s that it is not shown yet", async () => {
    let now = 1_800_000_000_000;
    const sleep = async (ms: number) => {
      now += ms;
    };
    const screen = new SimulatedScreen({ desk: { openingMs: 60_000 }, now: () => now, sleep });
    const opened = await screen.openProgram(
      { program: "Orders", if_open: "use" },
      new AbortController().signal,
    );
    expect([opened, now]).toEqual([{ was_open: false, is_shown: false }, 1_800_000_012_000]);
  });

  it("shows its pointer on demand alone, also at an edge", async () => {
    const { desktop } = createDesktop(small);
    const without = await screenshot(desktop);
    await askDesktop(desktop, "POST", "input/mouse/move", { body: { x: 63, y: 47 } });
    expect((await screenshot(desktop)).shown).toEqual(without.shown);
    const differing = (await screenshot(desktop, "cursor=true")).shown.colors.flatMap((color, at) =>
      color === without.shown.colors[at] ? [] : [at],
    );
    expect(differing).toHaveLength(45);
    expect(differing.at(-1)).toBe(64 * 48 - 1);
  });

  it.each([
    ["input/mouse/move", { x: 1 }],
    ["input/mouse/move", { x: 1.5, y: 0 }],
    ["input/mouse/move", { x: 32_768, y: 0 }],
    ["input/mouse/click", { x: 1 }],
    ["input/mouse/click", { clicks: 4 }],
    ["input/mouse/click", { button: "wheel" }],
    ["input/mouse/drag", { start_x: 0, start_y: 0, to_x: 1, to_y: 1, duration: 5.1 }],
    ["input/mouse/scroll", { direction: "in", amount: 1 }],
    ["input/mouse/scroll", { direction: "up", amount: 1001 }],
    ["input/mouse/scroll", { direction: "up", amount: 1, y: 1 }],
    ["input/keyboard/type", { text: "" }],
    ["input/keyboard/type", { text: "x".repeat(5001) }],
    ["input/keyboard/key", { text: " " }],
    ["input/keyboard/key", { text: "a$(id)" }],
    ["input/keyboard/key", { text: "--file" }],
    ["input/keyboard/key", { text: "ctrl+" }],
    ["input/keyboard/key", { text: "a\u0000" }],
    ["input/keyboard/key", { text: Array(65).fill("a").join(" ") }],
    ["copy_to_clipboard", {}],
  ])("refuses %s %j and does nothing", async (path, body) => {
    const { screen, desktop } = createDesktop();
    const answer = await askDesktop(desktop, "POST", path, { body });
    expect(answer.status).toBe(422);
    expect(jsonOf(answer)).toMatchObject({ error: expect.any(String), code: expect.any(String) });
    expect(screen.events).toEqual([]);
  });

  it("lets no other request between the actions of a batch", async () => {
    const { screen, desktop } = createDesktop();
    const move = (x: number) => ({ type: "move", x, y: 0 });
    const actions = [move(1), { type: "wait", seconds: 0.05 }, move(2)];
    const batch = askDesktop(desktop, "POST", "batch", { body: { actions } });
    const other = askDesktop(desktop, "POST", "input/mouse/move", { body: { x: 3, y: 0 } });
    await Promise.all([batch, other]);
    expect(screen.events).toEqual([1, 2, 3].map((x) => ({ kind: "move", to: { x, y: 0 } })));
  });

  it("says of what was copied that it is too much for a batch", async () => {
    const { desktop, offerToCopy } = openSimulatedWorld();
    await offerToCopy("\u2028".repeat(100_000));
    const copy = { type: "copy_to_clipboard", text: "all" };
    const answer = await askDesktop(desktop, "POST", "batch", { body: { actions: Array(20).fill(copy) } });
    const { results } = jsonOf(answer) as { results: { status: string; error?: string }[] };
    const failed = results.findIndex(({ status }) => status === "failed");
    expect([failed > 0, results[failed]?.error]).toEqual([true, expect.stringContaining("1048576 bytes")]);
  });

  it("ignores what a newer service says beside the fields that it knows", async () => {
    const { screen, desktop } = createDesktop();
    const body = { x: 1, y: 2, pressure: 0.5 };
    expect((await askDesktop(desktop, "POST", "input/mouse/move", { body })).status).toBe(200);
    expect(screen.events).toEqual([{ kind: "move", to: { x: 1, y: 2 } }]);
    const query = "width=64&height=40&sharpen=3";
    expect((await askDesktop(desktop, "GET", "display/screenshot", { query })).status).toBe(200);
  });

  it("does not repeat the text that it refuses", async () => {
    const { desktop } = createDesktop();
    const body = { text: `secret${"x".repeat(5000)}` };
    const answer = await askDesktop(desktop, "POST", "input/keyboard/type", { body });
    expect(JSON.stringify(jsonOf(answer))).not.toContain("secret");
  });

  it.each([
    ["GET", "nothing/here", 404],
    ["GET", "input/mouse/move", 405],
    ["POST", "shell/exec", 403],
  ] as const)("answers %s %s with %i", async (method, path, status) => {
    const { desktop } = createDesktop();
    expect((await askDesktop(desktop, method, path, { body: { command: "id" } })).status).toBe(status);
  });
});
