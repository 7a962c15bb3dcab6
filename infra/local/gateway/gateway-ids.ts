import { randomBytes } from "node:crypto";

/** An id as API Gateway makes them for requests, messages and connections: 11 bytes in base64url, ending in `=`. */
export function newGatewayId(): string {
  return `${randomBytes(11).toString("base64url")}=`;
}

/**
 * The trace header that a gateway hands to its integration.
 *
 * Source: https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-request-tracing.html
 */
export function traceHeader(fromClient: string | undefined, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
    .toString(16)
    .padStart(8, "0");
  const own = `1-${seconds}-${randomBytes(12).toString("hex")}`;
  return fromClient === undefined ? `Root=${own}` : `Self=${own};${fromClient}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** The common log format that `requestContext` carries, e.g. `12/Mar/2020:19:03:58 +0000`. */
export function commonLogTime(now: Date): string {
  const day = String(now.getUTCDate()).padStart(2, "0");
  const month = months[now.getUTCMonth()];
  return `${day}/${month}/${now.getUTCFullYear()}:${now.toISOString().slice(11, 19)} +0000`;
}
