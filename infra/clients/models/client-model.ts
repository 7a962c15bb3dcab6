import type { oas32 } from "zod-openapi";
import { calledOperations } from "../../../shared/contract/operations/called-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import {
  componentSchemas,
  documentedOperations,
  type OpenApiDocument,
} from "../../openapi/document-parts.ts";
import { propertiesOf, referredName, type Schema } from "../../openapi/schema-tree.ts";
import { contentOf, successContentOf } from "./content.ts";

/** An operation by the names of its types: all of them are schemas of the model, so that a client's calls only name them. */
export interface ModelledOperation {
  readonly operation: Operation;
  readonly text: string;
  readonly path: readonly { readonly name: string; readonly schema: Schema }[];
  readonly query?: { readonly type: string; readonly isRequired: boolean };
  readonly body?: { readonly type: string; readonly isRequired: boolean };
  readonly takesForm: boolean;
  /** Absent where the response has no body. */
  readonly result?: { readonly type: string } | "bytes";
  /** The type of a list's items, where the response is a page. */
  readonly item?: string;
}

export interface ClientModel {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly operations: readonly ModelledOperation[];
}

/** @param argumentNameOf is the name of a query's parameter in the client's language. */
export function clientModel(
  document: OpenApiDocument,
  operations: readonly Operation[],
  argumentNameOf: (parameter: string) => string = (parameter) => parameter,
): ClientModel {
  const schemas: Record<string, Schema> = { ...componentSchemas(document) };
  const byId = new Map(operations.map((operation) => [operation.id, operation]));

  /** @returns the name of the schema; one without a name gets its operation's. */
  const nameOf = (schema: Schema, name: string): string => {
    const referred = referredName(schema);
    if (referred !== undefined) return referred;
    if (schemas[name] !== undefined) throw new Error(`there are two schemas with the name ${name}`);
    schemas[name] = schema;
    return name;
  };

  const modelled = documentedOperations(document).map(({ operation: documented }): ModelledOperation => {
    const { operationId: id = "", summary, description } = documented;
    const operation = byId.get(id);
    if (operation === undefined) throw new Error(`there is no operation ${id}`);
    const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
    const parameters = (documented.parameters ?? []).filter((one) => "in" in one);
    const query = parameters.filter((one) => one.in === "query");
    const sent = contentOf(documented.requestBody);
    const received = successContentOf(documented);
    const json = received["application/json"]?.schema as Schema | undefined;
    const result = json === undefined ? undefined : nameOf(json, `${name}Response`);
    const body = sent["application/json"]?.schema as Schema | undefined;
    return {
      operation,
      text: [summary, description].filter((part) => part !== undefined).join("\n\n"),
      path: parameters
        .filter((one) => one.in === "path")
        .map(({ name, schema }) => ({ name, schema: schema as Schema })),
      ...(query.length > 0 && {
        query: {
          type: nameOf(querySchema(query, argumentNameOf), `${name}Query`),
          isRequired: query.some(({ required }) => required === true),
        },
      }),
      ...(body !== undefined && {
        body: {
          type: nameOf(body, `${name}Body`),
          isRequired: (documented.requestBody as oas32.RequestBodyObject).required === true,
        },
      }),
      takesForm: "multipart/form-data" in sent,
      ...(result !== undefined && { result: { type: result } }),
      ...(result === undefined && Object.keys(received).length > 0 && { result: "bytes" }),
      ...(result !== undefined &&
        calledOperations[id]?.pages !== undefined && { item: itemNameOf(schemas[result] ?? {}) }),
    };
  });
  return { schemas, operations: modelled };
}

/** A list in a query may be given as its one item. */
function querySchema(
  parameters: readonly oas32.ParameterObject[],
  argumentNameOf: (parameter: string) => string,
): Schema {
  const properties = parameters.map(({ name, schema, description }) => {
    const { default: _preset, ...given } = schema as Schema;
    const isList = given.type === "array";
    return [
      argumentNameOf(name),
      isList ? { anyOf: [given.items, given], description } : { ...given, description },
    ];
  });
  const required = parameters.filter((one) => one.required === true).map(({ name }) => argumentNameOf(name));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

function itemNameOf(list: Schema): string {
  const { items } = list.type === "array" ? list : (Object.fromEntries(propertiesOf(list)).items ?? {});
  return referredName(items as Schema) ?? "";
}
