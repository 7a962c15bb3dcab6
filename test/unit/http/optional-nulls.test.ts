import { describe, expect, it } from "vitest";
import * as z from "zod";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import {
  alternativesOf,
  innerSchemas,
  isSchema,
  propertiesOf,
  referredName,
  type Schema,
} from "../../../infra/openapi/schema-tree.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { withoutNulls } from "../../../shared/http/request/without-nulls.ts";
import { contentsOf } from "../../support/openapi/document-parts.ts";

const operations: readonly Operation[] = allOperations;
const withBody = operations.flatMap((operation) =>
  operation.body === undefined ? [] : [{ ...operation, body: operation.body }],
);

interface Found {
  readonly place: string;
  readonly object: z.ZodObject;
}

function objectsIn(schema: z.core.$ZodType, place: string, seen = new Set<unknown>()): readonly Found[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const {
    shape,
    element,
    options,
    innerType,
    valueType,
    in: given,
    out,
  } = (schema as z.core.$ZodTypes)._zod.def as {
    readonly shape?: z.core.$ZodShape;
    readonly options?: readonly z.core.$ZodType[];
  } & Partial<Record<"element" | "innerType" | "valueType" | "in" | "out", z.core.$ZodType>>;
  return [
    ...(schema instanceof z.ZodObject ? [{ place, object: schema }] : []),
    ...Object.entries(shape ?? {}).flatMap(([name, field]) => objectsIn(field, `${place}.${name}`, seen)),
    ...[element, innerType, valueType, given, out, ...(options ?? [])].flatMap((inner) =>
      inner === undefined ? [] : objectsIn(inner, place, seen),
    ),
  ];
}

function isOptional(field: z.core.$ZodType): boolean {
  return z.safeParse(field, undefined).success;
}

const optionalFields = withBody.flatMap(({ id, body }) =>
  objectsIn(body, id).flatMap(({ place, object }) =>
    Object.entries(object.shape)
      .filter(([, field]) => isOptional(field))
      .map(([name, field]) => ({ place: `${place}.${name}`, object, name, field })),
  ),
);

describe("null in an optional field", () => {
  it("is the same as none, or the field's own, in every object of every body", () => {
    expect(optionalFields.length).toBeGreaterThan(200);
    const refused = optionalFields.filter(({ object, name, field }) => {
      const read = withoutNulls(object, { [name]: null }) as object;
      return name in read && !z.safeParse(field, null).success;
    });
    expect(refused.map(({ place }) => place)).toEqual([]);
  });

  it.each(withBody)("is read in the body of $id as if it were not there", ({ body, example = {} }) => {
    const read = (value: unknown) => body.safeParse(withoutNulls(body, value));
    for (const { object } of objectsIn(body, "").filter(({ place }) => place === "")) {
      for (const [name, field] of Object.entries(object.shape)) {
        if (!isOptional(field) || z.safeParse(field, null).success) continue;
        const { [name]: _given, ...without } = example;
        const [absent, empty] = [read(without), read({ ...without, [name]: null })];
        expect([name, empty.success, empty.data]).toEqual([name, absent.success, absent.data]);
      }
    }
  });

  it("clears what is null in the resource, in every PATCH", () => {
    const kept = withBody
      .filter(({ method }) => method === "PATCH")
      .flatMap(({ id, body, responses }) => {
        const resource = responses[200]?.schema;
        if (!(body instanceof z.ZodObject) || !(resource instanceof z.ZodObject)) return [];
        return Object.entries(body.shape).flatMap(([name, field]) => {
          const shown = resource.shape[name];
          const isNullable = shown !== undefined && z.safeParse(shown, null).success;
          return isNullable && !z.safeParse(field, null).success ? [`${id}.${name}`] : [];
        });
      });
    // Null marks a trajectory that is gone and a run that nobody has, which no request can set.
    const content = ["trajectory_data", "expect", "checks", "reset"].map(
      (name) => `updateTrajectory.${name}`,
    );
    expect(kept).toEqual(["updateRun.assignment_id", ...content]);
  });

  it("stays a value among parameters, and in arrays", () => {
    const schema = z.strictObject({
      free: z.record(z.string(), z.unknown()).optional(),
      list: z.array(z.string()).optional(),
      many: z.array(z.strictObject({ own: z.string().optional() })).optional(),
      needed: z.string(),
      clears: z.string().nullable().optional(),
    });
    const value = { free: { a: null }, list: [null], many: [{ own: null }], needed: null, clears: null };
    expect(withoutNulls(schema, value)).toEqual({ ...value, many: [{}] });
    expect(withoutNulls(schema, { unknown: null })).toEqual({ unknown: null });
    expect(withoutNulls(schema.prefault({ needed: "" }), null)).toBeUndefined();
  });

  it("is read as the alternative has it that takes the rest", () => {
    const one = z.strictObject({ kind: z.literal("one"), a: z.string().optional() });
    const other = z.strictObject({ kind: z.literal("other"), a: z.string().nullable() });
    const schema = z.discriminatedUnion("kind", [one, other]);
    expect(withoutNulls(schema, { kind: "one", a: null })).toEqual({ kind: "one" });
    expect(withoutNulls(schema, { kind: "other", a: null })).toEqual({ kind: "other", a: null });
    expect(withoutNulls(schema, { kind: "none", a: null })).toEqual({ kind: "none", a: null });
  });
});

describe("the document", () => {
  it("says of every optional field of a request that it takes null", async () => {
    const document = await openApiDocument(allOperations);
    const components = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
    const seen = new Set<Schema>();
    const silent: string[] = [];
    const resolved = (schema: Schema) => components[referredName(schema) ?? ""] ?? schema;
    const takesNull = (schema: Schema): boolean =>
      schema.type === "null" ||
      alternativesOf(schema).some(takesNull) ||
      (referredName(schema) === undefined &&
        !("type" in schema) &&
        !("enum" in schema) &&
        alternativesOf(schema).length === 0);
    const visit = (place: string, given: Schema): void => {
      const schema = resolved(given);
      if (seen.has(schema)) return;
      seen.add(schema);
      for (const inner of innerSchemas(schema)) visit(place, inner);
      for (const [name, property] of propertiesOf(schema)) {
        const isRequired = ((schema.required ?? []) as readonly string[]).includes(name);
        if (!isRequired && !takesNull(property) && !takesNull(resolved(property)))
          silent.push(`${place}.${name}`);
      }
    };
    for (const { place, media } of contentsOf(document, "request")) {
      if (isSchema(media.schema)) visit(place, media.schema);
    }
    expect(seen.size).toBeGreaterThan(50);
    expect(silent).toEqual([]);
  });
});
