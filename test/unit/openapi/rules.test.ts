import { describe, expect, it } from "vitest";
import * as z from "zod";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { requestText } from "../../support/openapi/operation-text.ts";
import { saidRules } from "../../support/openapi/said-rules.ts";

const operations: readonly Operation[] = allOperations;
const document = await openApiDocument(operations);

interface Placed {
  readonly place: string;
  readonly schema: z.core.$ZodTypes;
}

function innerOf(schema: z.core.$ZodTypes): readonly (readonly [string, z.core.$ZodType])[] {
  const { def } = schema._zod;
  switch (def.type) {
    case "object":
      return Object.entries(def.shape);
    case "array":
      return [["[]", def.element]];
    case "record":
      return [
        ["{name}", def.keyType],
        ["{}", def.valueType],
      ];
    case "union":
      return def.options.map((option, at) => [String(at), option] as const);
    case "pipe":
      return [
        ["in", def.in],
        ["out", def.out],
      ];
    case "lazy":
      return [["lazy", def.getter()]];
    default:
      return "innerType" in def ? [["", def.innerType]] : [];
  }
}

/** What is inside of a schema with `wire` is described by that alone. */
function schemasIn(
  place: string,
  given: z.core.$ZodType,
  seen = new Set<z.core.$ZodType>(),
): readonly Placed[] {
  const schema = given as z.core.$ZodTypes;
  if (seen.has(schema)) return [];
  seen.add(schema);
  const inner = "wire" in metaOf(schema) ? [] : innerOf(schema);
  return [{ place, schema }, ...inner.flatMap(([name, one]) => schemasIn(`${place}.${name}`, one, seen))];
}

function metaOf(schema: z.core.$ZodType): Readonly<Record<string, unknown>> {
  return z.globalRegistry.get(schema) ?? {};
}

/** The functions of a schema that may refuse a value; a transform refuses by its second argument. */
function refinementsOf({ _zod: { def } }: z.core.$ZodTypes): number {
  const checks = (def.checks ?? []).filter((check) => check._zod.def.check === "custom");
  const out = def.type === "pipe" ? (def.out as z.core.$ZodTypes)._zod.def : undefined;
  return checks.length + (out?.type === "transform" && out.transform.length > 1 ? 1 : 0);
}

const keywords = ["maxLength", "maxProperties", "pattern", "uniqueItems"] as const;

/** A `not` of several alternatives stands for as many refinements. */
function saidOf(schema: z.core.$ZodType): number {
  const meta = metaOf(schema);
  const { anyOf = [{}] } = (meta.not ?? { anyOf: [] }) as { readonly anyOf?: readonly unknown[] };
  const says = (meta.says ?? []) as readonly string[];
  const known = keywords.filter((keyword) => keyword in meta);
  return ("wire" in meta ? 1 : 0) + anyOf.length + says.length + known.length;
}

const requests = operations.map(({ id, path, query, body, pathParameters }) => {
  const parts = { path: pathParameters, query, body };
  const schemas = Object.entries(parts).flatMap(([part, schema]) =>
    schema === undefined ? [] : schemasIn(part, schema),
  );
  return { id, path, schemas };
});

describe("what a request is refused for beyond its schema", () => {
  it.each(saidRules.flatMap(({ said, by }) => by.map((id) => [id, said] as const)))(
    "%s says: %s",
    (id, said) => {
      expect(requestText(document, id)).toContain(said);
    },
  );
});

describe("what a request's schema asks by a function", () => {
  it.each(requests)("is said beside it, for each of them, by $id", ({ schemas }) => {
    const unsaid = schemas.filter(({ schema }) => refinementsOf(schema) > saidOf(schema));
    expect(unsaid.map(({ place }) => place)).toEqual([]);
  });

  it.each(requests)("is in the document's words of $id", ({ id, schemas }) => {
    const text = requestText(document, id);
    const says = schemas.flatMap(({ schema }) => (metaOf(schema).says ?? []) as readonly string[]);
    const missing = [...new Set(says)].filter(
      (sentence) => !text.includes(JSON.stringify(sentence).slice(1, -1)),
    );
    expect(missing).toEqual([]);
  });
});
