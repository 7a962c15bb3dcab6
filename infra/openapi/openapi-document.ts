import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as z from "zod";
import { type CreateDocumentOptions, createDocument, type oas32, type ZodOpenApiObject } from "zod-openapi";
import type { Operation } from "../../shared/contract/operations/operation.ts";
import { apiDescription } from "./description.ts";
import { componentSchemas, documentedOperations, type OpenApiDocument } from "./document-parts.ts";
import { binaryExamples, createExampleMaker } from "./example-values.ts";
import { responseHeaders } from "./headers.ts";
import { addLinks } from "./links.ts";
import { operationObject } from "./operation-object.ts";
import { describeParameter, requestHeaderParameters } from "./parameters.ts";
import { makePatternsPortable } from "./portable-patterns.ts";
import { refusalResponses } from "./refusal-responses.ts";
import { withRules } from "./rules.ts";
import {
  alternativesOf,
  innerSchemas,
  isSchema,
  nameOfReference,
  type Schema,
  schemaPrefix,
} from "./schema-tree.ts";
import { tagObjects } from "./tags.ts";
import { takeNulls } from "./take-nulls.ts";
import { webhookObjects, webhookTag } from "./webhooks.ts";

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
      tags: tagObjects([...new Set([...operations.map(({ tag }) => tag), webhookTag])]),
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
  makePatternsPortable(used);
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

/** A request's and a response's schema need two names only where both exist. */
function withUsedSchemas(document: OpenApiDocument): OpenApiDocument {
  const { schemas = {}, ...components } = document.components ?? {};
  const used = namesIn({ ...document, components }, schemas);
  const nameOf = (name: string): string => {
    const short = name.replace(/Output$/, "");
    return used.has(short) ? name : short;
  };
  const kept = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => [nameOf(name), schema] as const)
    .sort(([a], [b]) => a.localeCompare(b));
  const result = { ...document, components: { ...components, schemas: Object.fromEntries(kept) } };
  return JSON.parse(
    JSON.stringify(result, (_key, value: unknown) => {
      // The name is in a reference, or in a discriminator's mapping.
      const name = nameOfReference(value);
      return name === undefined ? value : `${schemaPrefix}${nameOf(name)}`;
    }),
  ) as OpenApiDocument;
}

function namesIn(root: unknown, schemas: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const name = key === "$ref" ? nameOfReference(inner) : undefined;
      if (name === undefined) visit(inner);
      else if (!used.has(name)) {
        used.add(name);
        visit(schemas[name]);
      }
    }
  };
  visit(root);
  return used;
}

/** These formats say in a word what zod's patterns say in ten lines. */
const formats: ReadonlySet<unknown> = new Set(["uuid", "date-time", "uri"]);

const texts: ReadonlySet<string> = new Set(["description", "examples", "default"]);

/** `wire` describes how a value is written where that is not its type, `says` what no keyword does (`rules.ts`). */
const describeSchema: NonNullable<CreateDocumentOptions["override"]> = ({ zodSchema, jsonSchema, io }) => {
  const schema = jsonSchema as Record<string, unknown>;
  const { def } = zodSchema._zod;
  // These bounds only mean "any integer that a double holds".
  if (def.type === "number") {
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  }
  const meta = z.globalRegistry.get(zodSchema as z.core.$ZodType);
  const wire = meta?.wire as Record<string, unknown> | undefined;
  if (wire !== undefined) {
    for (const key of Object.keys(schema)) {
      if (!texts.has(key)) delete schema[key];
    }
    Object.assign(schema, wire);
  }
  delete schema.wire;
  delete schema.says;
  const description = withRules(schema.description as string | undefined, zodSchema as z.core.$ZodType);
  if (description !== undefined) schema.description = description;
  // zod omits these where input and output differ.
  if (meta?.examples !== undefined) schema.examples ??= meta.examples;
  if (def.type === "default") schema.default ??= (def as z.core.$ZodDefaultDef).defaultValue;
  if (formats.has(schema.format)) delete schema.pattern;
  if (schema.contentEncoding === "base64") {
    if (io === "output") delete schema.pattern;
    delete schema.format;
  }
  // Responses may get more fields.
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
};

/** Client generators expect an enum of one value for a constant, and null as a union's last alternative. */
function speakPlainly(schema: Schema): void {
  for (const inner of innerSchemas(schema)) speakPlainly(inner);
  // Whatever zod writes beside a reference belongs to the component.
  if ("$ref" in schema) delete schema.additionalProperties;
  // To generators `{}` is a value that may be null, so that Go's maps would be of pointers.
  if (!("properties" in schema) && isAnything(schema.additionalProperties)) {
    schema.additionalProperties = true;
  }
  if (Array.isArray(schema.type)) {
    const { type, description, examples, ...beside } = schema;
    for (const key of Object.keys(beside)) delete schema[key];
    delete schema.type;
    schema.anyOf = (type as string[]).map((one) =>
      one === "null" ? { type: one } : { type: one, ...beside },
    );
  }
  if ("const" in schema) {
    schema.enum = [schema.const];
    delete schema.const;
  }
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const flat = (anyOf as Schema[]).flatMap((one) => (isBareUnion(one) ? alternativesOf(one) : [one]));
    schema.anyOf = [
      ...flat.filter(({ type }) => type !== "null"),
      ...flat.filter(({ type }) => type === "null"),
    ];
  }
}

function isAnything(schema: unknown): boolean {
  return isSchema(schema) && Object.keys(schema).length === 0;
}

function isBareUnion(schema: Schema): boolean {
  return "anyOf" in schema && Object.keys(schema).length === 1;
}

const contractFolder = fileURLToPath(new URL("../../shared/contract/", import.meta.url));

const componentTypes: ReadonlySet<string> = new Set([
  "object",
  "union",
  "enum",
  "record",
  "array",
  "prefault",
]);

/** @throws {Error} when two modules export different schemas under one name. */
async function contractSchemas(): Promise<ReadonlyMap<string, z.ZodType>> {
  const schemas = new Map<string, z.ZodType>();
  const files = (await readdir(contractFolder, { recursive: true })).filter(
    (name) => name.endsWith(".ts") && !/^(fields|operations)\b/.test(name),
  );
  for (const file of files.sort()) {
    const module = (await import(pathToFileURL(join(contractFolder, file)).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) {
      if (!(value instanceof z.ZodType) || !isComponent(name, value)) continue;
      const known = schemas.get(name);
      if (known !== undefined && known !== value) {
        throw new Error(
          `${file} exports another schema under the name ${name}, which the documents need once`,
        );
      }
      schemas.set(name, value);
    }
  }
  return schemas;
}

/** An object whose fields have other names too is read by pipes. */
function typeIn(schema: z.core.$ZodType): string {
  if (!(schema instanceof z.ZodPipe)) return schema._zod.def.type;
  const { in: from, out: to } = schema.def;
  const type = typeIn(from._zod.def.type === "transform" ? to : from);
  return type === "object" ? type : "pipe";
}

/** Parameters are not components, and a kind of text is clearer where it is used. */
function isComponent(name: string, schema: z.ZodType): boolean {
  return /^[A-Z]/.test(name) && !/(Path|Query)$/.test(name) && componentTypes.has(typeIn(schema));
}
