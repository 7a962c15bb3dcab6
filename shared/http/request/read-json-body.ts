import { InvalidInput } from "../../domain/invalid-input.ts";
import type { HttpContext } from "../http-env.ts";
import { parseJsonBody } from "./parse-json-body.ts";

/**
 * Returns undefined without a body.
 *
 * @throws {InvalidInput} for a body of another type, or that is not JSON. @throws {DomainError} `payload_too_large`
 */
export async function readJsonBody(c: HttpContext, bytesMax: number): Promise<unknown> {
  const { body } = c.req.raw;
  // API Gateway hands most bodies over as text: bytes of it would only be read into a text again.
  const given = typeof body === "string" ? body : new Uint8Array(await c.req.arrayBuffer());
  if (given.length > 0) requireJson(c.req.header("content-type"));
  return parseJsonBody(given, bytesMax);
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
