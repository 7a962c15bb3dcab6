import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { addressBookOf } from "./address-book-of.ts";
import { type AwsEndpoint, startAwsEndpoint } from "./aws/aws-endpoint.ts";
import type { CallObserver } from "./aws/request-handler.ts";
import { createResources, registerRole } from "./aws-resources.ts";
import { startControl } from "./control.ts";
import { edgeHeaders } from "./edge-headers.ts";
import { createEventSources } from "./events/event-sources.ts";
import { Schedules } from "./events/schedules.ts";
import { startGateways } from "./gateways.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity/identity-provider.ts";
import { SkippableClock } from "./lambda/durable/clock.ts";
import { startDurableFunctions } from "./lambda/durable/start-durable-functions.ts";
import { LambdaService } from "./lambda/lambda-service.ts";
import { withLocalShare } from "./lambda/places-share.ts";
import { startLocalDesktop } from "./local-desktop.ts";
import { LocalMetrics } from "./local-metrics.ts";
import { createPhases } from "./phases.ts";
import { createKeyMaker, seedOnce } from "./seed.ts";
import { ShutdownList } from "./shutdown-list.ts";
import { openStackLog } from "./stack-logs.ts";
import type { DesktopKind } from "./start-arguments.ts";
import { synthesize } from "./synthesize.ts";
import type { Application, FunctionModel } from "./template/application.ts";
import { TemplateError } from "./template/json.ts";
import { readApplication } from "./template/read-application.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

export type StackOptions = {
  readonly port: number;
  /** Without a folder, tables, secrets, files and keys end with the stack. */
  readonly dataDir?: string;
  readonly verbose?: boolean;
  /** @default 10 min, API Gateway's */
  readonly idleMs?: number;
  /** @default 2 h, API Gateway's */
  readonly lifeMs?: number;
  readonly timers?: boolean;
  /** @default "simulated" */
  readonly desktop?: DesktopKind | false;
  readonly variables?: Readonly<Record<string, string>>;
  /** @default the app is synthesized */
  readonly assembly?: string;
  readonly observe?: CallObserver;
  /** Is given the name of each phase of the start as it begins. */
  readonly onPhase?: (name: string) => void;
  /** @default standard error */
  readonly tell?: (text: string) => void;
};

export type Stack = {
  readonly baseUrl: string;
  readonly websocketUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly awsEndpointUrl: string;
  readonly organizationId: string;
  readonly apiKey: string;
  readonly jwt: string;
  /** The address of the console; it signs in the first who opens it. */
  readonly consoleUrl: string;
  /** That of the user `local` at the stack's own issuer. */
  readonly consolePassword: string;
  readonly machineId: string | undefined;
  readonly desktop: string | undefined;
  readonly logFile: string;
  readonly stop: () => Promise<void>;
};

function variable(app: Application, name: string): string | undefined {
  return app.functions.map(({ environment }) => environment[name]).find((value) => value !== undefined);
}

function withVariables(fn: FunctionModel, variables: StackOptions["variables"] = {}): FunctionModel {
  const known = Object.entries(variables).filter(([name]) => name in fn.environment);
  return { ...fn, environment: { ...fn.environment, ...Object.fromEntries(known) } };
}

async function startIdentity(app: Application): Promise<IdentityProvider> {
  return await startIdentityProvider({
    issuer: variable(app, "JWT_ISSUER") ?? "https://identity.local/",
    audience: variable(app, "JWT_AUDIENCE") ?? "desktop-automation-service",
  });
}

