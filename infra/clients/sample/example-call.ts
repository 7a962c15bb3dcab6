import type { oas32 } from "zod-openapi";
import {
  componentSchemas,
  documentedOperations,
  type OpenApiDocument,
} from "../../openapi/document-parts.ts";
import { createExampleMaker } from "../../openapi/example-values.ts";
import { propertiesOf, referredName, type Schema } from "../../openapi/schema-tree.ts";
import { contentOf, successContentOf } from "../models/content.ts";
import type { ExampleCall } from "./call.ts";

/** Returns a call of each operation, in the order of the document. */
export function exampleCalls(document: OpenApiDocument): readonly ExampleCall[] {
  const exampleOf = createExampleMaker(componentSchemas(document));
  return documentedOperations(document).map(({ operation }) => {
    const parameters = (operation.parameters ?? []).filter((one) => "in" in one);
    const valuesIn = (place: string) =>
      Object.fromEntries(
        parameters
          .filter(({ in: where, required }) => where === place && required === true)
          .map(({ name, example, schema }) => [name, example ?? exampleOf(schema as Schema)]),
      );
    return {
      id: operation.operationId ?? "",
      path: valuesIn("path"),
      query: valuesIn("query"),
      ...sentBy(operation, componentSchemas(document)),
      returns: returnsOf(operation),
    };
  });
}

function sentBy(
  { requestBody }: oas32.OperationObject,
  components: Readonly<Record<string, Schema>>,
): Pick<ExampleCall, "body" | "fileField"> {
  const content = contentOf(requestBody);
  const form = content["multipart/form-data"]?.schema as Schema | undefined;
  if (form !== undefined) {
    const [field] = propertiesOf(components[referredName(form) ?? ""] ?? form);
    return { fileField: field?.[0] ?? "" };
  }
  const { example } = content["application/json"] ?? {};
  return example === undefined ? {} : { body: example };
}

function returnsOf(operation: oas32.OperationObject): ExampleCall["returns"] {
  const [type] = Object.keys(successContentOf(operation));
  if (type === undefined) return "nothing";
  return type === "application/json" ? "json" : "bytes";
}
