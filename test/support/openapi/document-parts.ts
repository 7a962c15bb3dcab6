import {
  componentSchemas,
  documentedOperations,
  type OpenApiDocument,
  type OperationAt,
} from "../../../infra/openapi/document-parts.ts";
import { innerSchemas, isSchema, propertiesOf, type Schema } from "../../../infra/openapi/schema-tree.ts";

export interface DocumentedOperation {
  /** `GET /v1/runs`. */
  readonly route: string;
  readonly pointer: string;
  readonly operation: OperationAt["operation"];
}

export function operationsIn(document: OpenApiDocument): readonly DocumentedOperation[] {
  return documentedOperations(document).map(({ path, method, operation }) => {
    const pointer = `/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`;
    return { route: `${method.toUpperCase()} ${path}`, pointer: encodeURI(pointer), operation };
  });
}

export interface PlacedSchema {
  readonly place: string;
  readonly schema: Schema;
}

export function schemasIn(document: OpenApiDocument): readonly PlacedSchema[] {
  const components = Object.entries(componentSchemas(document));
  const written = [...contentsOf(document, "request"), ...contentsOf(document, "response")];
  const parameters = operationsIn(document).flatMap(({ route, operation }) =>
    (operation.parameters ?? []).flatMap((one) =>
      "schema" in one && isSchema(one.schema) ? [{ place: `${route} ${one.name}`, schema: one.schema }] : [],
    ),
  );
  return [
    ...components.flatMap(([name, schema]) => withInner(name, schema)),
    ...written.flatMap(({ place, media }) => (isSchema(media.schema) ? withInner(place, media.schema) : [])),
    ...parameters.flatMap(({ place, schema }) => withInner(place, schema)),
  ];
}

function withInner(place: string, schema: Schema): readonly PlacedSchema[] {
  const names = new Map(propertiesOf(schema).map(([name, property]) => [property, name]));
  const inner = innerSchemas(schema).flatMap((one, at) => withInner(`${place}.${names.get(one) ?? at}`, one));
  return [{ place, schema }, ...inner];
}

export interface PlacedContent {
  readonly place: string;
  readonly pointer: string;
  readonly type: string;
  readonly media: { readonly schema?: unknown; readonly example?: unknown };
}

export function contentsOf(document: OpenApiDocument, of: "request" | "response"): readonly PlacedContent[] {
  const holders =
    of === "request"
      ? operationsIn(document).map(({ route, pointer, operation }) =>
          holderOf(`${route} request`, `${pointer}/requestBody`, operation.requestBody),
        )
      : [
          ...Object.entries(document.components?.responses ?? {}).map(([name, response]) =>
            holderOf(name, `/components/responses/${name}`, response),
          ),
          ...operationsIn(document).flatMap(({ route, pointer, operation }) =>
            Object.entries(operation.responses ?? {}).map(([status, response]) =>
              holderOf(`${route} ${status}`, `${pointer}/responses/${status}`, response),
            ),
          ),
        ];
  return holders.flatMap(({ place, pointer, content }) =>
    Object.entries(content).map(([type, media]) => ({
      place,
      type,
      media,
      pointer: `${pointer}/content/${type.replaceAll("/", "~1")}`,
    })),
  );
}

function holderOf(place: string, pointer: string, holder: unknown) {
  const { content = {} } = (holder ?? {}) as { content?: Record<string, PlacedContent["media"]> };
  return { place, pointer, content };
}
