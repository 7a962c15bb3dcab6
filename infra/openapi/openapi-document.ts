import { createDocument, type ZodOpenApiObject } from "zod-openapi";
import type { Operation } from "../../shared/contract/operations/operation.ts";
import { contractSchemas } from "./contract-schemas.ts";
import { apiDescription } from "./description.ts";
import { responseHeaders } from "./headers.ts";
import type { OpenApiDocument } from "./openapi-types.ts";
import { operationObject } from "./operation-object.ts";
import {
  assignmentIdParameter,
  describeParameter,
  idempotencyKeyParameter,
  ifNoneMatchParameter,
} from "./parameters.ts";
import { refusalResponses } from "./refusal-responses.ts";
import { describeSchema } from "./schema-override.ts";
import { tagObjects } from "./tags.ts";
import { withUsedSchemas } from "./used-schemas.ts";

/** Version of the API's description, which the specification fixes; not the service's. */
const apiVersion = "1.0.0";

/** The OpenAPI 3.1 document of these operations, from the schemas that validate them. */
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
      servers: [{ url: "/", description: "Where this document came from." }],
      security: [{ bearer: [] }],
      tags: tagObjects([...new Set(operations.map(({ tag }) => tag))]),
      paths,
      components: {
        schemas: Object.fromEntries(await contractSchemas()),
        headers: responseHeaders,
        parameters: {
          "Idempotency-Key": idempotencyKeyParameter,
          [assignmentIdParameter.name]: assignmentIdParameter,
          "If-None-Match": ifNoneMatchParameter,
        },
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
      // `z.custom` stands for "any JSON value", which is what an empty schema says. Transforms are of bodies that no
      // operation has yet: those are taken for responses, and pruned.
      allowEmptySchema: { custom: true, pipe: { output: true }, transform: { output: true } },
    },
  );
  describeParameters(document);
  return withUsedSchemas(document);
}

function describeParameters({ paths }: OpenApiDocument): void {
  for (const item of Object.values(paths ?? {})) {
    for (const method of ["get", "post", "put", "patch", "delete"] as const) {
      const operation = item[method];
      if (operation?.parameters === undefined) continue;
      operation.parameters = operation.parameters.map((parameter) =>
        "$ref" in parameter ? parameter : describeParameter(parameter),
      );
    }
  }
}
