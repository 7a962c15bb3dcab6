import type { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod";
import { resourcePathParameters } from "../contract/audit-event.ts";
import { ifMatchHeaders } from "../contract/fields/if-match.ts";
import {
  type IdempotencyMode,
  jsonBodyBytesMax,
  type Operation,
  type OperationOf,
} from "../contract/operations/operation.ts";
import type { Caller } from "../domain/access/caller.ts";
import type { ActUnderWay } from "../domain/audit/act.ts";
import { isoTimestamp } from "../domain/clock.ts";
import { type Edit, type Edited, tagOf } from "../domain/entity/edition.ts";
import type { Idempotency } from "../domain/idempotency/idempotency.ts";
import { InvalidInput } from "../domain/invalid-input.ts";
import { announceEnd } from "./announce-end.ts";
import { itemsOfIssues } from "./errors/zod-issue-items.ts";
import type { IdempotentDeps } from "./http-deps.ts";
import type { HttpContext, HttpEnv } from "./http-env.ts";
import { idempotent } from "./idempotency/idempotent.ts";
import { editionsOfTags } from "./request/editions-of-tags.ts";
import { readJsonBody } from "./request/read-json-body.ts";
import { readQuery } from "./request/read-query.ts";
import { withoutNulls } from "./request/without-nulls.ts";

type Work<Result> = (idempotency: Idempotency | undefined) => Promise<Result>;

type Parsed<Part> = Part extends z.ZodType ? z.output<Part> : undefined;

type Verb<Deps, Input, Result> = (
  deps: Deps,
  caller: Caller,
  input: Input,
  idempotency?: Idempotency,
) => Promise<Result>;

export interface OperationRequest<O extends Operation, Deps = unknown> {
  readonly c: HttpContext;
  readonly caller: Caller;
  readonly path: Parsed<O["pathParameters"]>;
  readonly query: Parsed<O["query"]>;
  readonly body: Parsed<O["body"]>;
  /** The editions that `If-Match` names. */
  readonly ifEdition: O extends { readonly takesIfMatch: true } ? Edit["ifEdition"] : never;
  /** Presents the resource, and names its edition in the `ETag`. */
  readonly tagged: O extends { readonly isTagged: true }
    ? <Resource extends Edited, Body>(
        resource: Resource,
        present: (resource: Resource) => Body | Promise<Body>,
      ) => Promise<Body>
    : never;
  /** A repeat gets the work's result, which has ids and small values, and presents it again. */
  readonly idempotent: O extends { readonly idempotency: string }
    ? <Result>(work: Work<Result>) => Promise<Result>
    : never;
  /** Calls a verb with the app's dependencies, as the work of `idempotent`. */
  readonly write: O extends { readonly idempotency: string }
    ? <Input, Result>(verb: Verb<Deps, Input, Result>, input: NoInfer<Input>) => Promise<Result>
    : never;
}

/** The result is ignored where there is no body. A `Response` is for a body that is not JSON, or for another status. */
type ResultOf<O extends Operation> =
  O["responses"] extends Readonly<Record<204, unknown>>
    ? unknown
    :
        | Response
        | {
            [Status in keyof O["responses"]]: Parsed<SchemaOf<O["responses"][Status]>>;
          }[keyof O["responses"]];

type SchemaOf<R> = R extends { readonly schema: infer Schema } ? Schema : never;

export type Handlers<Operations extends readonly Operation[], Deps = unknown> = {
  readonly [Id in Operations[number]["id"]]: (
    request: OperationRequest<OperationOf<Operations, Id>, Deps>,
  ) => ResultOf<OperationOf<Operations, Id>> | Promise<ResultOf<OperationOf<Operations, Id>>>;
};

export type DepsOf<Operations extends readonly Operation[]> = [
  Extract<Operations[number], { readonly idempotency: IdempotencyMode }>,
] extends [never]
  ? unknown
  : IdempotentDeps;

/** Errors of path, query and body are reported together, before any work. */
export function serveOperations<
  const Operations extends readonly Operation[],
  Deps extends DepsOf<Operations>,
>(app: Hono<HttpEnv>, deps: Deps, operations: Operations, handlers: Handlers<Operations, Deps>): void {
  // The order is that of API Gateway, where `bulk` is not a workflow's id.
  const fixedFirst = operations.toSorted((a, b) => parametersIn(a) - parametersIn(b));
  for (const operation of fixedFirst as readonly Operation[]) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    const handle = (handlers as Readonly<Record<string, AnyHandler>>)[operation.id];
    if (handle === undefined) throw new Error(`the operation ${operation.id} has no handler`);
    const status = Number(Object.keys(operation.responses)[0]) as ContentfulStatusCode | 204;
    if (operation.end !== undefined) app.on(operation.method, path, announceEnd(operation.end));
    app.on(operation.method, path, async (c) => {
      const parts = await readParts(c, operation);
      const result = await onceAdmitted(c, operation, async () => {
        const request = requestOf(c, deps as IdempotentDeps, operation, parts);
        return await onRecord(request, deps as IdempotentDeps, operation, () => handle(request));
      });
      if (isResponse(result)) return result;
      return status === 204 ? c.body(null, 204) : c.json(result as object, status);
    });
  }
}

