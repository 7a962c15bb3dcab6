import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { authenticate } from "./authenticate.ts";
import { AwsError, notImplemented } from "./aws-error.ts";
import type { BoundedList } from "./bounded-list.ts";
import type { CallLog, CallRecord, Denial } from "./calls.ts";
import { type Fault, type Faults, faultError } from "./faults.ts";
import { operationOfTarget } from "./json-protocol.ts";
import type { AccessRequest } from "./policy.ts";
import type { Principals } from "./principals.ts";
import { readBody } from "./read-body.ts";
import type { Answer, AwsService, ServiceCall } from "./service-call.ts";
import {
  readSignatureClaim,
  type SignatureClaim,
  sha256Hex,
  unsignedPayload,
  type WireRequest,
} from "./sigv4.ts";

/** Performs each call, so that it may measure and wait around it. */
export type CallObserver = (call: ObservedCall, perform: () => Promise<Answer>) => Promise<Answer>;

export interface ObservedCall extends Pick<CallRecord, "functionName" | "service" | "operation"> {
  /** The body is empty where the service reads the request itself. */
  readonly body: Buffer;
}

export interface RequestHandlerDeps {
  readonly principals: Principals;
  /** Signatures name the service; `dynamodb-streams` is signed as `dynamodb`. */
  readonly services: ReadonlyMap<string, AwsService>;
  readonly calls: CallLog;
  readonly denials: BoundedList<Denial>;
  readonly faults: Faults;
  readonly observe: CallObserver;
  readonly crashWorker: (caller: {
    readonly functionName: string;
    readonly worker: string | undefined;
  }) => void;
  readonly onDefect: (error: unknown) => void;
  readonly now: () => number;
}

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const bodyBytesMax = 16 * 1024 ** 2;

export async function handleRequest(
  deps: RequestHandlerDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const wire = wireRequest(request);
  const claim = readSignatureClaim(wire);
  const service = findService(deps.services, wire, claim);
  try {
    if (!service) throw notImplemented(`the service of ${claimedService(claim)}`);
    if (wire.method === "OPTIONS" && service.preflight) {
      await write(response, service.preflight({ ...wire, query: new URLSearchParams(wire.query) }));
      return;
    }
    const call = await receive(deps, service, request, wire, claim);
    const outcome = await perform(deps, service, call);
    if (outcome === "cut") request.socket.destroy();
    else await write(response, outcome);
  } catch (error) {
    if (response.headersSent || request.socket.destroyed) return;
    await write(response, presentError(deps, service, error));
  }
}

async function receive(
  deps: RequestHandlerDeps,
  service: AwsService,
  request: IncomingMessage,
  wire: WireRequest,
  claim: SignatureClaim | "none" | "malformed",
): Promise<ServiceCall> {
  const body = service.streamsBody ? Buffer.alloc(0) : await readBody(request, bodyBytesMax);
  const presigned = typeof claim === "object" && claim.form === "presigned";
  const payloadHash = service.streamsBody ? declaredHash(wire, presigned) : sha256Hex(body);
  const principal = await authenticate(wire, claim, payloadHash, deps.principals, deps.now());
  const query = new URLSearchParams(wire.query);
  const { method, path, headers } = wire;
  const source = { method, path, query, headers };
  const operation = service.operationOf?.(source) ?? operationOfTarget(source);
  return {
    method,
    path,
    query,
    headers,
    operation,
    principal,
    body,
    stream: request,
    payloadHash,
    presigned,
    authorize(requests: readonly AccessRequest[]) {
      const refusal = deps.principals.refusal(principal, requests);
      if (!refusal) return;
      const { functionName } = principal;
      deps.denials.add({ functionName, service: service.name, operation, message: refusal.message });
      throw refusal;
    },
  };
}

