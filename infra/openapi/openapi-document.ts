import { createDocument, type oas32, type ZodOpenApiObject } from "zod-openapi";
import type { Operation } from "../../shared/contract/operations/operation.ts";
import { contractSchemas } from "./contract-schemas.ts";
import { apiDescription } from "./description.ts";
import { componentSchemas, documentedOperations, type OpenApiDocument } from "./document-parts.ts";
import { binaryExamples, createExampleMaker } from "./example-values.ts";
import { responseHeaders } from "./headers.ts";
import { addLinks } from "./links.ts";
import { operationObject } from "./operation-object.ts";
import { describeParameter, requestHeaderParameters } from "./parameters.ts";
import { refusalResponses } from "./refusal-responses.ts";
import { describeSchema } from "./schema-override.ts";
import type { Schema } from "./schema-tree.ts";
import { speakPlainly } from "./speak-plainly.ts";
import { tagObjects } from "./tags.ts";
import { takeNulls } from "./take-nulls.ts";
import { withUsedSchemas } from "./used-schemas.ts";
import { webhookObjects } from "./webhooks.ts";

/** The specification fixes the version of the API's description, which is not the service's. */
const apiVersion = "1.0.0";

export async function openApiDocument(operations: readonly Operation[]): Promise<OpenApiDocument> {
  const paths: NonNullable<ZodOpenApiObject["paths"]> = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase() as Lowercase<Operation["method"]>;
    paths[operation.path] = { ...paths[operation.path], [method]: operationObject(operation) };
  }
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Desktop Automation Service",
        version: apiVersion,
        description: apiDescription,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/", description: "The host that this document came from." }],
      security: [{ bearer: [] }],
      tags: tagObjects([...new Set(operations.map(({ tag }) => tag))]),
      paths,
      webhooks: webhookObjects(),
      components: {
        schemas: Object.fromEntries(await contractSchemas()),
        headers: responseHeaders,
        parameters: Object.fromEntries(requestHeaderParameters.map((one) => [one.name, one])),
        responses: refusalResponses(operations),
        securitySchemes: {
          bearer: {
            type: "http",
            scheme: "bearer",
            description:
              "An API key, or the token of a dashboard session, which has the scopes `read`, `write` and `admin`; `admin` is all of `write`, too.",
          },
        },
      },
    },
    {
      override: describeSchema,
      // Transforms are in bodies without an operation, which are treated as responses and pruned.
      allowEmptySchema: { custom: true, pipe: { output: true }, transform: { output: true } },
    },
  );
  describeParameters(document);
  const used = withUsedSchemas(document);
  Object.values(componentSchemas(used)).forEach(speakPlainly);
  takeNulls(used);
  showExamples(used);
  addLinks(used);
  return used;
}

function showExamples(document: OpenApiDocument): void {
  const exampleOf = createExampleMaker(componentSchemas(document));
  for (const [event_type, { post }] of Object.entries(document.webhooks ?? {})) {
    const { content = {} } = (post?.requestBody ?? {}) as Partial<oas32.RequestBodyObject>;
    for (const media of Object.values(content)) {
      const { schema } = media as oas32.MediaTypeObject;
      Object.assign(media, { example: Object.assign(exampleOf(schema as Schema) as object, { event_type }) });
    }
  }
  const described = [
    ...documentedOperations(document).flatMap(({ operation }) => Object.values(operation.responses ?? {})),
    ...Object.values(document.components?.responses ?? {}),
  ];
  for (const { content = {} } of described) {
    for (const [type, media] of Object.entries(content) as [string, oas32.MediaTypeObject][]) {
      media.example ??= binaryExamples[type] ?? exampleOf(media.schema as Schema);
    }
  }
}

function describeParameters(document: OpenApiDocument): void {
  for (const { operation } of documentedOperations(document)) {
    if (operation.parameters === undefined) continue;
    operation.parameters = operation.parameters.map((parameter) =>
      "$ref" in parameter ? parameter : describeParameter(parameter),
    );
  }
}
