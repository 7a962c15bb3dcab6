import { referredName, type Schema } from "../../../openapi/schema-tree.ts";
import type { ClientModel, ModelledOperation } from "../../models/client-model.ts";

/**
 * Writes the types that `shared/client/call-types.ts` derives from the contract, by the names of the model's types: the
 * package then needs no zod, and a reader sees its types at once.
 */
export function callTypes({ operations }: ClientModel): string {
  const ids = (of: (operation: ModelledOperation) => boolean) =>
    operations
      .filter(of)
      .map(({ operation }) => JSON.stringify(operation.id))
      .join(" | ");
  return `
interface Operations {
${operations.map(entryOf).join("")}}
/** The \`operationId\` in the OpenAPI document. */
type OperationId = keyof Operations;
/** By default an \`idempotencyKey\` is generated; with \`false\` none is sent, and nothing is retried. */
type CallInput<Id extends OperationId> = Operations[Id]["input"] & { readonly signal?: AbortSignal };
type CallArguments<Id extends OperationId> = Record<never, never> extends Operations[Id]["input"]
  ? [input?: CallInput<Id>]
  : [input: CallInput<Id>];
type CallResponse<Id extends OperationId> = Operations[Id]["response"];
type TaggedOperationId = ${ids(({ operation }) => operation.isTagged === true)};
type ConditionalOperationId = ${ids(({ operation }) => 304 in operation.responses)};
type ConditionalArguments<Id extends ConditionalOperationId> = [
  input: CallInput<Id> & { readonly ifNoneMatch?: string | undefined },
];
type PagedOperationId = ${ids(({ item }) => item !== undefined)};
type PageItem<Id extends PagedOperationId> = Operations[Id]["item"];
`;
}

function entryOf({ operation, text, path, query, body, takesForm, result, item }: ModelledOperation): string {
  const paths = path.map(({ name, schema }) => `readonly ${name}: ${scalarOf(schema)}`);
  const input = [
    ...(paths.length > 0 ? [`readonly path: { ${paths.join("; ")} }`] : []),
    ...(query ? [`readonly query${query.isRequired ? "" : "?"}: ${query.type}`] : []),
    ...(body ? [`readonly body${body.isRequired ? "" : "?"}: ${body.type}`] : []),
    ...(takesForm ? ["readonly body: FormData"] : []),
    ...(operation.method === "GET" ? [] : ["readonly idempotencyKey?: string | false"]),
    ...(operation.takesIfMatch === true ? ["readonly ifMatch?: string"] : []),
  ];
  const response = result === "bytes" ? "Uint8Array<ArrayBuffer>" : (result?.type ?? "undefined");
  const lines = [
    `input: { ${input.join("; ")} }`,
    `response: ${response}`,
    ...(item === undefined ? [] : [`item: ${item}`]),
  ];
  const comment = text.replaceAll("*/", "*\\/").replaceAll("\n", "\n   * ");
  return `  /** ${comment} */\n  ${operation.id}: { ${lines.join("; ")} };\n`;
}

function scalarOf(schema: Schema): string {
  return referredName(schema) ?? (schema.type === "integer" ? "number" : "string");
}
