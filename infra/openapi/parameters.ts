import type { oas32 } from "zod-openapi";
import { assignmentHeader } from "../../shared/contract/computer/computer.ts";

type Described = Pick<oas32.ParameterObject, "description" | "example">;

/** What a parameter of this name means everywhere, unless its own schema says it. */
const known: Readonly<Record<string, Described>> = {
  skip: { description: "Items to leave out from the start of the list.", example: 0 },
  limit: { description: "Maximum number of items in the response.", example: 100 },
  include: { description: "Related resources to return in `included`; separated by commas." },
  search: { description: "A substring, whatever the case.", example: "front" },
  name: { description: "The whole name." },
  status: { description: "Only those of this status." },
  created_at_from: {
    description: "Only those created at this time or later.",
    example: "2026-01-01T00:00:00Z",
  },
  created_at_to: {
    description: "Only those created at this time or earlier.",
    example: "2026-12-31T23:59:59Z",
  },
  updated_at_from: {
    description: "Only those changed at this time or later.",
    example: "2026-01-01T00:00:00Z",
  },
  updated_at_to: {
    description: "Only those changed at this time or earlier.",
    example: "2026-12-31T23:59:59Z",
  },
  started_at_from: { description: "Only those started at this time or later." },
  started_at_to: { description: "Only those started at this time or earlier." },
  machine_id: { description: "Of the machine." },
  pool_id: { description: "Of the pool." },
  workflow_id: { description: "Of the workflow." },
  tag_id: { description: "Of the workflow tag." },
  group_id: { description: "Of the group of workflow tags." },
  model_configuration_id: { description: "Of the model configuration." },
  endpoint_id: { description: "Of the webhook endpoint." },
  delivery_id: { description: "Of the delivery." },
  run_id: { description: "Of the run." },
  from_date: { description: "The first day, of UTC.", example: "2026-01-01" },
  to_date: { description: "The last day, of UTC.", example: "2026-01-31" },
  index: { description: "Of the step, counted from 1 over all attempts of the run.", example: 1 },
  session_id: { description: "Of the session." },
  attachment_id: { description: "Of the attachment." },
  trajectory_id: { description: "Of the trajectory." },
  connection_id: { description: "Of the connection." },
  request_log_id: { description: "Of the line." },
  audit_event_id: { description: "Of the event." },
  method: { description: "Only those of this method." },
  status_code: { description: "Only those to which the driver responded with this status.", example: 200 },
  actor: { description: "Only what this API key or this user did: the field `actor`." },
  resource_type: { description: "Only changes of such resources." },
  resource_id: { description: "Only changes of this one." },
  attachment_type: { description: "Whether it goes into the run or comes out of it." },
  slot: { description: "The provider's slot." },
  file: { description: "One of the page's files." },
  tag_ids: { description: "Only those that have all of these tags; separated by commas." },
  include_tags: { description: "Whether each item has its `tags`." },
  include_archived: { description: "Whether archived ones are listed too." },
  fields: { description: "Only these fields, beside those that are always there; given again for each." },
  path: { description: "A path on the desktop.", example: "notes.txt" },
  expires_in: { description: "Seconds for which the address is good." },
};

const uuidExample = "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f";

/** Lists that are given by repeating the parameter; the others are parted by commas. */
const repeated: ReadonlySet<string> = new Set(["fields"]);

/** Completes a parameter that was made of a schema. A test finds those that nothing is said about. */
export function describeParameter(parameter: oas32.ParameterObject): oas32.ParameterObject {
  const schema = parameter.schema as Record<string, unknown>;
  const { description: ofSchema, ...rest } = schema;
  const description = parameter.description ?? ofSchema ?? known[parameter.name]?.description;
  const example = known[parameter.name]?.example ?? (schema.format === "uuid" ? uuidExample : undefined);
  return {
    name: parameter.name,
    in: parameter.in,
    ...(typeof description === "string" ? { description } : {}),
    ...(parameter.required === true ? { required: true } : {}),
    schema: rest as oas32.SchemaObject,
    ...(schema.type === "array" ? { style: "form", explode: repeated.has(parameter.name) } : {}),
    ...(example === undefined ? {} : { example }),
  };
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

/** Headers that some operation takes; components by their names. */
export const requestHeaderParameters = [
  idempotencyKeyParameter,
  assignmentIdParameter,
  ifNoneMatchParameter,
] as const;
