import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseStartArguments, usage } from "./start-arguments.ts";
import { watchParent } from "./watch-parent.ts";

const localFolder = fileURLToPath(new URL("../../.local", import.meta.url));
const stackFile = join(localFolder, "stack.json");
const nodeMajorMin = 24;

const stopWithinMs = 4_500;

function fail(sentence: string): never {
  process.stderr.write(`${sentence.trimEnd()}\n`);
  process.exit(1);
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Another stack, started since, may have written its own description. */
function removeOwnDescription(): void {
  try {
    const { pid } = JSON.parse(readFileSync(stackFile, "utf8")) as { pid?: unknown };
    if (pid === process.pid) rmSync(stackFile);
  } catch {
    // The file was removed by hand.
  }
}

async function run(): Promise<void> {
  const given = parseStartArguments(process.argv.slice(2));
  if (given === undefined) {
    process.stdout.write(usage);
    return;
  }
  const major = Number(process.versions.node.split(".")[0]);
  if (major < nodeMajorMin) {
    fail(
      `Node ${nodeMajorMin} is needed and this is ${process.version}: start with "npm start" after "npm ci"`,
    );
  }
  // Lambda runs in UTC, and workers inherit the time zone of their process.
  process.env.TZ = "UTC";
  const { findPortProblem } = await import("./port-problem.ts");
  const { findFolderProblem } = await import("./folder-problem.ts");
  const { dataDir } = given;
  const problems = await Promise.all([
    given.port === 0 ? undefined : findPortProblem(given.port),
    findFolderProblem(localFolder, "clone the repository to where this user may write"),
    dataDir === undefined ? undefined : findFolderProblem(resolve(dataDir), "give another one with --data"),
  ]);
  for (const problem of problems) if (problem !== undefined) fail(problem);

  // A signal during the start ends it as soon as there is something to stop.
  let stop: (() => Promise<void>) | undefined;
  let isStopping = false;
  const onSignal = (): void => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    if (stop === undefined) process.exit(130);
    void stop().then(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  watchParent(onSignal);

  process.stderr.write("starting …\n");
  const { startStack } = await import("./stack.ts");
  const stack = await startStack({
    port: given.port,
    verbose: given.verbose,
    desktop: given.desktop,
    onPhase: (name) => process.stderr.write(`  ${name}\n`),
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  stop = async () => {
    removeOwnDescription();
    await stack.stop();
  };
  if (isStopping) return await stop();

  // An existing file would keep its mode.
  rmSync(stackFile, { force: true });
  const description = {
    base_url: stack.baseUrl,
    websocket_url: stack.websocketUrl,
    organization_id: stack.organizationId,
    api_key: stack.apiKey,
    jwt: stack.jwt,
    console_url: stack.consoleUrl,
    console_password: stack.consolePassword,
    machine_id: stack.machineId ?? null,
    control_url: stack.controlUrl,
    control_token: stack.controlToken,
    aws_endpoint_url: stack.awsEndpointUrl,
    log_file: stack.logFile,
    pid: process.pid,
  };
  writeFileSync(stackFile, `${JSON.stringify(description, undefined, 2)}\n`, { mode: 0o600 });
  process.stdout.write(`
address       ${stack.baseUrl}
reference     ${stack.baseUrl}/docs
console       ${stack.consoleUrl}
              (signs in once; later with the password ${stack.consolePassword})
websocket     ${stack.websocketUrl}
organization  ${stack.organizationId}
API key       ${stack.apiKey}
JWT           ${stack.jwt}
machine       ${stack.machineId}
desktop       ${stack.desktop}
logs          ${stack.logFile}
tables        DynamoDB Local listens on every interface of this machine; a secret access key keeps others from the tables

In a second terminal: a run on that desktop, step by step

npm run demo

Or turn its mouse wheel:

curl -sS --fail-with-body -X POST ${stack.baseUrl}/v1/computer/${stack.machineId}/input/mouse/scroll -H 'Authorization: Bearer ${stack.apiKey}' -H 'Content-Type: application/json' -d '{"direction":"down","amount":3}'

Ctrl-C stops everything.
`);
}

try {
  await run();
} catch (error) {
  fail(sentenceOf(error));
}
