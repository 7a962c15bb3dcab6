import type { oas32 } from "zod-openapi";
import { componentSchemas, documentedOperations, type OpenApiDocument } from "./document-parts.ts";
import { alternativesOf, propertiesOf, referredName, type Schema } from "./schema-tree.ts";

export function addLinks(document: OpenApiDocument): void {
  const schemas = componentSchemas(document);
  const operations = documentedOperations(document);
  const readers = new Map<string, string>();
  for (const { path, method, operation } of operations) {
    const [, name] = /^[^{]+\/\{(\w+)\}$/.exec(path) ?? [];
    if (name !== undefined && method === "get") readers.set(name, idOf(operation));
  }
  for (const { path, operation } of operations) {
    const created = operation.responses?.[201] as oas32.ResponseObject | undefined;
    const content = created?.content as Readonly<Record<string, { schema?: Schema }>> | undefined;
    const schema = content?.["application/json"]?.schema;
    if (created === undefined || schema === undefined) continue;
    const properties = propertiesOf(schemas[referredName(schema) ?? ""] ?? schema);
    const own = new RegExp(`^${path.split("/{")[0]}/\\{(\\w+)\\}$`);
    const links = properties.flatMap(
      ([property, { $ref, ...inner }]): (readonly [string, oas32.LinkObject])[] => {
        if (property === "id") {
          return operations.flatMap((other) => {
            const [, parameter] = own.exec(other.path) ?? [];
            return parameter === undefined ? [] : [linkTo(idOf(other.operation), parameter, "/id")];
          });
        }
        const holder = readers.get(`${property}_id`);
        if ($ref !== undefined && holder !== undefined)
          return [linkTo(holder, `${property}_id`, `/${property}/id`)];
        const reader = readers.get(property);
        // A value that may be null has nothing to link to.
        return reader === undefined || alternativesOf(inner).length > 0
          ? []
          : [linkTo(reader, property, `/${property}`)];
      },
    );
    if (links.length > 0) created.links = Object.fromEntries(links);
  }
}

function idOf({ operationId = "" }: oas32.OperationObject): string {
  return operationId;
}

function linkTo(
  operationId: string,
  parameter: string,
  pointer: string,
): readonly [string, oas32.LinkObject] {
  return [operationId, { operationId, parameters: { [parameter]: `$response.body#${pointer}` } }];
}