/** @throws {Error} one sentence, when a prerequisite is missing or the port is in use. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const shutdown = new ShutdownList();
  try {
    return await start(options, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function start(options: StackOptions, shutdown: ShutdownList): Promise<Stack> {
  const tell = options.tell ?? ((text: string) => void process.stderr.write(`${text}\n`));
  const dataDir = options.dataDir === undefined ? undefined : resolve(options.dataDir);
  const inDataDir = (name: string): string | undefined =>
    dataDir === undefined ? undefined : join(dataDir, name);
  const phases = createPhases(options.onPhase, options.verbose === true ? tell : undefined);
  const metrics = new LocalMetrics();
  const log = await openStackLog(project, options.verbose === true ? tell : undefined, metrics);
  shutdown.add(() => log.writer.close());
  const report = (problem: string): void => {
    log.writer.write({ stream: "platform", line: problem });
    tell(`warning: ${problem}`);
  };
  const lambda = Promise.withResolvers<LambdaService>();

  // Java and the synthesis take the most time, and neither needs the other.
  const endpoint = phases.run("AWS endpoint with DynamoDB Local", async () => {
    const started = await startAwsEndpoint({
      ...(dataDir === undefined ? {} : { dataDir }),
      ...(options.observe === undefined ? {} : { observe: options.observe }),
      onDefect: (error) => report(error instanceof Error ? (error.stack ?? error.message) : String(error)),
      crashWorker: ({ functionName, worker }) => {
        void lambda.promise.then((service) => service.crash(functionName, worker ?? ""));
      },
    });
    shutdown.add(() => started.stop());
    return started;
  });
  const givingUp = new AbortController();
  endpoint.catch(() => givingUp.abort());
  const assembly = phases.run("bundling and synthesis (10 to 30 s where anything has changed)", async () => {
    if (options.assembly !== undefined) return readApplication(resolve(options.assembly));
    const { folder, isCached } = await synthesize(project, givingUp.signal);
    if (options.verbose === true)
      tell(isCached ? "nothing has changed: synthesis skipped" : `synthesized ${folder}`);
    return readApplication(folder);
  });
  // Whichever fails first, both must have ended before what was started is stopped.
  const [aws, app] = await bothOf(endpoint, assembly);
  for (const problem of app.problems) report(problem);

  const identity = await startIdentity(app);
  shutdown.add(() => identity.stop());
  const [edge] = app.edges;
  const gateways = await startGateways({
    app,
    port: options.port,
    edgeHeaders: edge && (() => edgeHeaders(edge, aws.secrets)),
    invoke: async (...invocation) => (await lambda.promise).invoke(...invocation),
    idleMs: options.idleMs,
    lifeMs: options.lifeMs,
    accessLog: (line) => log.writer.write({ stream: "access", line }),
  });
  aws.useConnections(gateways.websocket.connections);
  const { port } = gateways.running;

  const websocketUrl = `ws://127.0.0.1:${port}/${gateways.stage}`;
  const desktopKey = Promise.withResolvers<string>();
  const desktop =
    options.desktop === false
      ? undefined
      : startLocalDesktop({
          websocketUrl,
          key: desktopKey.promise,
          // Each stack needs its own folder, because its keys and its machine's secret are its own.
          folder: inDataDir("desktop") ?? join(project, ".local", "desktops", String(port)),
          isTemporary: dataDir === undefined,
          kind: options.desktop ?? "simulated",
          onLine: (line) => log.writer.write({ stream: "desktop", line }),
        });
  shutdown.add(() => desktop?.stop());

  const jwksUrl = variable(app, "JWT_JWKS_URL");
  const addresses = addressBookOf(app, {
    awsEndpointUrl: aws.url,
    gatewayPort: port,
    jwks: jwksUrl === undefined ? undefined : { declared: jwksUrl, local: identity.jwksUrl },
  });
  const streams = await phases.run("tables, buckets, secrets", () => createResources(aws, app, addresses));
  const credentials = new Map(app.functions.map((fn) => [fn.address, registerRole(aws, fn, streams)]));
  const variables = { CONSOLE_SIGN_IN: JSON.stringify(identity.signIn), ...options.variables };
  const service = new LambdaService({
    functions: app.functions.map((fn) => withVariables(withLocalShare(fn), variables)),
    credentialsOf: ({ address }) => {
      const found = credentials.get(address);
      if (found === undefined) throw new TemplateError(`${address} has no role`);
      return found;
    },
    awsEndpointUrl: aws.url,
    addresses,
    log: log.writer,
  });
  lambda.resolve(service);
  const clock = new SkippableClock();
  const sendToQueue = (arn: string, body: string): void => {
    aws.sendMessage(arn.slice(arn.lastIndexOf(":") + 1), body);
  };
  const engine = startDurableFunctions({
    app,
    lambda: service,
    clock,
    sendToQueue,
    folder: inDataDir("durable-executions"),
  });
  aws.useLambda({ functions: app.functions, lambda: service, engine, clock });

  const eventSources = createEventSources({
    app,
    aws,
    lambda: service,
    streams,
    report,
    checkpointFile: inDataDir("checkpoints.json"),
  });
  // A batch under way only ends with its function.
  shutdown.add(
    () => engine.stop(),
    () => clock.stop(),
    () => service.stop(),
    ...eventSources.map((source) => () => source.stop()),
  );
  // The gateways stop first, because each connection's $disconnect is still to be handled.
  shutdown.add(() => gateways.running.stop());
  // Kept executions resume before anything can start another of the same name.
  engine.resume(app.functions);
  for (const source of eventSources) source.start();

  const schedules = new Schedules({
    schedules: app.schedules,
    invoke: service.invoke,
    invokeAsync: (address, event) => service.invokeAsync(address, event),
    report,
  });
  if (options.timers ?? true) schedules.start();
  shutdown.add(() => schedules.stop());

  // The desktop waits for this function, which starts beside the keys and the desktop's program.
  if (options.desktop !== false) void service.find(connectFunctionOf(app))?.warm();
  const makeKey = createKeyMaker(aws, onlyTable(app));
  shutdown.add(() => makeKey.close());
  const controlToken = randomBytes(32).toString("base64url");
  const control = await startControl({
    aws,
    lambda: service,
    durable: { engine, clock },
    schedules,
    metrics,
    identity,
    makeKey,
    token: controlToken,
  });
  shutdown.add(() => control.stop());

  const seeded = await phases.run("organization and keys", () => seedOnce(makeKey, inDataDir("seed.json")));
  const { organizationId, userId, apiKey, driverKey } = seeded;
  const jwt = await identity.mint({ organizationId, subject: userId });
  const consoleUrl = `http://127.0.0.1:${port}/console`;
  const { loginHint, password } = identity.admit({ organizationId, subject: userId }, consoleUrl);
  const entry = new URLSearchParams({ iss: identity.signIn.issuer, login_hint: loginHint });
  desktopKey.resolve(driverKey);
  const connected = await phases.run("desktop", () => desktop?.connected());
  // It takes its leave while what hears of it still runs.
  shutdown.add(() => desktop?.stop());
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    websocketUrl,
    controlUrl: control.url,
    controlToken,
    awsEndpointUrl: aws.url,
    organizationId,
    apiKey,
    jwt,
    consoleUrl: `${consoleUrl}?${entry}`,
    consolePassword: password,
    machineId: connected?.machineId,
    desktop: connected?.description,
    logFile: log.file,
    stop: () => shutdown.run(),
  };
}

async function bothOf(
  endpoint: Promise<AwsEndpoint>,
  app: Promise<Application>,
): Promise<[AwsEndpoint, Application]> {
  await Promise.allSettled([endpoint, app]);
  return [await endpoint, await app];
}

function connectFunctionOf({ webSocketApis }: Application): string {
  const routes = webSocketApis.flatMap((api) => api.routes);
  return routes.find(({ routeKey }) => routeKey === "$connect")?.functionAddress ?? "";
}

function onlyTable({ tables }: Application): string {
  const [table, ...others] = tables;
  if (table === undefined || others.length > 0) {
    throw new TemplateError(`the template has ${tables.length} tables; the keys are kept in exactly one`);
  }
  return table.name;
}
