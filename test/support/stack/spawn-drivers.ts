import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("run-drivers.ts", import.meta.url));

export interface DriversOptions {
  readonly websocketUrl: string;
  readonly key: string;
  readonly fingerprints: readonly string[];
}

export interface SpawnedDrivers {
  readonly machineIds: readonly string[];
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/**
 * Several reference drivers in one process, all connected: fifty processes would take minutes to start.
 *
 * @throws {Error} with what it printed, when it ends before.
 */
export async function spawnDrivers({
  websocketUrl,
  key,
  fingerprints,
}: DriversOptions): Promise<SpawnedDrivers> {
  const child = spawn(process.execPath, [program, websocketUrl, ...fingerprints], {
    env: { ...process.env, DRIVER_KEY: key },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const complaints: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk.toString()));
  const ended = once(child, "exit");
  const firstLine = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
  const started = await Promise.race([firstLine, ended.then(() => undefined)]);
  if (started === undefined) throw new Error(`the drivers did not connect: ${complaints.join("")}`);
  return {
    machineIds: JSON.parse(started[0]) as readonly string[],
    end: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}
