import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { apiHostName, localAccount } from "../aws/local-account.ts";
import type { EventBody } from "../event-body.ts";
import { type Cors, underCors } from "./cors.ts";
import { newGatewayId } from "./gateway-ids.ts";
import { type ApiIdentity, httpEvent } from "./http-event.ts";
import { answerOf, gatewayResponse, type HttpResponse } from "./http-response.ts";
import { type IntegrationResult, type Invoke, invokeWithin } from "./invoke.ts";
import { headerBytes, headerBytesMax, peerOf, targetOf } from "./request-facts.ts";
import { type RouteMatch, RouteTable, type RouteTarget } from "./route-table.ts";
import { type ThrottleOptions, Throttles } from "./token-bucket.ts";

/** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const bodyBytesLimit = 10 * 1024 * 1024;
const integrationTimeoutDefaultMs = 30_000;

const tooLarge = gatewayResponse(413, "Request Entity Too Large");

/** Query, headers and body are left out because they carry secrets. */
export interface AccessLogEntry {
  readonly requestId: string;
  readonly sourceIp: string;
  readonly method: string;
  readonly routeKey: string | undefined;
  readonly path: string;
  readonly status: number;
  readonly responseBytes: number;
  readonly durationMs: number;
}

export interface HttpGatewayOptions extends ThrottleOptions {
  readonly apiId: string;
  readonly routes: readonly RouteTarget[];
  readonly invoke: Invoke;
  readonly cors?: Cors | undefined;
  readonly accessLog?: (entry: AccessLogEntry) => void;
  readonly edgeHeaders?: (() => Readonly<Record<string, string>>) | undefined;
  /** @default 30 s, which API Gateway never exceeds */
  readonly integrationTimeoutMs?: number;
}

export function createHttpGateway(options: HttpGatewayOptions): RequestListener {
  const gateway = new HttpGateway(options);
  return (request, response) => {
    void gateway.handle(request, response);
  };
}

class HttpGateway {
  readonly #options: HttpGatewayOptions;
  readonly #api: ApiIdentity;
  readonly #table: RouteTable;
  readonly #throttles: Throttles;

  constructor(options: HttpGatewayOptions) {
    this.#options = options;
    this.#table = new RouteTable(options.routes);
    this.#throttles = new Throttles(options);
    const { apiId } = options;
    this.#api = { accountId: localAccount, apiId, domainName: apiHostName(apiId) };
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAtMs = performance.now();
    const requestId = newGatewayId();
    const log: { routeKey?: string } = {};
    const answer = await underCors(this.#options.cors, request, () => this.#answer(request, requestId, log));
    if (answer === undefined) {
      response.destroy();
      return;
    }
    // A client that is still sending would not see a refusal.
    if (!request.complete) await readBody(request, 0);
    const status = send(request, response, answer, requestId);
    this.#options.accessLog?.({
      requestId,
      sourceIp: peerOf(request).address,
      method: request.method ?? "GET",
      routeKey: log.routeKey,
      path: targetOf(request).path,
      status,
      responseBytes: answer.body.length,
      durationMs: performance.now() - startedAtMs,
    });
  }

  async #answer(
    request: IncomingMessage,
    requestId: string,
    log: { routeKey?: string },
  ): Promise<HttpResponse | undefined> {
    if (headerBytes(request) > headerBytesMax) return gatewayResponse(431, "Request Header Fields Too Large");
    const target = targetOf(request);
    let match: RouteMatch | undefined;
    try {
      match = this.#table.match(request.method ?? "GET", target.path);
    } catch {
      return gatewayResponse(400, "Bad Request");
    }
    if (match === undefined) return gatewayResponse(404, "Not Found");
    log.routeKey = match.route.routeKey;
    if (!this.#throttles.take(match.route.routeKey)) return gatewayResponse(429, "Too Many Requests");
    const read = await readBody(request, bodyBytesLimit);
    if (read.kind === "aborted") return undefined;
    if (read.kind === "too_large") return tooLarge;
    const { event, body } = httpEvent({
      api: this.#api,
      request,
      target,
      match,
      body: read.body,
      requestId,
      now: new Date(),
      edgeHeaders: this.#options.edgeHeaders?.(),
    });
    const timeoutMs =
      match.route.integrationTimeoutMs ?? this.#options.integrationTimeoutMs ?? integrationTimeoutDefaultMs;
    const invocation = this.#options.invoke(match.route.functionName, event, body);
    return answerFor(await invokeWithin(invocation, timeoutMs));
  }
}

function answerFor(result: IntegrationResult): HttpResponse {
  if (result.ok) return answerOf(result.payload) ?? gatewayResponse(500, "Internal Server Error");
  if (result.kind === "request_too_large") return tooLarge;
  const unavailable = gatewayResponse(503, "Service Unavailable");
  if (result.kind === "gateway_timeout") return unavailable;
  if (result.kind === "throttled")
    return { ...unavailable, headers: { ...unavailable.headers, "retry-after": "1" } };
  return gatewayResponse(500, "Internal Server Error");
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpResponse,
  requestId: string,
): number {
  // The rest of an unread body would be mistaken for the next request.
  if (!request.complete) response.shouldKeepAlive = false;
  try {
    write(response, answer, requestId);
    return answer.status;
  } catch {
    // API Gateway calls a response malformed whose headers Node refuses.
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    write(response, gatewayResponse(500, "Internal Server Error"), requestId);
    return 500;
  }
}

function write(response: ServerResponse, answer: HttpResponse, requestId: string): void {
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  response.setHeader("apigw-requestid", requestId);
  response.statusCode = answer.status;
  if (answer.status === 204 || answer.status === 304) {
    response.removeHeader("content-type");
    response.end();
    return;
  }
  response.setHeader("content-length", answer.body.length);
  response.end(answer.body);
}

type BodyRead =
  | { readonly kind: "read"; readonly body: EventBody["bytes"] }
  | { readonly kind: "too_large" }
  | { readonly kind: "aborted" };

/** This much of an oversized body is read and dropped, so that its sender can read the 413. */
const discardedBytesMax = 64 * 1024 * 1024;

async function readBody(request: IncomingMessage, bytesMax: number): Promise<BodyRead> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Destroying the stream would take the socket, and the response, with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else chunks.length = 0;
      if (bytes > bytesMax + discardedBytesMax) break;
    }
  } catch {
    return { kind: "aborted" };
  }
  return bytes > bytesMax ? { kind: "too_large" } : { kind: "read", body: joined(chunks, bytes) };
}

/** `Buffer.concat` would put a small body into memory that others share. */
function joined(chunks: readonly Buffer[], bytes: number): EventBody["bytes"] {
  const body = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}
