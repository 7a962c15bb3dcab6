import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import packageJson from "../../../package.json" with { type: "json" };

const project = new URL("../../..", import.meta.url);

/** A stack started as `npm start` does. */
export interface StartedCommand {
  readonly pid: number;
  readonly printed: string;
  end(signal: "SIGINT" | "SIGTERM"): Promise<{ readonly code: number | null; readonly tookMs: number }>;
}

/** @throws {Error} with what it printed, when it does not run within two minutes. */
export async function startCommand(args: readonly string[]): Promise<StartedCommand> {
  // The shell makes room for the program, so that signals reach it.
  const command = `export PATH="$(dirname "$0"):$PATH"; ${packageJson.scripts.start} "$@"`;
  const child = spawn("sh", ["-c", command, process.execPath, "--port", "0", ...args], {
    cwd: project,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  let complaints = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  for (let waitedMs = 0; !printed.includes("Ctrl-C"); waitedMs += 50) {
    const isOver = child.exitCode !== null || waitedMs > 120_000;
    if (isOver) {
      child.kill("SIGTERM");
      throw new Error(`the stack does not run: ${complaints}`);
    }
    await pause(50);
  }
  const { pid } = child;
  if (pid === undefined) throw new Error("the stack was not started");
  return {
    pid,
    printed,
    end: async (signal) => {
      const startedMs = performance.now();
      child.kill(signal);
      const code = await ended;
      return { code, tookMs: performance.now() - startedMs };
    },
  };
}
