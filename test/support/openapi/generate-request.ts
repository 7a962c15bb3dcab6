import fc from "fast-check";
import type { OpenApiDocument } from "../../../infra/openapi/document-parts.ts";
import type { Schema } from "../../../infra/openapi/schema-tree.ts";
import { junk, type ValueWorld, valuesNear, valuesOf } from "./values-near.ts";

interface GeneratedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text?: string;
}

interface Body {
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly body?: Body & { readonly schema: Schema };
}

export function operationsOf(document: OpenApiDocument): readonly DescribedOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    (["get", "post", "put", "patch", "delete"] as const).flatMap((method): DescribedOperation[] => {
      const operation = item[method];
      if (operation === undefined) return [];
      const body = operation.requestBody as { content?: Record<string, Body> } | undefined;
      const { schema, example } = body?.content?.["application/json"] ?? {};
      const parameters = (operation.parameters ?? []).filter((each) => "name" in each);
      return [
        {
          operationId: operation.operationId ?? "",
          tag: operation.tags?.[0] ?? "",
          method: method.toUpperCase(),
          path,
          parameters: parameters as unknown as DescribedOperation["parameters"],
          ...(schema === undefined ? {} : { body: { schema, example } }),
        },
      ];
    }),
  );
}

type Flaw = "none" | "path" | "query" | "text" | "header";

/** Requests near what the document describes; some have a part that no caller should send. */
export function requestsTo(operation: DescribedOperation, world: ValueWorld): fc.Arbitrary<GeneratedRequest> {
  const { method } = operation;
  const flaws = fc.oneof(
    { weight: 4, arbitrary: fc.constant<Flaw>("none") },
    { weight: 4, arbitrary: fc.constantFrom<Flaw>("path", "query", "text", "header") },
  );
  return flaws.chain((flaw) =>
    fc
      .record({
        path: pathsOf(operation, world, flaw === "path"),
        query: queriesOf(operation, world, flaw === "query"),
        headers: headersOf(operation, flaw === "header"),
        text: textsOf(operation, world, flaw === "text"),
      })
      .map(({ path, query, headers, text }) => ({
        method,
        path: query === "" ? path : `${path}?${query}`,
        headers,
        ...(text !== undefined && { text }),
      })),
  );
}

function pathsOf({ path, parameters }: DescribedOperation, world: ValueWorld, isFlawed: boolean) {
  const flawed = fc.constantFrom<unknown>("7", "a%20b", "%00", "null", "é");
  const inPath = parameters.filter((each) => each.in === "path");
  const values = inPath.map(
    ({ name, schema }) => [name, isFlawed ? flawed : valuesOf(schema, world)] as const,
  );
  return fc
    .record(Object.fromEntries(values))
    .map((given) =>
      path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(given[name]))),
    );
}

/** An object's fields are parameters of their own, such as `metadata[key]`. */
function inQueryForm(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return [[name, value.join(",")]];
  if (typeof value !== "object" || value === null) return [[name, String(value).toWellFormed()]];
  return Object.entries(value).map(([key, inner]) => [
    `${name}[${key}]`.toWellFormed(),
    String(inner).toWellFormed(),
  ]);
}

function queriesOf({ parameters }: DescribedOperation, world: ValueWorld, isFlawed: boolean) {
  const inQuery = parameters.filter((each) => each.in === "query");
  const values = inQuery.map(({ name, schema }) => {
    const near = valuesOf(schema, world);
    return [name, isFlawed ? fc.oneof(near, junk) : near] as const;
  });
  const surprise = isFlawed ? { surprise: fc.constant<unknown>(1) } : {};
  return fc.record({ ...Object.fromEntries(values), ...surprise }, { requiredKeys: [] }).map((given) => {
    const pairs = Object.entries(given).flatMap(([name, value]) => inQueryForm(name, value));
    return new URLSearchParams(pairs)
      .toString()
      .slice(0, 4_000)
      .replace(/%[0-9A-F]?$/, "");
  });
}

function textsOf({ body, method }: DescribedOperation, world: ValueWorld, isFlawed: boolean) {
  if (body === undefined || method === "GET") return fc.constant(undefined);
  const texts = valuesNear(body.schema, world, body.example).map((value) => JSON.stringify(value) ?? "null");
  return isFlawed ? texts.chain(broken) : texts;
}

function broken(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(
    text.slice(0, -1),
    "",
    "[]",
    "null",
    '"text"',
    `${text}x`,
    "[".repeat(200),
    `{"a":"${"x".repeat(1_100_000)}"}`,
    '{"a":1e999}',
    '{"a":"\\ud800"}',
    '{"__proto__":{"a":1}}',
  );
}

function headersOf({ method, body }: DescribedOperation, isFlawed: boolean) {
  const keys = isFlawed
    ? fc.constantFrom("x".repeat(256), "", "\u00e9")
    : fc.oneof(fc.uuid(), fc.constantFrom("reused", "a b"));
  const tags = isFlawed ? fc.constantFrom("", "0", '"0" "1"') : fc.constantFrom("*", '"0", "1"', 'W/"0"');
  return fc.record(
    {
      ...(method !== "GET" && { "idempotency-key": keys, "if-match": tags }),
      ...(body !== undefined && isFlawed && { "content-type": fc.constant("text/plain") }),
    },
    { requiredKeys: [] },
  );
}
