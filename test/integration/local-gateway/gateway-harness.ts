import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import WebSocket, { type ClientOptions } from "ws";
import { createHttpGateway, type HttpGatewayOptions } from "../../../infra/local/gateway/http-gateway.ts";
import type { Invoke, InvokeResult } from "../../../infra/local/gateway/invoke.ts";
import { type RunningGateway, startGateway } from "../../../infra/local/gateway/start-gateway.ts";
import {
  WebSocketGateway,
  type WebSocketGatewayOptions,
} from "../../../infra/local/gateway/websocket-gateway.ts";

interface SeenEvent {
  readonly version?: string;
  readonly routeKey?: string;
  readonly rawPath?: string;
  readonly rawQueryString?: string;
  readonly cookies?: string[];
  readonly headers?: Record<string, string>;
  readonly multiValueHeaders?: Record<string, string[]>;
  readonly queryStringParameters?: Record<string, string>;
  readonly pathParameters?: Record<string, string>;
  readonly body?: string;
  readonly isBase64Encoded: boolean;
  readonly requestContext: {
    readonly routeKey: string;
    readonly eventType?: string;
    readonly connectionId: string;
    readonly requestId: string;
    readonly disconnectStatusCode?: number;
    readonly disconnectReason?: string;
    readonly [field: string]: unknown;
  };
}

type FakeFunction = (event: SeenEvent) => Promise<InvokeResult> | InvokeResult;

export const ok = (payload: unknown): InvokeResult => ({ ok: true, payload });
export const failed = (kind: Extract<InvokeResult, { ok: false }>["kind"]): InvokeResult => ({
  ok: false,
  kind,
  error: new Error("planted"),
});

export interface Harness {
  readonly gateway: RunningGateway;
  readonly websocket: WebSocketGateway;
  readonly events: SeenEvent[];
  readonly baseUrl: string;
  readonly websocketUrl: string;
  dial(options?: ClientOptions & { readonly path?: string; readonly protocol?: string }): WebSocket;
  eventOf(eventType: string): Promise<SeenEvent>;
}

export interface HarnessOptions {
  readonly http?: Partial<HttpGatewayOptions>;
  readonly websocket?: Partial<WebSocketGatewayOptions>;
  readonly run?: FakeFunction;
}

/** Starts a gateway, which stops when the test has ended. */
export async function start(options: HarnessOptions = {}): Promise<Harness> {
  const events: SeenEvent[] = [];
  const run = options.run ?? (() => ok({ statusCode: 200 }));
  const invoke: Invoke = async (_functionName, event, body) => {
    const text = body && { body: Buffer.from(body.bytes).toString(body.encoding) };
    const seen = { ...(event as SeenEvent), ...text };
    events.push(seen);
    return run(seen);
  };
  const http = createHttpGateway({
    apiId: "httpapi123",
    routes: [{ routeKey: "$default", functionName: "health" }],
    invoke,
    ...options.http,
  });
  const websocket = new WebSocketGateway({
    apiId: "wsapi12345",
    stage: "live",
    routes: { $connect: "tunnel", $disconnect: "tunnel", $default: "tunnel" },
    routeSelectionExpression: "$request.body.type",
    invoke,
    ...options.websocket,
  });
  const gateway = await startGateway({ port: 0, http, websocket });
  onTestFinished(() => gateway.stop());
  return {
    gateway,
    websocket,
    events,
    baseUrl: `http://127.0.0.1:${gateway.port}`,
    websocketUrl: `ws://127.0.0.1:${gateway.port}/live`,
    dial: ({ path = "/live", protocol, ...clientOptions } = {}) =>
      new WebSocket(
        `ws://127.0.0.1:${gateway.port}${path}`,
        protocol === undefined ? [] : [protocol],
        clientOptions,
      ),
    eventOf: (eventType) => waitFor(() => events.find((seen) => seen.requestContext.eventType === eventType)),
  };
}

export async function waitFor<T>(look: () => T | undefined): Promise<T> {
  const untilMs = Date.now() + 30_000;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (Date.now() > untilMs) throw new Error("waited 30 s for nothing");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function opened(socket: WebSocket): Promise<WebSocket> {
  await once(socket, "open");
  return socket;
}

/** The status with which a handshake was refused, with the body. */
export async function refusal(socket: WebSocket): Promise<{ status: number; body: string }> {
  const [, response] = await once(socket, "unexpected-response");
  return { status: response.statusCode, body: await text(response) };
}

export async function closed(socket: WebSocket): Promise<{ code: number; reason: string }> {
  const [code, reason] = await once(socket, "close");
  return { code, reason: reason.toString() };
}

export async function nextMessage(socket: WebSocket): Promise<string> {
  const [data] = await once(socket, "message");
  return data.toString();
}

/** Sends bytes as they are and reads until the server closes: for what no HTTP client would send. */
export async function exchangeRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.write(bytes, "latin1");
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}
