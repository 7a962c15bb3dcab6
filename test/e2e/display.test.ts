import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { type SpawnedDriver, spawnDriver } from "../support/stack/spawn-driver.ts";
import { ask, createOrganization, keyOf } from "../support/stack/stack-client.ts";
import { EventWindow } from "../support/x-display/programs/event-window.ts";
import { keysymOfName } from "../support/x-display/x-connection.ts";
import { missingDisplayPrograms, XDisplay } from "../support/x-display/x-display.ts";

describe.skipIf(missingDisplayPrograms.length > 0)("a real display, through the whole stack", () => {
  let display: XDisplay;
  let driver: SpawnedDriver;
  let key: string;
  let program: EventWindow;

  beforeAll(async () => {
    const organization = await createOrganization();
    key = keyOf(organization, "full");
    display = await XDisplay.open(1024, 768);
    driver = await spawnDriver({
      websocketUrl: inject("stack").websocketUrl,
      key: keyOf(organization, "driver"),
      display: display.name,
    });
    program = await EventWindow.open(display);
    await program.focus();
  });
  beforeEach(async () => {
    await program.settle();
    program.clear();
  });
  afterAll(async () => {
    await driver?.stop();
    await program?.close();
    await display?.close();
  });

  const input = async (operation: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await ask(`/v1/computer/${driver.machineId}/input/${operation}`, { key, body, headers });
    await program.settle();
    return response;
  };

  it("turns the wheel once for one Idempotency-Key, however often it is asked", async () => {
    const scroll = () =>
      input("mouse/scroll", { direction: "down", amount: 2 }, { "idempotency-key": "once" });
    expect((await scroll()).headers.get("idempotency-status")).toBeNull();
    const again = await scroll();
    expect([again.status, again.headers.get("idempotency-status")]).toEqual([200, "replayed"]);
    expect(program.of("ButtonPress", 5)).toHaveLength(2);
  });

  it("types text that arrives in the window", async () => {
    expect((await input("keyboard/type", { text: "Hello, Wörld 42!" })).status).toBe(200);
    expect(program.typed).toBe("Hello, Wörld 42!");
  });

  it("never writes typed text into its log", () => {
    expect(driver.log()).not.toContain("Hello");
  });

  it("does several actions in one call, up to the first that fails, and shows the screen after them", async () => {
    const path = `/v1/computer/${driver.machineId}/batch`;
    const actions = [
      { type: "click", x: 40, y: 50, target: "the window" },
      { type: "type", text: "Grüße" },
      { type: "wait", seconds: 0.1 },
      { type: "click", x: 5_000, y: 50 },
      { type: "type", text: "never typed" },
    ];
    const batch = () =>
      ask(path, {
        key,
        body: { actions, screenshot: true, settle_ms: 2_000 },
        headers: { "idempotency-key": "batch" },
      });
    const answer = await batch();
    await program.settle();
    expect(answer.status).toBe(200);
    const { results, screenshot } = answer.body as {
      results: readonly { status: string; error?: string }[];
      screenshot: { width: number; height: number; settled: boolean; png: string };
    };
    expect(results.map(({ status }) => status)).toEqual(["done", "done", "done", "failed", "skipped"]);
    expect(results[3]?.error).toContain("outside");
    expect(screenshot).toMatchObject({ width: 1024, height: 768, settled: true });
    expect(Buffer.from(screenshot.png, "base64").readUInt32BE(16)).toBe(1024);
    expect([program.typed, program.of("ButtonPress").length]).toEqual(["Grüße", 1]);
    const again = await batch();
    expect([again.headers.get("idempotency-status"), again.body]).toEqual(["replayed", answer.body]);
    expect(program.of("ButtonPress")).toHaveLength(1);
  });

  it("shuts the driver down: the true pid, what is held released, and the process gone a second later", async () => {
    const controls = () =>
      program.events.filter(({ keysym }) => keysym === keysymOfName("Control_L")).map(({ name }) => name);
    expect((await input("keyboard/key", { text: "ctrl", down: true })).status).toBe(200);
    expect(controls()).toEqual(["KeyPress"]);
    const answer = await ask(`/v1/machines/${driver.machineId}/driver/shutdown`, { key, body: {} });
    expect([answer.status, answer.body]).toEqual([
      200,
      { status: "shutting_down", pid: driver.pid, source: "cloud-api", reason: "user_disabled_machine" },
    ]);
    const code = await Promise.race([driver.ended, pause(1_000).then(() => "still running")]);
    expect(code).toBe(0);
    await program.settle();
    expect(controls()).toEqual(["KeyPress", "KeyRelease"]);
    const machine = await ask(`/v1/machines/${driver.machineId}`, { key });
    expect(machine.status).toBe(200);
  });
});
