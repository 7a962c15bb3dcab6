import { basename } from "node:path";

import type { OperationId } from "../../../shared/client/call-types.ts";

import { show } from "../output/show.ts";
import { outputOption, showBytes } from "../output/show-bytes.ts";
import type { Command, CommandArgument, CommandOption, Given } from "../program/command.ts";
import type { Context } from "../program/context.ts";
import { UsageError } from "../program/failures.ts";
import { callAny } from "../service/call-any.ts";
import { allPages, limitOf, pagingOptions } from "./all-pages.ts";
import type { DescribedField, DescribedOperation } from "./described-operation.ts";
import { describedOperations } from "./described-operations.ts";
import { exampleOf } from "./example-line.ts";
import { attributeOf, flagOf, optionsOf, parseValue } from "./field-options.ts";
import { readBody, readBytes, sourceReader } from "./read-input.ts";

/** Paging is the command's own. */
const pageFields = new Set(["limit", "skip"]);

/** The command that calls one operation, made of the contract. */
export function commandOf(operation: DescribedOperation): Command {
  const { noun, verb, summary, scopes, path, pathTexts, body } = operation;
  const query = queryOf(operation);
  return {
    noun,
    verb,
    summary,
    description: `${operation.method} ${path}${scopes.length === 0 ? "" : `, with the scope ${scopes.join(" or ")}`}`,
    arguments: [
      ...pathNames(path).map((name): CommandArgument => ({ name, text: pathTexts[name] ?? "" })),
      ...(operation.takesForm === true ? [formFile] : []),
    ],
    options: [
      ...[...query, ...(body ?? [])].flatMap(optionsOf),
      ...(operation.pages === undefined ? [] : pagingOptions),
      ...(body === undefined ? [] : [bodyOption]),
      ...(operation.takesIfMatch === true ? [ifMatchOption] : []),
      ...(readsBytes(operation) ? [outputOption] : []),
    ],
    examples: [exampleOf(operation)],
    operations: [operation.id],
    run: async (context, given) => {
      await callOperation(operation, context, given);
      return undefined;
    },
  };
}

const formFile: CommandArgument = { name: "file", text: "The file to send." };
export const bodyOption: CommandOption = {
  flags: "--body <json>",
  text: "The whole body as JSON, @FILE or - for standard input; the options above stand over its fields.",
};
const ifMatchOption: CommandOption = {
  flags: "--if-match <tag>",
  text: "The ETag that the resource must still have; else nothing is done.",
};

async function callOperation(operation: DescribedOperation, context: Context, given: Given): Promise<void> {
  const paging = operation.pages === undefined ? undefined : { pages: operation.pages, ...limitOf(given) };
  const read = sourceReader(context);
  const path = Object.fromEntries(
    pathNames(operation.path).map((name, at) => [name, pathWord(name, given.words[at])]),
  );
  const query = await valuesOf(queryOf(operation), given, read);
  requireAll(queryOf(operation), query);
  const input = {
    ...(Object.keys(path).length === 0 ? {} : { path }),
    query,
    ...(operation.body === undefined ? {} : { body: await bodyOf(operation.body, given, context) }),
    ...(operation.takesForm === true ? { body: await formOf(String(given.words.at(-1)), context) } : {}),
    ...(given.options.ifMatch === undefined ? {} : { ifMatch: given.options.ifMatch }),
  };
  const { client } = await context.connect();
  const callWith = async (paging: Readonly<Record<string, unknown>>) =>
    await callAny(client, operation.id, { ...input, query: { ...query, ...paging } }, context.signal);
  if (paging !== undefined) return show(context, await allPages(paging, callWith), operation.id);
  const response = await callWith({});
  if (response instanceof Uint8Array) return await showBytes(context, response, given);
  show(context, response, operation.id);
}

/** A form of the contract has one field, `file`. */
async function formOf(file: string, { folder }: Context): Promise<FormData> {
  const form = new FormData();
  form.append("file", new Blob([await readBytes(file, folder)]), basename(file));
  return form;
}

export async function bodyOf(
  fields: readonly DescribedField[],
  given: Given,
  context: Context,
): Promise<Readonly<Record<string, unknown>>> {
  const whole = given.options.body === undefined ? {} : await readBody(String(given.options.body), context);
  const body = { ...whole, ...(await valuesOf(fields, given, sourceReader(context))) };
  requireAll(fields, body);
  return body;
}

function requireAll(fields: readonly DescribedField[], given: object): void {
  const flags = fields.filter(({ name, isRequired }) => isRequired === true && !(name in given)).map(flagOf);
  if (flags.length === 0) return;
  throw new UsageError(`${flags.join(", ")} ${flags.length === 1 ? "is" : "are"} needed`);
}

async function valuesOf(
  fields: readonly DescribedField[],
  { options }: Given,
  read: (source: string) => Promise<string>,
): Promise<Readonly<Record<string, unknown>>> {
  const values: [string, unknown][] = [];
  for (const field of fields) {
    const value = options[attributeOf(field)];
    if (value !== undefined) values.push([field.name, await parseValue(field, value, read)]);
  }
  return Object.fromEntries(values);
}

/** Addresses leave out these two words, so that they would name another resource. */
function pathWord(name: string, word: string | undefined): string | undefined {
  if (word !== "." && word !== "..") return word;
  throw new UsageError(`${name} cannot be ${word}`);
}

function queryOf({ query, pages }: DescribedOperation): readonly DescribedField[] {
  return pages === undefined ? query : query.filter(({ name }) => !pageFields.has(name));
}

/** @throws {Error} for an operation that the contract does not have. */
export function operationOf(id: OperationId): DescribedOperation {
  const found = describedOperations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
}

function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function readsBytes({ reads }: DescribedOperation): boolean {
  return Object.values(reads).includes("bytes");
}
