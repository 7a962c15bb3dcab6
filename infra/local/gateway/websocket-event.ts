import type { IncomingMessage } from "node:http";
import { commonLogTime, newGatewayId, traceHeader } from "./gateway-ids.ts";
import { endToEndHeaders, type Peer, peerOf, targetOf } from "./request-facts.ts";

export interface ConnectionFacts {
  readonly apiId: string;
  readonly stage: string;
  readonly domainName: string;
  readonly connectionId: string;
  readonly connectedAtMs: number;
  readonly peer: Peer;
  readonly userAgent: string | undefined;
  readonly host: string;
}

type EventType = "CONNECT" | "MESSAGE" | "DISCONNECT";

function requestContext(facts: ConnectionFacts, routeKey: string, eventType: EventType, now: Date) {
  const requestId = newGatewayId();
  return {
    routeKey,
    eventType,
    extendedRequestId: requestId,
    requestTime: commonLogTime(now),
    messageDirection: "IN",
    stage: facts.stage,
    connectedAt: facts.connectedAtMs,
    requestTimeEpoch: now.getTime(),
    identity: {
      ...(facts.userAgent !== undefined && { userAgent: facts.userAgent }),
      sourceIp: facts.peer.address,
    },
    requestId,
    domainName: facts.domainName,
    connectionId: facts.connectionId,
    apiId: facts.apiId,
  };
}

/** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-route-keys-connect-disconnect.html */
export function connectEvent(facts: ConnectionFacts, request: IncomingMessage, now: Date) {
  const sent = endToEndHeaders(request);
  const given = (wanted: string) => sent.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const forwardedFor = given("x-forwarded-for");
  const added: readonly (readonly [string, string])[] = [
    ["X-Amzn-Trace-Id", traceHeader(given("x-amzn-trace-id"), now)],
    [
      "X-Forwarded-For",
      forwardedFor === undefined ? facts.peer.address : `${forwardedFor}, ${facts.peer.address}`,
    ],
    ["X-Forwarded-Port", facts.peer.port],
    ["X-Forwarded-Proto", "http"],
  ];
  const replaced = new Set(added.map(([name]) => name.toLowerCase()));
  const all = [...sent.filter(([name]) => !replaced.has(name.toLowerCase())), ...added];
  const query = [...new URLSearchParams(targetOf(request).query)];
  return {
    headers: Object.fromEntries(all),
    multiValueHeaders: grouped(all),
    ...(query.length > 0 && {
      queryStringParameters: Object.fromEntries(query),
      multiValueQueryStringParameters: grouped(query),
    }),
    requestContext: requestContext(facts, "$connect", "CONNECT", now),
    isBase64Encoded: false,
  };
}

export function messageEvent(facts: ConnectionFacts, routeKey: string, body: string, now: Date) {
  return {
    requestContext: { ...requestContext(facts, routeKey, "MESSAGE", now), messageId: newGatewayId() },
    body,
    isBase64Encoded: false,
  };
}

/** The code 1005 is a close frame without a code, 1006 no close frame at all (RFC 6455, 7.4.1). */
export interface Closing {
  readonly code: number;
  readonly reason: string;
}

export function disconnectEvent(facts: ConnectionFacts, closing: Closing, now: Date) {
  const headers: readonly (readonly [string, string])[] = [
    ["Host", facts.host],
    ["x-api-key", ""],
    ["X-Forwarded-For", facts.peer.address],
    ["x-restapi", ""],
  ];
  return {
    headers: Object.fromEntries(headers),
    multiValueHeaders: grouped(headers),
    requestContext: {
      ...requestContext(facts, "$disconnect", "DISCONNECT", now),
      disconnectStatusCode: closing.code,
      disconnectReason: closing.reason,
    },
    isBase64Encoded: false,
  };
}

export function connectionFacts(
  api: { readonly apiId: string; readonly stage: string; readonly domainName: string },
  request: IncomingMessage,
  now: Date,
): ConnectionFacts {
  return {
    ...api,
    connectionId: newGatewayId(),
    connectedAtMs: now.getTime(),
    peer: peerOf(request),
    userAgent: request.headers["user-agent"],
    host: request.headers.host ?? "",
  };
}

function grouped(pairs: readonly (readonly [string, string])[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const [name, value] of pairs) {
    const group = groups[name] ?? [];
    group.push(value);
    groups[name] = group;
  }
  return groups;
}
