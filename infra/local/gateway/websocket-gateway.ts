import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import {
  type ConnectionInfo,
  type ConnectionsHandler,
  messageBytesMax,
} from "../aws/execute-api/connections-service.ts";
import { apiHostName } from "../aws/local-account.ts";
import { type Refusal, refusalOf, refuse, verdictOf } from "./handshake.ts";
import { isRecord } from "./http-response.ts";
import { type IntegrationResult, type Invoke, invokeWithin } from "./invoke.ts";
import { selectRoute } from "./route-selection.ts";
import { type Throttle, type ThrottleOptions, Throttles, TokenBucket } from "./token-bucket.ts";
import { type ConnectionLimits, WebSocketConnection } from "./websocket-connection.ts";
import {
  type Closing,
  type ConnectionFacts,
  connectEvent,
  connectionFacts,
  disconnectEvent,
  messageEvent,
} from "./websocket-event.ts";

/** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html */
const idleDefaultMs = 10 * 60 * 1000;
const lifeDefaultMs = 2 * 60 * 60 * 1000;
const integrationTimeoutDefaultMs = 29_000;
const connectThrottleDefault: Throttle = { rate: 500, burst: 500 };

const closeTimeoutMs = 5_000;

const lastDisconnectsMs = 2_000;

/** Source: https://github.com/boto/boto3/issues/3789 */
const closedByService: Closing = { code: 1000, reason: "Connection Closed Normally" };

export interface WebSocketGatewayOptions extends ThrottleOptions {
  readonly apiId: string;
  readonly stage: string;
  readonly routes: Readonly<Record<string, string | undefined>>;
  readonly routeSelectionExpression: string;
  readonly invoke: Invoke;
  readonly idleMs?: number | undefined;
  readonly lifeMs?: number | undefined;
  readonly integrationTimeoutMs?: number;
  /** On AWS the limit is per account. @default 500 a second */
  readonly connectThrottle?: Throttle;
}

interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

