import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { DesktopKind } from "../../../infra/local/start-arguments.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = fileURLToPath(new URL("run-stack.ts", import.meta.url));

/** The command of `npm start` with another program: what its settings do to times and memory is so in tests, too. */
function command(): string {
  const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  const started = "infra/local/start.ts";
  if (!scripts.start.endsWith(started)) throw new Error(`npm start does not run ${started}`);
  return `${scripts.start.slice(0, -started.length)} "$0" "$@"`;
}

/** Options of `startStack` of `infra/local/stack.ts` that can be written as JSON. */
export interface SpawnOptions {
  readonly port?: number;
  readonly dataDir?: string;
  readonly timers?: boolean;
  readonly desktop?: DesktopKind | false;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface StackAddresses {
  readonly baseUrl: string;
  readonly websocketUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly awsEndpointUrl: string;
  readonly organizationId: string;
  readonly apiKey: string;
  readonly jwt: string;
  readonly consoleUrl: string;
  readonly consolePassword: string;
  readonly machineId?: string;
  readonly logFile: string;
  readonly pid: number;
}

export interface SpawnedStack extends StackAddresses {
  stop(): Promise<void>;
  /** Kills the stack without a warning, as a power cut would. */
  kill(): Promise<void>;
}

/**
 * Starts a local stack in a process of its own.
 *
 * @throws {Error} with the process's output, when it ends before the stack runs.
 */
export async function spawnStack(options: SpawnOptions = {}): Promise<SpawnedStack> {
  const child = spawn("sh", ["-c", command(), program, JSON.stringify(options)], {
    cwd: root,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const complaints: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk.toString()));
  const firstLine = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
  const ended = once(child, "exit");
  const started = await Promise.race([firstLine, ended.then(() => undefined)]);
  if (started === undefined) throw new Error(`the stack did not start: ${complaints.join("").slice(-4_000)}`);
  return {
    ...(JSON.parse(started[0]) as StackAddresses),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
