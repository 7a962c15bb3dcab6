import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Parameter {
  readonly $ref?: string;
  readonly in: string;
  readonly name: string;
  readonly schema?: Schema;
}

interface DescribedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
}

/** Names that mark a field as an id where its format does not. */
const idName = /^ids?$|_ids?$|Ids?$/;

/**
 * The places, other than the path, where each described operation takes ids: route to places such as
 * `body.pool_ids[]` and `query.machine_id`. Routes that take none are left out.
 */
export async function idFieldsByRoute(): Promise<ReadonlyMap<string, readonly string[]>> {
  const document = await openApiDocument(allOperations);
  const resolve = <T extends { readonly $ref?: string }>(value: T): T => {
    if (value.$ref === undefined) return value;
    const keys = value.$ref.split("/").slice(1);
    return keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T;
  };
  const found = new Map<string, readonly string[]>();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const [method, described] of Object.entries(item)) {
      const { parameters = [], requestBody } = described as DescribedOperation;
      const inQuery = parameters
        .map(resolve)
        .filter((parameter) => parameter.in === "query")
        .flatMap(({ name, schema = {} }) => idsIn(resolve, schema, name, "query"));
      const inBody = Object.values(requestBody?.content ?? {}).flatMap(({ schema = {} }) =>
        idsIn(resolve, schema, "", "body"),
      );
      const places = [...new Set([...inQuery, ...inBody])];
      if (places.length > 0) found.set(`${method.toUpperCase()} ${path}`, places);
    }
  }
  return found;
}

function idsIn(
  resolve: (schema: Schema) => Schema,
  reference: Schema,
  name: string,
  at: string,
): readonly string[] {
  const schema = resolve(reference);
  if (schema.type === "null") return [];
  const place = name === "" ? at : `${at}.${name}`;
  const { properties = {}, items, additionalProperties } = schema;
  const inside = [
    ...(["anyOf", "oneOf", "allOf"] as const).flatMap((kind) =>
      (schema[kind] ?? []).flatMap((one) => idsIn(resolve, one, name, at)),
    ),
    ...Object.entries(properties).flatMap(([field, value]) => idsIn(resolve, value, field, place)),
    ...(items === undefined ? [] : idsIn(resolve, items, `${name}[]`, at)),
    ...(typeof additionalProperties === "object" ? idsIn(resolve, additionalProperties, "*", place) : []),
  ];
  const isId =
    schema.format === "uuid" ||
    (inside.length === 0 && items === undefined && idName.test(name.replace("[]", "")));
  return isId ? [place] : inside;
}
