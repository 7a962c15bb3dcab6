import type * as z from "zod";
import { InvalidInput, type InvalidItem } from "../../domain/invalid-input.ts";
import type { HttpContext } from "../http-env.ts";
import { parseJsonBody } from "./parse-json-body.ts";
import { itemsOfIssues } from "../errors/zod-issue-items.ts";

/** Largest JSON body of an operation that names no other bound, in bytes. */
export const jsonBodyBytesMax = 1_048_576;

export interface RequestSchemas<Path, Query, Body> {
  readonly path?: z.ZodType<Path>;
  /** Absent: the operation knows no query parameter. */
  readonly query?: z.ZodType<Query>;
  /** Absent: the operation takes no body, and what is sent as one is not looked at. */
  readonly body?: z.ZodType<Body>;
  /** @default jsonBodyBytesMax */
  readonly bodyBytesMax?: number;
}

/** Every part that was asked for; the others are undefined. */
export interface RequestInput<Path, Query, Body> {
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
}

/**
 * Parses a request's path, query and body and names everything that is wrong with them in one answer.
 *
 * Unknown fields and unknown query parameters are refused: a mistyped one would be ignored in silence.
 *
 * @throws {InvalidInput}
 * @throws {DomainError} `payload_too_large`.
 */
export async function readRequest<Path = undefined, Query = undefined, Body = undefined>(
  c: HttpContext,
  schemas: RequestSchemas<Path, Query, Body>,
): Promise<RequestInput<Path, Query, Body>> {
  const problems: InvalidItem[] = [];
  const check = <T>(source: string, schema: z.ZodType<T> | undefined, value: unknown): T => {
    if (schema === undefined) return undefined as T;
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    problems.push(...itemsOfIssues(source, parsed.error.issues));
    return undefined as T;
  };
  const path = check("path", schemas.path, c.req.param());
  const query = check("query", schemas.query, queryOf(c));
  if (schemas.query === undefined) problems.push(...Object.keys(queryOf(c)).map(unknownParameter));
  const json =
    schemas.body === undefined ? undefined : await readJson(c, schemas.bodyBytesMax ?? jsonBodyBytesMax);
  const body = check("body", schemas.body, json);
  if (problems.length > 0) throw new InvalidInput(problems);
  return { path, query, body };
}

/** A parameter given once is a string, given more often a list. */
function queryOf(c: HttpContext): Record<string, string | string[]> {
  const entries = Object.entries(c.req.queries()).map(([name, values]): [string, string | string[]] => {
    const [only] = values;
    return [name, values.length === 1 && only !== undefined ? only : values];
  });
  return Object.fromEntries(entries);
}

function unknownParameter(name: string): InvalidItem {
  return { loc: ["query", name], msg: "Extra inputs are not permitted", type: "extra_forbidden" };
}

async function readJson(c: HttpContext, bytesMax: number): Promise<unknown> {
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  if (bytes.byteLength > 0) requireJson(c.req.header("content-type"));
  return parseJsonBody(bytes, bytesMax);
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
