import type { OpenApiDocument } from "../../../infra/openapi/document-parts.ts";
import { type GenerationWorld, generateAny, generateValue, type Schema } from "./generate-value.ts";

export interface GeneratedRequest {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text?: string;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly body?: Schema;
}

export function operationsOf(document: OpenApiDocument): readonly DescribedOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    (["get", "post", "put", "patch", "delete"] as const).flatMap((method): DescribedOperation[] => {
      const operation = item[method];
      if (operation === undefined) return [];
      const body = operation.requestBody as { content?: Record<string, { schema?: Schema }> } | undefined;
      const schema = body?.content?.["application/json"]?.schema;
      const parameters = (operation.parameters ?? []).filter((each) => "name" in each);
      return [
        {
          operationId: operation.operationId ?? "",
          tag: operation.tags?.[0] ?? "",
          method: method.toUpperCase(),
          path,
          parameters: parameters as unknown as DescribedOperation["parameters"],
          ...(schema === undefined ? {} : { body: schema }),
        },
      ];
    }),
  );
}

export function generateRequest(world: GenerationWorld, operation: DescribedOperation): GeneratedRequest {
  const { random } = world;
  const flaw = random.chance(0.5)
    ? random.pick(["path", "query", "body", "text", "header"] as const)
    : undefined;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const schema = operation.parameters.find((each) => each.name === name)?.schema ?? {};
    const value =
      flaw === "path" ? random.pick(["7", "a%20b", "%00", "null", "é"]) : generateValue(world, schema);
    return encodeURIComponent(String(value));
  });
  const query = queryOf(world, operation, flaw === "query");
  const text = textOf(world, operation, flaw);
  return {
    operationId: operation.operationId,
    method: operation.method,
    path: query === "" ? path : `${path}?${query}`,
    headers: headersOf(world, operation, flaw === "header"),
    ...(text === undefined ? {} : { text }),
  };
}

function queryOf(world: GenerationWorld, { parameters }: DescribedOperation, isFlawed: boolean): string {
  const { random } = world;
  const values = new URLSearchParams();
  for (const { name, schema } of parameters.filter((each) => each.in === "query")) {
    if (!random.chance(0.3) && !isFlawed) continue;
    const value = isFlawed && random.chance(0.5) ? generateAny(world) : generateValue(world, schema);
    values.append(name, Array.isArray(value) ? value.join(",") : String(value).toWellFormed());
  }
  if (isFlawed && random.chance(0.3)) values.append("surprise", "1");
  return values
    .toString()
    .slice(0, 4_000)
    .replace(/%[0-9A-F]?$/, "");
}

function textOf(
  world: GenerationWorld,
  { body, method }: DescribedOperation,
  flaw: string | undefined,
): string | undefined {
  if (body === undefined || method === "GET") return undefined;
  const value = generateValue(world, body);
  if (flaw === "body") return JSON.stringify(mutate(world, value));
  const text = JSON.stringify(value) ?? "null";
  return flaw === "text" ? broken(world, text) : text;
}

function broken({ random }: GenerationWorld, text: string): string {
  return random.pick([
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
  ]);
}

/** Adds or removes a field, changes its type or exceeds its bound, somewhere in the value. */
function mutate(world: GenerationWorld, value: unknown): unknown {
  const { random } = world;
  if (typeof value !== "object" || value === null) return wrong(world);
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.2)) return { ...value, surprise: generateAny(world) };
  const at = random.int(0, entries.length - 1);
  const changed = entries.flatMap(([name, inner], index): [string, unknown][] => {
    if (index !== at) return [[name, inner]];
    if (random.chance(0.2)) return [];
    return [[name, random.chance(0.4) ? mutate(world, inner) : wrong(world)]];
  });
  return Array.isArray(value) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed);
}

function wrong(world: GenerationWorld): unknown {
  const { random } = world;
  const values = [
    null,
    "",
    -1,
    0.5,
    1e15,
    2 ** 53,
    true,
    [],
    {},
    "x".repeat(70_000),
    "7",
    "\u0000",
    "😀".repeat(200),
  ];
  return random.chance(0.3) ? generateAny(world) : random.pick<unknown>(values);
}

function headersOf(
  { random }: GenerationWorld,
  { method, body }: DescribedOperation,
  isFlawed: boolean,
): Record<string, string> {
  const keys = isFlawed ? ["x".repeat(256), "", "\u00e9"] : [crypto.randomUUID(), "reused", "a b"];
  return {
    ...(method !== "GET" && random.chance(0.3) ? { "idempotency-key": random.pick(keys) } : {}),
    ...(body !== undefined && isFlawed && random.chance(0.4) ? { "content-type": "text/plain" } : {}),
  };
}
