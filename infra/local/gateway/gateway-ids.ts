import { randomBytes } from "node:crypto";

export function newGatewayId(): string {
  return `${randomBytes(11).toString("base64url")}=`;
}

/** Source: https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-request-tracing.html */
export function traceHeader(fromClient: string | undefined, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
    .toString(16)
    .padStart(8, "0");
  const own = `1-${seconds}-${randomBytes(12).toString("hex")}`;
  return fromClient === undefined ? `Root=${own}` : `Self=${own};${fromClient}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

export function commonLogTime(now: Date): string {
  const day = String(now.getUTCDate()).padStart(2, "0");
  const month = months[now.getUTCMonth()];
  return `${day}/${month}/${now.getUTCFullYear()}:${now.toISOString().slice(11, 19)} +0000`;
}
