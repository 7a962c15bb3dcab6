import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { DeskInput } from "../../../infra/demo-desk/desk-options.ts";

const programs = {
  driver: fileURLToPath(new URL("../../../infra/driver/main.ts", import.meta.url)),
  demoDesk: fileURLToPath(new URL("../../../infra/demo-desk/main.ts", import.meta.url)),
};

export interface SpawnedDriver {
  readonly machineId: string;
  readonly pid: number;
  readonly root: string;
  readonly ended: Promise<number | null>;
  log(): string;
  stop(): Promise<void>;
}

export interface DriverOptions {
  readonly websocketUrl: string;
  readonly key: string;
  readonly args?: readonly string[];
  /** An X display's name. @default a display in memory with the demo desk */
  readonly display?: string;
  readonly desk?: DeskInput;
}

export async function spawnDriver({
  websocketUrl,
  key,
  args = [],
  display,
  desk = {},
}: DriverOptions): Promise<SpawnedDriver> {
  const root = await mkdtemp(join(tmpdir(), "driver-"));
  const child = spawn(
    process.execPath,
    [
      ...(display === undefined ? [programs.demoDesk] : [programs.driver, "--display", display]),
      "--allow-shell",
      "--url",
      websocketUrl,
      "--root",
      root,
      "--fingerprint-file",
      join(root, ".fingerprint"),
      ...args,
    ],
    {
      env: { ...process.env, DRIVER_KEY: key, DEMO_DESK: JSON.stringify(desk) },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const lines: string[] = [];
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const connected = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        lines.push(line);
        const machineId = connectedMachine(line);
        if (machineId !== undefined) resolve(machineId);
      });
    }
  });
  const machineId = await Promise.race([connected, ended.then(() => undefined)]);
  if (machineId === undefined)
    throw new Error(`the driver ended before it was connected: ${lines.join("\n")}`);
  return {
    machineId,
    pid: pidOf(child),
    root,
    ended,
    log: () => lines.join("\n"),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      await rm(root, { recursive: true, force: true });
    },
  };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("the driver was not started");
  return child.pid;
}

function connectedMachine(line: string): string | undefined {
  const entry = line.startsWith("{") ? (JSON.parse(line) as { message?: unknown; machine_id?: unknown }) : {};
  return entry.message === "connected" && typeof entry.machine_id === "string" ? entry.machine_id : undefined;
}
