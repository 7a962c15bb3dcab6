import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { componentSchemas } from "../../../infra/openapi/document-parts.ts";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import type { Schema } from "../../../infra/openapi/schema-tree.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { withoutNulls } from "../../../shared/http/request/without-nulls.ts";
import { addFormats } from "../../support/openapi/ajv-formats.ts";
import { operationsIn } from "../../support/openapi/document-parts.ts";
import { valuesNear } from "../../support/openapi/values-near.ts";

const operations: readonly Operation[] = allOperations;
const document = await openApiDocument(operations);
const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema(document as object, "document");
const components = componentSchemas(document);

/** Requests refused for reasons that no schema can express: sums, bytes, references. */
const beyondSchemas = [
  /\bbytes\b/,
  / in all$|together (have|are) at most|with the shared ones|files times count/,
  /reference|session_alias|alias does not begin/,
  /another name of/,
  /each id may be given once|of the years 1970|service account's key file/,
];

const withBodies = operations.flatMap((operation) => {
  const described = operationsIn(document).find((one) => one.operation.operationId === operation.id);
  return operation.body === undefined || described === undefined
    ? []
    : [{ id: operation.id, body: operation.body, example: operation.example, pointer: described.pointer }];
});

describe("a body that is generated near what the document describes", () => {
  it.each(withBodies)(
    "is refused by $id exactly where its schema refuses it",
    ({ body, example, pointer }) => {
      const $ref = `${pointer}/requestBody/content/application~1json/schema`;
      const fits = ajv.compile({ $ref: `document#${$ref}` });
      const schema = at(decodeURI($ref));
      fc.assert(
        fc.property(valuesNear(schema, { components }, example), (value) => {
          const parsed = body.safeParse(withoutNulls(body, value));
          if (parsed.success) return expectOf(fits(value), true, fits.errors);
          const isBeyond = parsed.error.issues.every(
            ({ code, message }) => code === "custom" && beyondSchemas.some((reason) => reason.test(message)),
          );
          return isBeyond || expectOf(fits(value), false, parsed.error.issues);
        }),
        { seed: 20_261_123, numRuns: 150 },
      );
    },
  );
});

function expectOf(fits: boolean, expected: boolean, why: unknown): boolean {
  expect(fits, JSON.stringify(why)?.slice(0, 500)).toBe(expected);
  return true;
}

function at(pointer: string): Schema {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (value, key) => (value as Schema)[key.replaceAll("~1", "/").replaceAll("~0", "~")],
      document,
    ) as Schema;
}