async function perform(
  deps: RequestHandlerDeps,
  service: AwsService,
  call: ServiceCall,
): Promise<Answer | "cut"> {
  const at = new Date(deps.now()).toISOString();
  const { functionName } = call.principal;
  const { operation, path } = call;
  const fault = deps.faults.take({ service: service.name, operation, functionName, path });
  if (fault?.effect === "disconnect_before" || fault?.effect === "crash_before") {
    const undone = callRecord(service, call, at, 0);
    deps.calls.add(undone);
    if (fault.effect === "crash_before") deps.crashWorker({ functionName, worker: undone.worker });
    return "cut";
  }
  const observed = { functionName, service: service.name, operation: call.operation, body: call.body };
  const answer = await deps.observe(observed, () => answerOf(deps, service, call, fault));
  const done = callRecord(service, call, at, answer.status);
  deps.calls.add(done);
  if (answer.status === 0) return "cut";
  if (fault?.effect === "crash_after") deps.crashWorker({ functionName, worker: done.worker });
  if (fault?.effect === "crash_after" || fault?.effect === "disconnect_after") {
    if (answer.body instanceof Readable) answer.body.destroy();
    return "cut";
  }
  return answer;
}

async function answerOf(
  deps: RequestHandlerDeps,
  service: AwsService,
  call: ServiceCall,
  fault: Fault | undefined,
): Promise<Answer> {
  try {
    if (fault?.effect === "error") throw faultError(fault, call.operation, transactItems(call));
    return await service.handle(call);
  } catch (error) {
    if (call.stream.socket.destroyed) return { status: 0 };
    return presentError(deps, service, error);
  }
}

function presentError(deps: RequestHandlerDeps, service: AwsService | undefined, error: unknown): Answer {
  const known = error instanceof AwsError;
  if (!known) deps.onDefect(error);
  const shown = known
    ? error
    : new AwsError(500, "InternalFailure", error instanceof Error ? error.message : "the stand-in failed");
  if (service) return service.present(shown);
  return {
    status: shown.status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ __type: shown.code, message: shown.message }),
  };
}

async function write(response: ServerResponse, answer: Answer): Promise<void> {
  response.statusCode = answer.status;
  const requestId = randomUUID();
  response.setHeader("x-amzn-requestid", requestId);
  response.setHeader("x-amz-request-id", requestId);
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (answer.body instanceof Readable) {
    await pipeline(answer.body, response).catch(() => undefined);
    return;
  }
  response.end(answer.body);
}

function wireRequest(request: IncomingMessage): WireRequest {
  const url = request.url ?? "/";
  const cut = url.indexOf("?");
  return {
    method: request.method ?? "GET",
    path: cut < 0 ? url : url.slice(0, cut),
    query: cut < 0 ? "" : url.slice(cut + 1),
    headers: request.headers,
  };
}

function findService(
  services: ReadonlyMap<string, AwsService>,
  wire: WireRequest,
  claim: SignatureClaim | "none" | "malformed",
): AwsService | undefined {
  const target = wire.headers["x-amz-target"];
  if (typeof target === "string" && target.startsWith("DynamoDBStreams_"))
    return services.get("dynamodb-streams");
  if (typeof claim === "object") return services.get(claim.scope.service);
  // An unsigned request with a target is for a JSON service, one without is for S3.
  return typeof target === "string" ? services.get("dynamodb") : services.get("s3");
}

function claimedService(claim: SignatureClaim | "none" | "malformed"): string {
  return typeof claim === "object" ? claim.scope.service : "an unsigned request";
}

function declaredHash(wire: WireRequest, presigned: boolean): string {
  const declared = wire.headers["x-amz-content-sha256"];
  if (typeof declared === "string") return declared;
  return presigned ? unsignedPayload : sha256Hex("");
}

function transactItems(call: ServiceCall): number {
  if (!call.operation.startsWith("Transact")) return 0;
  const body: unknown = JSON.parse(call.body.toString("utf8"));
  const items =
    typeof body === "object" && body !== null && "TransactItems" in body ? body.TransactItems : [];
  return Array.isArray(items) ? items.length : 0;
}

function callRecord(service: AwsService, call: ServiceCall, at: string, status: number): CallRecord {
  return {
    functionName: call.principal.functionName,
    worker: /(?:^|\s)app\/(\S+)/.exec(call.headers["user-agent"] ?? "")?.[1],
    service: service.name,
    operation: call.operation,
    at,
    status,
  };
}
