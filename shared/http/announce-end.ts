import type { MiddlewareHandler } from "hono";
import { compatibilityPath, type OperationEnd } from "../contract/operations/operation.ts";
import type { HttpEnv } from "./http-env.ts";

/** Sources: https://www.rfc-editor.org/rfc/rfc9745, https://www.rfc-editor.org/rfc/rfc8594 */
export function announceEnd({ deprecatedOn, goneOn }: OperationEnd): MiddlewareHandler<HttpEnv> {
  const headers = {
    Deprecation: `@${Date.parse(deprecatedOn) / 1_000}`,
    Sunset: new Date(goneOn).toUTCString(),
    Link: `<${compatibilityPath}>; rel="deprecation sunset"; type="text/html"`,
  };
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.append(name, value);
  };
}
