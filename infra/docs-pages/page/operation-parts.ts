import type { oas32 } from "zod-openapi";
import type { OperationAt } from "../../openapi/document-parts.ts";
import type { Schema } from "../../openapi/schema-tree.ts";
import { type Reference, resolved } from "../reference.ts";
import type { Field } from "../schema/fields.ts";

export type ParameterPlace = "path" | "query" | "header";

export interface OperationParts {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly isPublic: boolean;
  readonly parameters: Readonly<Record<ParameterPlace, readonly Field[]>>;
  readonly body?: {
    readonly schema: Schema;
    readonly description: string;
    readonly isRequired: boolean;
    readonly isForm: boolean;
  };
  readonly responses: readonly ResponseParts[];
}

interface ResponseParts {
  readonly status: string;
  readonly description: string;
  readonly headers: readonly Field[];
  readonly contentType?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** Headers that have a page's place elsewhere: the service responds so to every call. */
const headersOfAll: ReadonlySet<string> = new Set([
  "X-Request-Id",
  "Idempotency-Status",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
]);

/** An operation of the document without references to parts of it that are not schemas. */
export function operationParts(
  { document }: Reference,
  { method, path, operation }: OperationAt,
): OperationParts {
  const parameters = (operation.parameters ?? []).map((one) =>
    resolved<oas32.ParameterObject>(document, one as oas32.ParameterObject),
  );
  const fieldsIn = (place: ParameterPlace) =>
    parameters.filter((one) => one.in === place).map((one) => fieldOf(one.name, one));
  const body = bodyOf(operation);
  return {
    id: operation.operationId ?? "",
    method,
    path,
    summary: operation.summary ?? "",
    description: operation.description ?? "",
    isDeprecated: operation.deprecated === true,
    isPublic: operation.security?.length === 0,
    parameters: { path: fieldsIn("path"), query: fieldsIn("query"), header: fieldsIn("header") },
    ...(body && { body }),
    responses: Object.entries(operation.responses ?? {}).map(([status, response]) =>
      responseOf(document, status, response as oas32.ResponseObject),
    ),
  };
}

function bodyOf({ requestBody }: oas32.OperationObject): OperationParts["body"] {
  if (requestBody === undefined || "$ref" in requestBody) return undefined;
  const [type, media] = Object.entries(requestBody.content)[0] ?? [];
  if (media === undefined) return undefined;
  return {
    schema: (media as oas32.MediaTypeObject).schema as Schema,
    description: requestBody.description ?? "",
    isRequired: requestBody.required === true,
    isForm: type !== "application/json",
  };
}

function responseOf(
  document: Reference["document"],
  status: string,
  response: oas32.ResponseObject | oas32.ReferenceObject,
): ResponseParts {
  const { description = "", headers = {}, content = {} } = resolved(document, response);
  const [contentType, media] = Object.entries(content)[0] ?? [];
  const { schema, example } = (media ?? {}) as oas32.MediaTypeObject;
  return {
    status,
    description,
    headers: Object.entries(headers)
      .filter(([name]) => !headersOfAll.has(name))
      .map(([name, header]) =>
        fieldOf(name, resolved<oas32.HeaderObject>(document, header as oas32.HeaderObject)),
      ),
    ...(contentType !== undefined && { contentType }),
    ...(schema !== undefined && { schema: schema as Schema }),
    ...(example !== undefined && { example }),
  };
}

function fieldOf(name: string, part: oas32.ParameterObject | oas32.HeaderObject): Field {
  const { schema, description, required, deprecated, example } = part;
  return {
    name,
    schema: (schema ?? {}) as Schema,
    isRequired: required === true,
    isDeprecated: deprecated === true,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
  };
}
