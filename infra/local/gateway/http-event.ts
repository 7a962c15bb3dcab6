import type { IncomingMessage } from "node:http";
import { EdgeHeader } from "../../../shared/contract/edge.ts";
import type { EventBody } from "../event-body.ts";
import { commonLogTime, traceHeader } from "./gateway-ids.ts";
import { endToEndHeaders, peerOf, type Target } from "./request-facts.ts";
import type { RouteMatch } from "./route-table.ts";

export interface ApiIdentity {
  readonly accountId: string;
  readonly apiId: string;
  readonly domainName: string;
}

export interface HttpEventInput {
  readonly api: ApiIdentity;
  readonly request: IncomingMessage;
  readonly target: Target;
  readonly match: RouteMatch;
  readonly body: EventBody["bytes"];
  readonly requestId: string;
  readonly now: Date;
  readonly edgeHeaders?: Readonly<Record<string, string>> | undefined;
}

/** The address, from a range for documentation, exposes a function that mistakes it for the client's. */
const edgeAddress = "192.0.2.1";

/**
 * The event without its body, which follows beside it.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function httpEvent(input: HttpEventInput) {
  const { api, request, match, body, now } = input;
  const { edgeHeaders } = input;
  const peer = peerOf(request);
  const { headers, cookies } = splitHeaders(request);
  headers["content-length"] = String(body.length);
  headers["x-amzn-trace-id"] = traceHeader(headers["x-amzn-trace-id"], now);
  headers["x-forwarded-for"] = appended(headers["x-forwarded-for"], peer.address);
  headers["x-forwarded-port"] = peer.port;
  headers["x-forwarded-proto"] = "http";
  if (edgeHeaders) {
    Object.assign(headers, edgeHeaders, {
      [EdgeHeader.viewerAddress]: `${peer.address}:${request.socket.remotePort}`,
    });
  }
  const path = decodedPath(input.target.path);
  const query = queryParameters(input.target.query);
  const isBase64Encoded = body.length > 0 && !isText(headers["content-type"]);
  const event = {
    version: "2.0",
    routeKey: match.route.routeKey,
    rawPath: path,
    rawQueryString: input.target.query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(query !== undefined && { queryStringParameters: query }),
    requestContext: {
      accountId: api.accountId,
      apiId: api.apiId,
      domainName: api.domainName,
      domainPrefix: api.domainName.split(".")[0] ?? "",
      http: {
        method: request.method ?? "GET",
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: edgeHeaders ? edgeAddress : peer.address,
        userAgent: headers["user-agent"] ?? "",
      },
      requestId: input.requestId,
      routeKey: match.route.routeKey,
      stage: "$default",
      time: commonLogTime(now),
      timeEpoch: now.getTime(),
    },
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: match.pathParameters }),
    isBase64Encoded,
  };
  if (body.length === 0) return { event };
  const encoding: EventBody["encoding"] = isBase64Encoded ? "base64" : "utf8";
  return { event, body: { bytes: body, encoding } };
}

function splitHeaders(request: IncomingMessage): { headers: Record<string, string>; cookies: string[] } {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const [name, value] of endToEndHeaders(request)) {
    const lower = name.toLowerCase();
    if (lower === "cookie") cookies.push(...value.split(";").map((cookie) => cookie.trim()));
    else headers[lower] = appended(headers[lower], value, ",");
  }
  return { headers, cookies };
}

function appended(before: string | undefined, value: string, separator = ", "): string {
  return before === undefined ? value : `${before}${separator}${value}`;
}

/**
 * HTTP APIs pass the path decoded, cut at an encoded question mark.
 *
 * Source: captures of live APIs, https://github.com/hotsock/voker/pull/8
 */
function decodedPath(path: string): string {
  const decoded = decodeURIComponent(path);
  const mark = decoded.indexOf("?");
  return mark === -1 ? decoded : decoded.slice(0, mark);
}

function queryParameters(query: string): Record<string, string> | undefined {
  if (query === "") return undefined;
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    parameters[name] = appended(parameters[name], value, ",");
  }
  return parameters;
}

/**
 * Any other content type, or none, is passed in base64.
 *
 * Source: checked against AWS in https://github.com/ministackorg/ministack/pull/766
 */
function isText(contentType: string | undefined): boolean {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return (
    type.startsWith("text/") ||
    type === "application/json" ||
    type === "application/javascript" ||
    type === "application/xml"
  );
}
