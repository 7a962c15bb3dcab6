import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeService } from "../../support/fake-service/fake-service.ts";
import { until } from "../../support/stack/until.ts";
import { EventWindow } from "../../support/x-display/programs/event-window.ts";
import { missingDisplayPrograms, XDisplay } from "../../support/x-display/x-display.ts";

const mainFile = fileURLToPath(new URL("../../../infra/driver/main.ts", import.meta.url));

describe.skipIf(missingDisplayPrograms.length > 0)("after a driver that was killed, the next one", () => {
  let service: FakeService;
  let url: string;
  let folder: string;
  let display: XDisplay;
  let program: EventWindow;
  let child: ChildProcess;

  async function startDriver(): Promise<void> {
    const before = service.connections.length;
    const args = [mainFile, "--url", url, "--display", display.name, "--root", folder];
    const env = { PATH: process.env.PATH ?? "", HOME: folder, DRIVER_KEY: "das_key_under_test" };
    child = spawn(process.execPath, args, { env, stdio: "ignore" });
    await until(() => service.connections.length > before && service.latest.of("ping").length > 0);
  }

  async function killDriver(): Promise<void> {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  const input = (path: string, body: object) => service.latest.ask({ path: `/computer/input/${path}`, body });

  beforeEach(async () => {
    service = new FakeService();
    url = await service.listen();
    folder = await mkdtemp(join(tmpdir(), "x11-crash-"));
    display = await XDisplay.open();
    program = await EventWindow.open(display);
    await program.focus();
    await startDriver();
  });
  afterEach(async () => {
    await killDriver();
    await program.close();
    await display.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("gives back the keys that characters were put on, and CapsLock", async () => {
    await display.press("Caps_Lock");
    const [keymap, modifiers] = [await display.keymap(), await display.modifiers()];
    expect(modifiers).not.toBe(0);
    const text = "Съешь же ещё этих мягких французских булок 漢字 ".repeat(100);
    const typing = expect(input("keyboard/type", { text })).rejects.toThrow("closed");
    const isChanged = async () => !isDeepStrictEqual(await display.keymap(), keymap);
    await until(isChanged, 5_000, 1);
    await killDriver();
    await typing;
    expect([await isChanged(), await display.modifiers()]).toEqual([true, 0]);
    await startDriver();
    expect([await display.keymap(), await display.modifiers()]).toEqual([keymap, modifiers]);
  });

  it("releases keys and buttons that were held", async () => {
    await input("keyboard/key", { text: "ctrl+shift", down: true });
    await input("mouse/click", { x: 20, y: 20, down: true });
    await killDriver();
    await program.settle();
    expect(await display.modifiers()).not.toBe(0);
    expect(program.of("ButtonRelease")).toEqual([]);
    await startDriver();
    await program.settle();
    expect(await display.modifiers()).toBe(0);
    expect(program.of("ButtonRelease")).toMatchObject([{ detail: 1 }]);
  });
});
