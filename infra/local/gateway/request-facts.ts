import type { IncomingMessage } from "node:http";

/**
 * The request line and the header values count, the names do not.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const headerBytesMax = 10_240;

/** Node reads header bytes as latin1, so a character is a byte. */
export function headerBytes(request: IncomingMessage): number {
  const line = `${request.method ?? ""} ${request.url ?? ""} HTTP/${request.httpVersion}`;
  let bytes = line.length;
  for (let index = 1; index < request.rawHeaders.length; index += 2) {
    bytes += request.rawHeaders[index]?.length ?? 0;
  }
  return bytes;
}

/** Source: RFC 9110, section 7.6.1. */
const hopByHop = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export function isHopByHop(lowerCasedName: string): boolean {
  return hopByHop.has(lowerCasedName);
}

export function endToEndHeaders(request: IncomingMessage): [name: string, value: string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? "";
    if (!isHopByHop(name.toLowerCase())) headers.push([name, request.rawHeaders[index + 1] ?? ""]);
  }
  return headers;
}

export interface Peer {
  readonly address: string;
  readonly port: string;
}

/** X-Forwarded-For is ignored, since a client may claim anything there. */
export function peerOf(request: IncomingMessage): Peer {
  const address = request.socket.remoteAddress ?? "";
  return {
    address: address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address,
    port: String(request.socket.localPort ?? ""),
  };
}

export interface Target {
  readonly path: string;
  readonly query: string;
}

export function targetOf(request: IncomingMessage): Target {
  const url = request.url ?? "/";
  const mark = url.indexOf("?");
  return mark === -1 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}
