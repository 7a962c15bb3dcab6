import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { componentSchemas } from "../../../infra/openapi/document-parts.ts";
import { binaryExamples } from "../../../infra/openapi/example-values.ts";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import {
  alternativesOf,
  innerSchemas,
  isSchema,
  propertiesOf,
  referredName,
  type Schema,
} from "../../../infra/openapi/schema-tree.ts";
import { errorCodes } from "../../../shared/contract/errors.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import { addFormats } from "../../support/openapi/ajv-formats.ts";
import { contentsOf, operationsIn, schemasIn } from "../../support/openapi/document-parts.ts";
import { isSentence } from "../../support/openapi/is-sentence.ts";

const document = await openApiDocument(allOperations);
const components = componentSchemas(document);
const everySchema = schemasIn(document);
const answers = contentsOf(document, "response");

describe("what the document says of everything", () => {
  it("says of each component, and of each property where it stands, in a sentence what it is", () => {
    const said = everySchema.flatMap(({ place, schema }) => [
      ...(place in components ? [[place, schema.description] as const] : []),
      ...propertiesOf(schema).map(([name, property]) => [`${place}.${name}`, property.description] as const),
    ]);
    expect(said.length).toBeGreaterThan(1_000);
    expect(said.filter(([, text]) => !isSentence(text))).toEqual([]);
  });

  it("says of each operation, parameter, header, body and response in a sentence what it is", () => {
    const { parameters = {}, headers = {}, responses = {} } = document.components ?? {};
    const described = [parameters, headers, responses].flatMap((group) => Object.entries(group));
    const ofOperations = operationsIn(document).flatMap(({ route, operation }) => [
      ...(operation.description ? [[route, operation] as const] : []),
      ...(operation.parameters ?? []).map(
        (parameter, at) => [`${route} parameter ${at}`, parameter] as const,
      ),
      ...Object.entries(operation.responses ?? {}).map(
        ([status, one]) => [`${route} ${status}`, one] as const,
      ),
      ...(operation.requestBody === undefined ? [] : [[`${route} body`, operation.requestBody] as const]),
    ]);
    const said = [...described, ...ofOperations].flatMap(([place, one]) =>
      "$ref" in one ? [] : [[place, (one as { description?: string }).description] as const],
    );
    expect(said.filter(([, text]) => !isSentence(text))).toEqual([]);
  });
});

describe("an example", () => {
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(document as object, "document");

  it("is there for each response with a body", () => {
    const bare = answers.filter(({ media }) => media.example === undefined);
    expect(bare.map(({ place }) => place)).toEqual([]);
    const binary = answers.filter(({ media }) => isSchema(media.schema) && media.schema.format === "binary");
    expect(binary.map(({ type }) => type)).toEqual(expect.arrayContaining(Object.keys(binaryExamples)));
    for (const { media } of binary) expect(media.example).toMatch(/^data:/);
  });

  it.each([...answers, ...contentsOf(document, "request")].filter(({ type }) => type === "application/json"))(
    "fits its schema: $place",
    ({ pointer, media }) => {
      const validate = ajv.compile({ $ref: `document#${pointer}/schema` });
      validate(media.example);
      expect(validate.errors).toBeNull();
    },
  );
});

describe("an example of a property", () => {
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(document as object, "document");

  it("fits the property", () => {
    const examples = Object.entries(components).flatMap(([name, schema]) =>
      propertiesOf(schema).flatMap(([property, { examples: given = [] }]) =>
        (given as readonly unknown[]).map((example) => ({ name, property, example })),
      ),
    );
    expect(examples.length).toBeGreaterThan(150);
    const wrong = examples.filter(({ name, property, example }) => {
      const $ref = `document#/components/schemas/${name}/properties/${property}`;
      return !ajv.compile({ $ref })(example);
    });
    expect(wrong).toEqual([]);
  });
});

describe("a schema that generators understand", () => {
  it("names each object with properties", () => {
    const inline = everySchema.filter(
      ({ place, schema }) => "properties" in schema && !(place in components),
    );
    expect(inline.map(({ place }) => place)).toEqual([]);
  });

  it("has alternatives with names, or of plain types; no union inside a union; null last", () => {
    const wrong = everySchema.filter(({ schema }) => {
      const alternatives = alternativesOf(schema);
      const isNamed = (one: Schema) => referredName(one) !== undefined || !isUnionOrObject(one);
      const nullAt = alternatives.findIndex(({ type }) => type === "null");
      return !alternatives.every(isNamed) || (nullAt !== -1 && nullAt !== alternatives.length - 1);
    });
    expect(wrong.map(({ place }) => place)).toEqual([]);
  });

  it("tells the alternatives of oneOf apart by a required property with one value each", () => {
    const unions = everySchema.filter(({ schema }) => "oneOf" in schema);
    expect(unions.length).toBeGreaterThan(3);
    for (const { place, schema } of unions) {
      const { propertyName, mapping } = schema.discriminator as { propertyName: string; mapping: object };
      const values = alternativesOf(schema).map((one) => {
        const alternative = components[referredName(one) ?? ""] ?? {};
        expect(alternative.required, place).toContain(propertyName);
        const property = Object.fromEntries(propertiesOf(alternative))[propertyName];
        expect(property?.enum, place).toHaveLength(1);
        return String(property?.enum);
      });
      expect(Object.keys(mapping).sort(), place).toEqual(values.sort());
      expect(Object.values(mapping).sort(), place).toEqual(
        alternativesOf(schema)
          .map(({ $ref }) => $ref)
          .sort(),
      );
    }
  });

  it("writes values as an enum of one type, and never as a constant", () => {
    const wrong = everySchema.filter(({ schema }) => {
      const types = new Set(((schema.enum ?? []) as readonly unknown[]).map((value) => typeof value));
      return "const" in schema || types.size > 1 || Array.isArray(schema.type) || "nullable" in schema;
    });
    expect(wrong.map(({ place }) => place)).toEqual([]);
  });
});

describe("a response", () => {
  it("may get more fields and codes without a change of the document", () => {
    const names = new Set<string>();
    const visit = (schema: Schema): void => {
      const name = referredName(schema);
      if (name !== undefined && names.has(name)) return;
      if (name !== undefined) names.add(name);
      const found = name === undefined ? schema : (components[name] ?? {});
      expect(found.additionalProperties, name).not.toBe(false);
      for (const inner of innerSchemas(found)) visit(inner);
    };
    for (const { media } of answers) if (isSchema(media.schema)) visit(media.schema);
    const { error_code: code } = Object.fromEntries(propertiesOf(components.ErrorBody ?? {}));
    expect(code?.anyOf).toEqual([{ type: "string" }, { type: "null" }]);
    for (const known of errorCodes) expect(code?.description).toContain(`\`${known}\``);
  });
});

function isUnionOrObject(schema: Schema): boolean {
  return alternativesOf(schema).length > 0 || "properties" in schema || "allOf" in schema;
}
