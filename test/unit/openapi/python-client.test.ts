import { describe, expect, it } from "vitest";
import type { OpenApiDocument } from "../../../infra/openapi/document-parts.ts";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import { pythonClientWarnings } from "../../support/openapi/python-client-rules.ts";

const object = { type: "object" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function withSchemas(schemas: object, operation: object = {}): OpenApiDocument {
  return {
    components: { schemas },
    paths: { "/a": { get: { operationId: "getA", ...operation } } },
  } as never;
}

describe("a client in Python", () => {
  it("is made by openapi-python-client without a warning", async () => {
    expect(pythonClientWarnings(await openApiDocument(allOperations))).toEqual([]);
  });

  it.each<[string, OpenApiDocument, string]>([
    [
      "two models of one name",
      withSchemas({ AB: object, A: { ...object, properties: { b: object } } }),
      "A.b: duplicate models with the name AB",
    ],
    [
      "two enums of one name with other values",
      withSchemas({
        AB: { type: "string", enum: ["x"] },
        A: { ...object, properties: { b: { type: "string", enum: ["y"] } } },
      }),
      "A.b: conflicting enums named AB",
    ],
    ["an enum of several types", withSchemas({ A: { enum: ["x", 1] } }), "A: an enum of string and number"],
    [
      "values that differ by case alone",
      withSchemas({ A: { enum: ["x", "X"] } }),
      "A: values with one name in x, X",
    ],
    [
      "properties that have one name in Python",
      withSchemas({ A: { ...object, properties: { oneTwo: {}, one_two: {} } } }),
      "A: conflicting properties oneTwo and one_two",
    ],
    [
      "a default of another type",
      withSchemas({ A: { ...object, properties: { b: { type: "integer", default: "1" } } } }),
      'A.b: default "1"',
    ],
    ["an array of what is not said", withSchemas({ A: { type: "array" } }), "A: an array without items"],
    [
      "a reference to nothing",
      withSchemas({ A: { ...object, properties: { b: ref("B") } } }),
      "A.b: no reference B",
    ],
    [
      "conditions as alternatives",
      withSchemas({ A: { ...object, oneOf: [{ required: ["b"] }, { required: ["c"] }] } }),
      "A: a union of conditions",
    ],
    [
      "an inline alternative beside a discriminator",
      withSchemas({ A: { oneOf: [object, ref("B")], discriminator: { propertyName: "b" } }, B: object }),
      "A: an inline schema beside a discriminator",
    ],
    [
      "a response of bytes that it does not know",
      withSchemas({}, { responses: { 200: { content: { "image/gif": {} } } } }),
      "GET /a 200: unsupported content type image/gif",
    ],
    [
      "a list in a header",
      withSchemas({}, { parameters: [{ name: "B", in: "header", schema: { type: "array", items: {} } }] }),
      "GET /a: B is not allowed in header",
    ],
    [
      "parameters that have one name in Python",
      withSchemas(
        {},
        {
          parameters: [
            { name: "b-c", in: "query", schema: { type: "string" } },
            { name: "b_c", in: "query", schema: { type: "string" } },
          ],
        },
      ),
      "GET /a: parameters with the identifier b_c",
    ],
  ])("would lack %s", (_what, document, warning) => {
    expect(pythonClientWarnings(document)).toContain(warning);
  });
});
