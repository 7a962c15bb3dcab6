import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { newGatewayId } from "./gateway-ids.ts";
import { isRecord } from "./http-response.ts";
import { headerBytes, headerBytesMax, targetOf } from "./request-facts.ts";

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** An unknown stage is 403, as are bad credentials. */
export function refusalOf(request: IncomingMessage, stage: string): Refusal | undefined {
  if (headerBytes(request) > headerBytesMax) {
    return { status: 431, message: "Request Header Fields Too Large" };
  }
  const { path } = targetOf(request);
  if (path !== `/${stage}` && path !== `/${stage}/`) return { status: 403, message: "Forbidden" };
  const key = request.headers["sec-websocket-key"];
  const isHandshake =
    request.method === "GET" &&
    request.headers["sec-websocket-version"] === "13" &&
    /^[+/0-9A-Za-z]{22}==$/.test(key ?? "");
  return isHandshake ? undefined : { status: 400, message: "Bad Request" };
}

export type ConnectVerdict =
  | { readonly kind: "let_in"; readonly protocol: string | undefined }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "malformed" };

export function verdictOf(payload: unknown): ConnectVerdict {
  if (!isRecord(payload)) return { kind: "malformed" };
  const status = payload.statusCode ?? 200;
  if (typeof status !== "number" || !Number.isInteger(status) || status < 200 || status > 599) {
    return { kind: "malformed" };
  }
  if (status > 299) return { kind: "refused", status };
  return { kind: "let_in", protocol: headerOf(payload.headers, "sec-websocket-protocol") };
}

function headerOf(headers: unknown, wanted: string): string | undefined {
  if (!isRecord(headers)) return undefined;
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === wanted && typeof value === "string") return value;
  }
  return undefined;
}

/** A function's own refusal has no message, and so no body. */
export function refuse(
  socket: Duplex,
  status: number,
  message: string | undefined,
  connectionId?: string,
): void {
  const requestId = newGatewayId();
  const body = message === undefined ? "" : JSON.stringify({ message, connectionId, requestId });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}`,
    "Connection: close",
    ...(body === "" ? [] : ["Content-Type: application/json"]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    `x-amzn-RequestId: ${requestId}`,
  ];
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
