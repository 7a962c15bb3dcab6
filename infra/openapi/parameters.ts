import type { oas32 } from "zod-openapi";
import { assignmentHeader } from "../../shared/contract/computer/computer.ts";
import { ifMatchPattern } from "../../shared/contract/fields/if-match.ts";
import { exampleUuid } from "./example-values.ts";
import type { Schema } from "./schema-tree.ts";

/** These lists repeat the parameter; the others are separated by commas. */
const repeated: ReadonlySet<string> = new Set(["fields"]);

export function describeParameter(parameter: oas32.ParameterObject): oas32.ParameterObject {
  const { description, examples, deprecated, ...schema } = parameter.schema as Schema;
  const [example] = (examples ?? exampleIds(parameter.name, schema)) as unknown[];
  return {
    name: parameter.name,
    in: parameter.in,
    description: String(description ?? parameter.description),
    ...(parameter.required === true ? { required: true } : {}),
    ...(deprecated === true ? { deprecated } : {}),
    schema: schema as oas32.SchemaObject,
    ...(schema.type === "array" ? { style: "form", explode: repeated.has(parameter.name) } : {}),
    ...(schema.type === "object" ? { style: "deepObject", explode: true } : {}),
    ...(example === undefined ? {} : { example }),
  };
}

function exampleIds(name: string, { format, items }: Schema): readonly unknown[] {
  if (format === "uuid") return [exampleUuid(name)];
  return (items as Schema | undefined)?.format === "uuid" ? [[exampleUuid(name)]] : [];
}

export const idempotencyKeyParameter: oas32.ParameterObject = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Makes the request happen at most once: a repeat under the same key within 24 hours gets the original response. 1 to 255 printable ASCII characters, a fresh UUID for each intent; the same key with another body, query or path is 422 `idempotency_key_reused`.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" },
  example: "3f0d7a8e-6c1b-4d7e-9a42-0c5f1e2b3a4d",
};

export const assignmentIdParameter: oas32.ParameterObject = {
  name: assignmentHeader,
  in: "header",
  description:
    "The `assignment_id` of the machine's run, which a worker carries out: what is done becomes steps of that run, in which its sensitive inputs are shown as `{$alias}`. Any other is 409 `assignment_mismatch`, before anything is done.",
  schema: { type: "string", format: "uuid" },
};

export const ifNoneMatchParameter: oas32.ParameterObject = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of an earlier response: 304 while it is still the same.",
  schema: { type: "string" },
};

export const ifMatchParameter: oas32.ParameterObject = {
  name: "If-Match",
  in: "header",
  description:
    "Writes only if the resource's `ETag` is one of these, up to 20; any other is 412 `changed_meanwhile`, and nothing is done. `*` allows each, and a weak one (`W/`) is none.",
  schema: { type: "string", pattern: ifMatchPattern },
  example: '"7"',
};

export const requestHeaderParameters = [
  idempotencyKeyParameter,
  assignmentIdParameter,
  ifNoneMatchParameter,
  ifMatchParameter,
] as const;
