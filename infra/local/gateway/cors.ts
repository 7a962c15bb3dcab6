import type { IncomingMessage } from "node:http";
import type { HttpResponse } from "./http-response.ts";

export interface Cors {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds: number;
}

/**
 * API Gateway sets these headers on its own refusals, too, and drops a function's.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export async function underCors(
  cors: Cors | undefined,
  request: IncomingMessage,
  respond: () => Promise<HttpResponse | undefined>,
): Promise<HttpResponse | undefined> {
  if (cors === undefined) return await respond();
  const { origin, "access-control-request-method": method } = request.headers;
  const allowed =
    origin !== undefined && cors.allowOrigins.includes(origin)
      ? { "access-control-allow-origin": origin }
      : undefined;
  if (request.method === "OPTIONS" && origin !== undefined && method !== undefined) {
    const how = {
      "access-control-allow-methods": cors.allowMethods.join(","),
      "access-control-allow-headers": cors.allowHeaders.join(","),
      "access-control-max-age": String(cors.maxAgeSeconds),
    };
    return {
      status: 204,
      headers: allowed === undefined ? {} : { ...allowed, ...how },
      body: Buffer.alloc(0),
    };
  }
  const response = await respond();
  if (response === undefined) return undefined;
  const own = Object.entries(response.headers).filter(([name]) => !name.startsWith("access-control-"));
  const exposed = { "access-control-expose-headers": cors.exposeHeaders.join(",") };
  return { ...response, headers: { ...Object.fromEntries(own), ...(allowed && { ...allowed, ...exposed }) } };
}
