import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import type { LambdaBackend } from "../lambda/invoke-function.ts";
import { LambdaApi } from "../lambda/lambda-api.ts";
import { listenOnLoopback } from "../loopback-server.ts";
import { BoundedList } from "./bounded-list.ts";
import { CallLog, type Denial } from "./calls.ts";
import { type Credentials, newCredentials } from "./credentials.ts";
import { type CreatedTable, createTable } from "./dynamodb/create-table.ts";
import { type DynamoDbLocal, startDynamoDbLocal } from "./dynamodb/dynamodb-local.ts";
import { DynamoDbService } from "./dynamodb/dynamodb-service.ts";
import { type ConnectionsHandler, ConnectionsService } from "./execute-api/connections-service.ts";
import { Faults } from "./faults.ts";
import { GrantLog } from "./grants.ts";
import { localRegion } from "./local-account.ts";
import { EventBridgeService, type PutEvent } from "./messaging/event-bridge-service.ts";
import { type QueuedMessage, SqsService } from "./messaging/sqs-service.ts";
import { Principals } from "./principals.ts";
import { type CallObserver, handleRequest } from "./request-handler.ts";
import type { BucketCors } from "./s3/bucket-cors.ts";
import { ObjectStore } from "./s3/object-store.ts";
import { S3Service } from "./s3/s3-service.ts";
import { SecretStore } from "./secrets/secret-store.ts";
import { SecretsManagerService } from "./secrets/secrets-manager-service.ts";
import type { AwsService } from "./service-call.ts";

export interface AwsEndpointOptions {
  readonly port?: number;
  /** Without a folder, tables, secrets and objects end with the endpoint. */
  readonly dataDir?: string;
  /** The caller stops this DynamoDB Local; without one the endpoint starts and stops its own. */
  readonly dynamoDbLocal?: DynamoDbLocal;
  readonly connections?: ConnectionsHandler;
  /** Ends a function's worker for a fault `crash_before` or `crash_after`. @default only the connection is cut */
  readonly crashWorker?: (caller: {
    readonly functionName: string;
    readonly worker: string | undefined;
  }) => void;
  /** Receives bugs of the endpoint and policies that it cannot evaluate. @default console.error */
  readonly onDefect?: (error: unknown) => void;
  readonly observe?: CallObserver;
  readonly now?: () => number;
}

export interface AwsEndpoint {
  readonly url: string;
  readonly port: number;
  readonly region: string;
  /** This address bypasses all checks, for set-up and the readers of event source mappings. */
  readonly dynamoDbUrl: string;
  /** The stack's own set-up and command line may do everything and are counted as function `admin`. */
  readonly admin: Credentials;
  readonly principals: Principals;
  readonly secrets: SecretStore;
  readonly objects: ObjectStore;
  readonly calls: CallLog;
  readonly denials: BoundedList<Denial>;
  readonly grants: GrantLog;
  readonly faults: Faults;
  readonly events: BoundedList<PutEvent>;
  readonly messages: BoundedList<QueuedMessage>;
  sendMessage(queueName: string, body: string): QueuedMessage;
  useConnections(handler: ConnectionsHandler): void;
  useLambda(backend: LambdaBackend): void;
  createEventBus(name: string): void;
  allowOrigins(bucket: string, cors: BucketCors): void;
  createTable(properties: unknown, fallbackName: string): Promise<CreatedTable>;
  onTableWrite(listener: () => void): void;
  stop(): Promise<void>;
}

/** The SDK closes an idle connection sooner, so the server never closes one that is being used. */
const keepAliveMs = 120_000;

const denialsMax = 1_000;

/**
 * Every call on this loopback address is verified and judged against its principal's policies.
 *
 * @throws {Error} one sentence, when Java is missing or too old or the port is in use.
 */
export async function startAwsEndpoint(options: AwsEndpointOptions = {}): Promise<AwsEndpoint> {
  const { dataDir, now = Date.now } = options;
  const dynamoDb =
    options.dynamoDbLocal ??
    (await startDynamoDbLocal(dataDir === undefined ? {} : { dataDir: path.join(dataDir, "dynamodb") }));
  const endOwnDynamoDb = async () => {
    if (!options.dynamoDbLocal) await dynamoDb.stop();
  };
  const server = createServer({ keepAliveTimeout: keepAliveMs, requestTimeout: 0, noDelay: true });
  const listening = await listenOnLoopback(server, options.port ?? 0).catch(async (error: unknown) => {
    await endOwnDynamoDb();
    const isInUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (!isInUse) throw error;
    throw new Error(`The AWS endpoint cannot listen on port ${options.port}: it is in use.`);
  });
  const temporary = dataDir === undefined ? await mkdtemp(path.join(tmpdir(), "local-aws-")) : undefined;
  const objects = await ObjectStore.open(path.join(dataDir ?? temporary ?? "", "objects"), {
    isTemporary: dataDir === undefined,
  });
  const secrets = new SecretStore({
    now,
    ...(dataDir !== undefined && { file: path.join(dataDir, "secrets.json") }),
  });
  const grants = new GrantLog();
  const principals = new Principals(grants);
  const admin = newCredentials();
  principals.register({ ...admin, functionName: "admin", policies: "admin" });

  let connections = options.connections;
  let lambda: LambdaBackend | undefined;
  const eventBridge = new EventBridgeService();
  const sqs = new SqsService();
  const s3 = new S3Service(objects);
  const engine = dynamoDb.engine ?? { port: dynamoDb.port, accessKeyId: "any" };
  const tables = new DynamoDbService("dynamodb", engine);
  const streams = new DynamoDbService("dynamodb-streams", engine);
  const services: readonly AwsService[] = [
    tables,
    streams,
    new SecretsManagerService(secrets),
    s3,
    new ConnectionsService(() => connections),
    eventBridge,
    sqs,
    new LambdaApi(() => lambda),
  ];
  const calls = new CallLog();
  const denials = new BoundedList<Denial>(denialsMax);
  const faults = new Faults();
  const deps = {
    principals,
    services: new Map(services.map((service) => [service.name, service])),
    calls,
    denials,
    faults,
    observe: options.observe ?? ((_call, perform) => perform()),
    crashWorker: options.crashWorker ?? (() => undefined),
    onDefect: options.onDefect ?? console.error,
    now,
  };
  server.on("request", (request, response) => {
    handleRequest(deps, request, response).catch((error: unknown) => {
      deps.onDefect(error);
      request.socket.destroy();
    });
  });

  return {
    url: listening.url,
    port: listening.port,
    region: localRegion,
    dynamoDbUrl: dynamoDb.url,
    admin,
    principals,
    secrets,
    objects,
    calls,
    denials,
    grants,
    faults,
    events: eventBridge.events,
    messages: sqs.messages,
    sendMessage: (queueName, body) => sqs.send(queueName, body),
    useConnections(handler) {
      connections = handler;
    },
    useLambda(backend) {
      lambda = backend;
    },
    createEventBus(name) {
      eventBridge.createBus(name);
    },
    allowOrigins(bucket, cors) {
      s3.allowOrigins(bucket, cors);
    },
    async createTable(properties, fallbackName) {
      const table = await createTable(dynamoDb.url, properties, fallbackName);
      tables.knowTable(table.tableName, table.partitionKey);
      return table;
    },
    onTableWrite(listener) {
      tables.onWrite(listener);
    },
    async stop() {
      await listening.stop();
      tables.close();
      streams.close();
      await endOwnDynamoDb();
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    },
  };
}
