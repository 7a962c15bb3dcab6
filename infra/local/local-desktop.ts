import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findX11Problem } from "../driver/screens/x11-screen.ts";
import type { DesktopKind } from "./start-arguments.ts";
import { type SupervisedProcess, startSupervised } from "./supervised-process.ts";

const run = promisify(execFile);
const programs = {
  driver: fileURLToPath(new URL("../driver/main.ts", import.meta.url)),
  demoDesk: fileURLToPath(new URL("../demo-desk/main.ts", import.meta.url)),
};

const connectWithinMs = 30_000;
const displayWithinMs = 10_000;
const screenSize = "1280x800x24";

type LocalDesktop = {
  readonly machineId: string;
  readonly description: string;
};

export type StartedDesktop = {
  /** @throws {Error} one sentence, when there is no X display or the driver does not connect. */
  readonly connected: () => Promise<LocalDesktop>;
  readonly stop: () => Promise<void>;
};

export type LocalDesktopInput = {
  readonly websocketUrl: string;
  /** The driver connects once it has it. */
  readonly key: Promise<string>;
  readonly folder: string;
  /** The folder is removed when the desktop stops. */
  readonly isTemporary: boolean;
  readonly kind: DesktopKind;
  readonly onLine?: (line: string) => void;
};

type Screen = {
  readonly driver: readonly string[];
  readonly description: string;
  readonly stop: () => Promise<void>;
};

const simulated: Screen = {
  // The desk has a shell, like a real display, so that every operation can be tried on the local stack.
  driver: [programs.demoDesk, "--allow-shell"],
  description: "simulated: the demo desk, with one small program",
  stop: async () => {},
};

async function displayNumber(xvfb: SupervisedProcess): Promise<string | undefined> {
  const until = Date.now() + displayWithinMs;
  while (Date.now() < until && !xvfb.hasEnded()) {
    const [, number] = /^(\d+)\n/m.exec(xvfb.output()) ?? [];
    if (number !== undefined) return number;
    await pause(20);
  }
  return undefined;
}

async function startDisplay(): Promise<Screen> {
  const isInstalled = await run("Xvfb", ["-help"]).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
  if (!isInstalled) throw new Error("no X display: DISPLAY is not set and Xvfb is not installed");
  // Without -noreset the server would reset, pointer included, whenever its last client disconnects.
  const args = ["-displayfd", "1", "-screen", "0", screenSize, "-nolisten", "tcp", "-noreset"];
  const xvfb = startSupervised("Xvfb", args, { env: process.env });
  const number = await displayNumber(xvfb);
  const problem = number === undefined ? "Xvfb did not start" : await findX11Problem(`:${number}`);
  if (problem === undefined) {
    const description = `X display :${number} (Xvfb, ${screenSize})`;
    return { driver: [programs.driver, "--display", `:${number}`], description, stop: xvfb.stop };
  }
  await xvfb.stop();
  throw new Error(problem);
}

async function findDisplay(): Promise<Screen> {
  const { DISPLAY: display } = process.env;
  if (display === undefined || display === "") return await startDisplay();
  const problem = await findX11Problem(display);
  if (problem !== undefined) throw new Error(problem);
  return {
    driver: [programs.driver, "--display", display],
    description: `X display ${display}`,
    stop: async () => {},
  };
}

function connectedMachine(line: string): string | undefined {
  try {
    const entry = JSON.parse(line) as { message?: unknown; machine_id?: unknown };
    return entry.message === "connected" && typeof entry.machine_id === "string"
      ? entry.machine_id
      : undefined;
  } catch {
    return undefined;
  }
}

async function startDriver(input: LocalDesktopInput) {
  const root = join(input.folder, "files");
  await mkdir(root, { recursive: true, mode: 0o700 });
  const screen = input.kind === "x11" ? await findDisplay() : simulated;
  const { promise: machineId, resolve } = Promise.withResolvers<string | undefined>();
  const driver = startSupervised(
    process.execPath,
    [
      ...[...screen.driver, "--url", input.websocketUrl, "--name", "local desktop", "--root", root],
      ...["--fingerprint-file", join(input.folder, "fingerprint"), "--key-file", "-"],
    ],
    {
      env: process.env,
      // Shell commands on the desktop could read the supervisor's environment and arguments.
      input: input.key,
      onLine: (line) => {
        input.onLine?.(line);
        const connected = connectedMachine(line);
        if (connected !== undefined) resolve(connected);
      },
    },
  );
  driver.child.once("exit", () => resolve(undefined));
  return { machineId, driver, screen };
}

/** Its programs load while the stack makes the key. */
export function startLocalDesktop(input: LocalDesktopInput): StartedDesktop {
  const starting = startDriver(input);
  // It is awaited only once the stack has made the key.
  starting.catch(() => {});
  const stop = async (): Promise<void> => {
    const started = await starting.catch(() => undefined);
    await started?.driver.stop();
    await started?.screen.stop();
    if (input.isTemporary) await rm(input.folder, { recursive: true, force: true });
  };
  const connected = async (): Promise<LocalDesktop> => {
    const { machineId, driver, screen } = await starting;
    const late = new AbortController();
    const found = await Promise.race([
      machineId,
      pause(connectWithinMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    if (found !== undefined) return { machineId: found, description: screen.description };
    await stop();
    throw new Error(`the local desktop did not connect:\n${driver.output().trim()}`);
  };
  return { connected, stop };
}
