import type { MiddlewareHandler } from "hono";
import { InvalidInput } from "../../domain/invalid-input.ts";
import type { HttpEnv } from "../http-env.ts";
import { parseJsonBody } from "./parse-json-body.ts";

/** Precedes the validator, which would parse any size, and take a body of another type for `{}`. */
export function readJsonBody(bytesMax: number): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    if (bytes.byteLength > 0) requireJson(c.req.header("content-type"));
    const value: unknown = parseJsonBody(bytes, bytesMax);
    // The validator needs the header, even without a body or a type.
    c.req.raw.headers.set("content-type", "application/json");
    c.req.json = async <T>() => value as T;
    await next();
  };
}

/** The specification has no 415, so another type is a validation error that names the header. */
function requireJson(contentType: string | undefined): void {
  if (contentType === undefined || /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)) return;
  throw new InvalidInput([
    {
      loc: ["header", "content-type"],
      msg: "Input should be 'application/json'",
      type: "literal_error",
      input: contentType,
      ctx: { expected: "'application/json'" },
    },
  ]);
}
