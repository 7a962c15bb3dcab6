import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { componentSchemas, type OpenApiDocument } from "../../../infra/openapi/document-parts.ts";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { propertiesOf } from "../../../infra/openapi/schema-tree.ts";
import { errorCodes } from "../../../shared/contract/errors.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import { addFormats } from "./ajv-formats.ts";

export interface SeenAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

interface AnswerObject {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  readonly headers?: Readonly<Record<string, { readonly $ref?: string }>>;
}

interface DescribedRoute {
  readonly method: string;
  readonly pattern: RegExp;
  readonly parameters: number;
  readonly responses: Readonly<Record<string, AnswerObject>>;
  readonly pointer: string;
}

const documentId = "https://document.local/openapi.json";

/**
 * Checks responses against the OpenAPI document: status, content type, body (an undescribed field fails) and the
 * request's id. Returns one sentence per problem; none means that the response conforms.
 *
 * An unknown route is judged by the body of a refusal.
 */
export async function createConformance(): Promise<(answer: SeenAnswer) => readonly string[]> {
  const document = closed(await openApiDocument(allOperations));
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(document as object, documentId);
  const routes = routesOf(document);
  const compiled = new Map<string, ValidateFunction>();

  const validatorOf = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `${documentId}#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };

  return (answer) => {
    const route = findRoute(routes, answer);
    const found = route === undefined ? undefined : responseOf(document, route, answer.status);
    if (route !== undefined && found === undefined) return [`status ${answer.status} is not described`];
    const { pointer, response } = found ?? refusalOf(document, answer.status);
    const type = (answer.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
    const described = Object.keys(response.content ?? {});
    if (described.length === 0) return answer.body === undefined ? [] : [`${answer.status} has a body`];
    if (described.includes("*/*")) return [];
    if (!described.includes(type)) return [`content type ${type} is not described for ${answer.status}`];
    if (type !== "application/json") return [];
    const validate = validatorOf(`${pointer}/content/application~1json/schema`);
    if (!validate(answer.body)) {
      return (validate.errors ?? []).map(({ instancePath, message, params }) => {
        return `body${instancePath} ${message} ${JSON.stringify(params)}`;
      });
    }
    return isGateways(answer.body) || answer.headers.has("x-request-id") ? [] : ["there is no X-Request-Id"];
  };
}

/** Closes lists that clients must expect to grow: responses may have only the fields and codes of this release. */
function closed(document: OpenApiDocument): OpenApiDocument {
  const schemas = componentSchemas(document);
  for (const schema of Object.values(schemas)) {
    if ("properties" in schema) schema.additionalProperties ??= false;
  }
  const { error_code: errorCode = {} } = Object.fromEntries(propertiesOf(schemas.ErrorBody ?? {}));
  errorCode.enum = [...errorCodes, null];
  return document;
}

/** Whether a body is API Gateway's own, which has nothing but a message. */
function isGateways(body: unknown): boolean {
  return typeof body === "object" && body !== null && Object.keys(body).join() === "message";
}

function routesOf(document: OpenApiDocument): readonly DescribedRoute[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    (["get", "post", "put", "patch", "delete"] as const).flatMap((method) => {
      const responses = item[method]?.responses;
      if (responses === undefined) return [];
      const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]*")}$`);
      const pointer = `/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`;
      const parameters = path.split("{").length - 1;
      return [{ method: method.toUpperCase(), pattern, parameters, responses, pointer: encodeURI(pointer) }];
    }),
  );
}

function findRoute(
  routes: readonly DescribedRoute[],
  { method, path }: SeenAnswer,
): DescribedRoute | undefined {
  const pathname = path.split("?")[0] ?? "";
  return routes
    .filter((route) => route.method === method && route.pattern.test(pathname))
    .sort((a, b) => a.parameters - b.parameters)[0];
}

function responseOf(document: OpenApiDocument, { responses, pointer }: DescribedRoute, status: number) {
  const ranged = status >= 400 && status < 500 && "4XX" in responses ? "4XX" : undefined;
  const key = String(status) in responses ? String(status) : ranged;
  const response = key === undefined ? undefined : responses[key];
  if (response === undefined) return undefined;
  return response.$ref === undefined
    ? { pointer: `${pointer}/responses/${key}`, response }
    : componentOf(document, response.$ref);
}

function refusalOf(document: OpenApiDocument, status: number) {
  const $ref = `#/components/responses/Refusal${status}`;
  return componentOf(document, $ref);
}

function componentOf(document: OpenApiDocument, $ref: string): { pointer: string; response: AnswerObject } {
  const name = $ref.split("/").at(-1) ?? "";
  const response = document.components?.responses?.[name] as AnswerObject | undefined;
  if (response === undefined) throw new Error(`the document describes no ${$ref}`);
  return { pointer: $ref.slice(1), response };
}