async function onceAdmitted<Result>(
  c: HttpContext,
  { isReadAhead = false }: Operation,
  work: () => Promise<Result>,
): Promise<Result> {
  const admission = c.get("admission");
  if (!isReadAhead) await admission;
  const result = work();
  // The rate limit's refusal takes precedence over a failure of the work.
  result.catch(() => undefined);
  await admission;
  return await result;
}

/** Records the caller in the item that the operation changes. */
function onRecord<Result>(
  { c, path }: OperationRequest<Operation>,
  { acts, ids }: IdempotentDeps,
  operation: Operation,
  work: () => Result,
): Result {
  const { id, writes, makes, responses } = operation;
  if (writes === undefined) return work();
  const isNew = makes ?? 201 in responses;
  const named = (path as Readonly<Record<string, string>> | undefined)?.[resourcePathParameters[writes]];
  const act: ActUnderWay = {
    id: ids.uuid7(),
    createdAt: isoTimestamp(c.var.startedMs),
    actor: c.var.actor,
    operation: id,
    requestId: c.var.requestId,
    resourceType: writes,
    isNew,
    resourceId: isNew ? undefined : named,
  };
  return acts.run(act, work);
}

type AnyHandler = (request: OperationRequest<Operation>) => unknown;

/** A body of JSON has no functions. Naming the global class would load Node's `fetch`. */
function isResponse(result: unknown): result is Response {
  return typeof (result as Response | undefined)?.arrayBuffer === "function";
}

function parametersIn({ path }: Operation): number {
  return path.split("{").length;
}

const NoParameters = z.strictObject({});

const ifMatch = "If-Match";

interface Parts {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly ifEdition: Edit["ifEdition"];
}

/**
 * Notes the errors of all parts, which are reported together. Unknown query parameters are refused, because a mistyped
 * one would be ignored; public operations allow them.
 *
 * @throws {InvalidInput} for a body that is not JSON. @throws {DomainError} `payload_too_large`
 */
async function readParts(c: HttpContext, operation: Operation): Promise<Parts> {
  const { access, pathParameters, query, body, takesIfMatch, bodyBytesMax = jsonBodyBytesMax } = operation;
  const read = <Schema extends z.ZodType>(part: string, schema: Schema | undefined, value: unknown) => {
    if (schema === undefined) return undefined;
    const { data, error } = schema.safeParse(withoutNulls(schema, value), { reportInput: true });
    if (error !== undefined)
      c.set("problems", [...(c.get("problems") ?? []), ...itemsOfIssues(part, error.issues)]);
    return data;
  };
  const headers = takesIfMatch === true ? ifMatchHeaders : undefined;
  return {
    path: read("path", pathParameters, c.req.param()),
    query: read("query", access === "public" ? query : (query ?? NoParameters), readQuery(c, query)),
    body: body && read("body", body, await readJsonBody(c, bodyBytesMax)),
    ifEdition: editionsOfTags(read("header", headers, { [ifMatch]: c.req.header(ifMatch) })?.[ifMatch]),
  };
}

/** @throws {InvalidInput} with all errors, of every part. */
function requestOf(
  c: HttpContext,
  deps: IdempotentDeps,
  operation: Operation,
  { path, query, body, ifEdition }: Parts,
): OperationRequest<Operation> {
  const problems = c.get("problems");
  if (problems !== undefined) throw new InvalidInput(problems);
  const once = (work: Work<unknown>) => idempotent(c, deps, work, operation.idempotency as IdempotencyMode);
  return {
    c,
    caller: c.var.caller,
    path: path as never,
    query: query as never,
    body: body as never,
    ifEdition: ifEdition as never,
    tagged: (async (resource: Partial<Edited>, present: (resource: Partial<Edited>) => unknown) => {
      const presented = await present(resource);
      // The rate limit's refusal names no resource.
      await c.get("admission");
      // A result on record may be of a version that knew no editions.
      c.header("ETag", tagOf(resource.edition ?? 0));
      return presented;
    }) as never,
    idempotent: once as never,
    write: ((verb: Verb<IdempotentDeps, unknown, unknown>, input: unknown) =>
      once((idempotency) => verb(deps, c.var.caller, input, idempotency))) as never,
  };
}