export class WebSocketGateway {
  readonly connections: ConnectionsHandler;
  readonly #options: WebSocketGatewayOptions;
  readonly #api: { readonly apiId: string; readonly stage: string; readonly domainName: string };
  readonly #limits: ConnectionLimits;
  readonly #connectBucket: TokenBucket;
  readonly #throttles: Throttles;
  readonly #server: WebSocketServer;
  readonly #established = new Map<string, WebSocketConnection>();
  readonly #protocols = new WeakMap<IncomingMessage, string>();
  readonly #handshakes = new Set<Duplex>();
  readonly #disconnects = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: WebSocketGatewayOptions) {
    this.#options = options;
    const { apiId, stage } = options;
    this.#api = { apiId, stage, domainName: apiHostName(apiId) };
    this.#limits = { idleMs: options.idleMs ?? idleDefaultMs, lifeMs: options.lifeMs ?? lifeDefaultMs };
    this.#connectBucket = new TokenBucket(options.connectThrottle ?? connectThrottleDefault);
    this.#throttles = new Throttles(options);
    const serverOptions = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: messageBytesMax,
      closeTimeout: closeTimeoutMs,
      handleProtocols: (_offered: Set<string>, request: IncomingMessage) =>
        this.#protocols.get(request) ?? false,
    } as const;
    this.#server = new WebSocketServer(serverOptions);
    this.connections = {
      apiId: options.apiId,
      post: (connectionId, body) => this.#open(connectionId)?.post(body) ?? "gone",
      get: (connectionId) => describe(this.#open(connectionId)),
      delete: (connectionId) => this.#delete(connectionId),
    };
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    this.#handshakes.add(socket);
    void this.#handshake({ request, socket, head }).finally(() => this.#handshakes.delete(socket));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const socket of this.#handshakes) socket.destroy();
    const connections = [...this.#established.values()];
    for (const connection of connections) connection.close(undefined, true);
    this.#server.close();
    let timer: NodeJS.Timeout | undefined;
    const gaveUp = new Promise((resolve) => {
      timer = setTimeout(resolve, lastDisconnectsMs);
    });
    const ended = Promise.all(connections.map((connection) => connection.ended));
    await Promise.race([ended.then(() => Promise.all(this.#disconnects)), gaveUp]);
    clearTimeout(timer);
  }

  async #handshake({ request, socket, head }: Handshake): Promise<void> {
    if (this.#isClosed) return refuse(socket, 503, "Service Unavailable");
    const refusal = refusalOf(request, this.#api.stage);
    if (refusal !== undefined) return refuse(socket, refusal.status, refusal.message);
    if (!this.#connectBucket.take() || !this.#throttles.take("$connect")) {
      return refuse(socket, 429, "Too Many Requests");
    }
    const facts = connectionFacts(this.#api, request, new Date());
    if (!(await this.#isLetIn(facts, request, socket))) return;
    let isEstablished = false;
    if (this.#isClosed) socket.destroy();
    // The callback is called before this returns, or not at all.
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      isEstablished = true;
      this.#establish(facts, webSocket, socket);
    });
    if (!isEstablished) this.#disconnected(facts, { code: 1006, reason: "Connection closed abnormally" });
  }

  async #isLetIn(facts: ConnectionFacts, request: IncomingMessage, socket: Duplex): Promise<boolean> {
    const functionName = this.#options.routes.$connect;
    if (functionName === undefined) return true;
    const result = await this.#invoke(functionName, connectEvent(facts, request, new Date()));
    const verdict = result.ok ? verdictOf(result.payload) : undefined;
    if (verdict?.kind === "let_in") {
      if (verdict.protocol !== undefined) this.#protocols.set(request, verdict.protocol);
      return true;
    }
    if (verdict?.kind === "refused") refuse(socket, verdict.status, undefined);
    else {
      const { status, message } = failureOf(result) ?? malformedResponse;
      refuse(socket, status, message, facts.connectionId);
    }
    return false;
  }

  #establish(facts: ConnectionFacts, webSocket: WebSocket, socket: Duplex): void {
    const connection = new WebSocketConnection(facts, webSocket, this.#limits, {
      onMessage: (text) => this.#message(connection, text),
      onClose: (closing) => {
        this.#established.delete(facts.connectionId);
        this.#disconnected(facts, closing);
      },
    });
    // The meter listens before ws does, so that API Gateway's limits come first.
    socket.prependListener("data", connection.createMeter());
    this.#established.set(facts.connectionId, connection);
  }

  async #message(connection: WebSocketConnection, text: string): Promise<void> {
    const { routes, routeSelectionExpression } = this.#options;
    const routeKey = selectRoute(routeSelectionExpression, text, routes);
    const functionName = routes[routeKey];
    const event = messageEvent(connection.facts, routeKey, text, new Date());
    let failure: { readonly message: string } | undefined;
    if (!this.#throttles.take(routeKey)) failure = { message: "Too Many Requests" };
    else if (functionName === undefined) failure = { message: "Forbidden" };
    else failure = failureOf(await this.#invoke(functionName, event));
    if (failure === undefined) return;
    const { connectionId, requestId } = event.requestContext;
    connection.post(Buffer.from(JSON.stringify({ message: failure.message, connectionId, requestId })));
  }

  #disconnected(facts: ConnectionFacts, closing: Closing): void {
    const functionName = this.#options.routes.$disconnect;
    if (functionName === undefined) return;
    const invocation = this.#invoke(functionName, disconnectEvent(facts, closing, new Date()));
    this.#disconnects.add(invocation);
    void invocation.finally(() => this.#disconnects.delete(invocation));
  }

  #delete(connectionId: string): "ok" | "gone" {
    const connection = this.#open(connectionId);
    if (connection === undefined) return "gone";
    connection.close(closedByService);
    return "ok";
  }

  #open(connectionId: string): WebSocketConnection | undefined {
    const connection = this.#established.get(connectionId);
    return connection?.isOpen ? connection : undefined;
  }

  #invoke(functionName: string, event: unknown): Promise<IntegrationResult> {
    const timeoutMs = this.#options.integrationTimeoutMs ?? integrationTimeoutDefaultMs;
    return invokeWithin(this.#options.invoke(functionName, event), timeoutMs);
  }
}

const malformedResponse = { status: 502, message: "Internal server error" };

/** Source: https://github.com/serverless/serverless-websockets-plugin/issues/13 (502) */
function failureOf(result: IntegrationResult): Refusal | undefined {
  if (result.ok) return isRecord(result.payload) ? undefined : malformedResponse;
  return result.kind === "gateway_timeout"
    ? { status: 504, message: "Endpoint request timed out" }
    : malformedResponse;
}

function describe(connection: WebSocketConnection | undefined): ConnectionInfo | "gone" {
  if (connection === undefined) return "gone";
  const { connectedAtMs, peer, userAgent } = connection.facts;
  return {
    connectedAt: new Date(connectedAtMs).toISOString(),
    lastActiveAt: new Date(connection.lastActiveAtMs).toISOString(),
    identity: { sourceIp: peer.address, userAgent: userAgent ?? "" },
  };
}
