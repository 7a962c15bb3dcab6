import type { oas32, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from "zod-openapi";
import {
  jsonBodyBytesMax,
  type Operation,
  type OperationResponse,
} from "../../shared/contract/operations/operation.ts";
import { headerRefs, type ResponseHeader, rateLimitHeaders } from "./headers.ts";
import { endHeaders, endOf } from "./operation-end.ts";
import {
  assignmentIdParameter,
  idempotencyKeyParameter,
  ifMatchParameter,
  ifNoneMatchParameter,
} from "./parameters.ts";
import { isWrite, type Refusal, refusalsOf } from "./refusals.ts";
import { withRules } from "./rules.ts";

export function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const { access, body, form, pathParameters, query } = operation;
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: describe(operation),
    ...(endOf(operation) === undefined ? {} : { deprecated: true }),
    ...(access === "bearer" ? {} : { security: access === "public" ? [] : [{}, { bearer: [] }] }),
    requestParams: {
      ...(pathParameters === undefined ? {} : { path: pathParameters }),
      ...(query === undefined ? {} : { query }),
    },
    parameters: [
      ...(isWrite(operation) ? [parameterRef(idempotencyKeyParameter)] : []),
      ...(operation.step === undefined ? [] : [parameterRef(assignmentIdParameter)]),
      ...(operation.takesIfMatch === true ? [parameterRef(ifMatchParameter)] : []),
      ...(304 in operation.responses ? [parameterRef(ifNoneMatchParameter)] : []),
    ],
    ...(body === undefined ? {} : { requestBody: requestBody(operation, body) }),
    ...(form === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            description: "A form with one file.",
            content: { "multipart/form-data": { schema: form } },
          },
        }),
    responses: Object.fromEntries([
      ...Object.entries(operation.responses).map(([status, response]) => [
        status,
        responseObject(operation, response),
      ]),
      ...refusalsOf(operation)
        .filter(({ status }) => !(status in operation.responses))
        .map((refusal) => [refusal.status, refusalObject(refusal)]),
      ...(operation.isTunnelled === true ? [["4XX", { $ref: "#/components/responses/DriverRejected" }]] : []),
    ]),
  };
}

/** A rule of the query as a whole has no place in a parameter. */
function describe({ description, query, scopes, end }: Operation): string {
  const needed = scopes?.map((scope) => `\`${scope}\``).join(" or ");
  const ends =
    end && `Deprecated since ${end.deprecatedOn}; may be gone from ${end.goneOn} on. ${end.instead}`;
  const said = query === undefined ? description : withRules(description, query);
  return [said, ends, needed === undefined ? undefined : `Scope: ${needed}.`]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

function parameterRef({ name }: oas32.ParameterObject): { $ref: string } {
  return { $ref: `#/components/parameters/${name}` };
}

function requestBody(
  { example, bodyBytesMax = jsonBodyBytesMax }: Operation,
  schema: NonNullable<Operation["body"]>,
) {
  const bytes = bodyBytesMax.toLocaleString("en-US");
  const required = !schema.safeParse(undefined).success;
  return {
    required,
    description: `A body of at most ${bytes} bytes${required ? "" : "; none, or `null`, is the same as `{}`"}. No name in it is \`__proto__\`.`,
    content: { "application/json": { schema, ...(example === undefined ? {} : { example }) } },
  };
}

function responseObject(operation: Operation, response: OperationResponse): ZodOpenApiResponseObject {
  const names: ResponseHeader[] = [
    "X-Request-Id",
    ...(isWrite(operation) ? (["Idempotency-Status"] as const) : []),
    ...(operation.isTagged === true ? (["ETag"] as const) : []),
    ...(operation.access === "bearer" ? rateLimitHeaders : []),
  ];
  const ownHeaders = { ...response.headers, ...(operation.end === undefined ? {} : endHeaders) };
  const own = Object.entries(ownHeaders).map(([name, header]) => [
    name,
    { ...header, schema: { type: "string" } },
  ]);
  const content = contentOf(response);
  return {
    description: response.description,
    headers: { ...headerRefs(...names), ...Object.fromEntries(own) },
    ...(content === undefined ? {} : { content }),
  };
}

function contentOf({ schema, contentType }: OperationResponse): ZodOpenApiResponseObject["content"] {
  if (schema !== undefined) return { "application/json": { schema } };
  if (contentType === undefined) return undefined;
  if (contentType.startsWith("text/")) return { [contentType]: { schema: { type: "string" } } };
  // Client generators can handle bytes of any type.
  const types = contentType === "*/*" ? ["application/octet-stream", contentType] : [contentType];
  return Object.fromEntries(types.map((type) => [type, { schema: { type: "string", format: "binary" } }]));
}

function refusalObject({ status, meaning }: Refusal): ZodOpenApiResponseObject | { $ref: string } {
  const $ref = `#/components/responses/${refusalName(status)}`;
  return meaning === undefined ? { $ref } : { $ref, description: meaning };
}

export function refusalName(status: number): string {
  return `Refusal${status}`;
}
