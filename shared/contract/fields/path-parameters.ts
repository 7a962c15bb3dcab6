import * as z from "zod";
import { Uuid } from "./common.ts";

const descriptions = {
  api_key_id: "The API key's id.",
  attachment_id: "The attachment's id.",
  audit_event_id: "The audit event's id.",
  connection_id: "The connection's id.",
  delivery_id: "The delivery's id.",
  endpoint_id: "The webhook endpoint's id.",
  group_id: "The id of the group of workflow tags.",
  image_id: "The image's id.",
  machine_id: "The machine's id.",
  model_configuration_id: "The model configuration's id.",
  pool_id: "The pool's id.",
  recording_id: "The recording's id.",
  request_log_id: "The id of the call's entry in the log.",
  run_id: "The run's id.",
  schedule_id: "The schedule's id.",
  tag_id: "The workflow tag's id.",
  trajectory_id: "The trajectory's id.",
  workflow_id: "The workflow's id.",
} as const;

type IdName = keyof typeof descriptions;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

export type ParametersOf<Path extends string> = [NamesIn<Path>] extends [never]
  ? unknown
  : { readonly pathParameters: z.ZodObject<Record<NamesIn<Path> & IdName, typeof Uuid>, z.core.$strict> };

const schemas = new Map<string, z.ZodObject | undefined>();

/** Any text but a UUID is a 422 without a read. */
export function pathId(name: IdName): typeof Uuid {
  return Uuid.describe(descriptions[name]);
}

/** Returns undefined for a path without ids. Parameters of other kinds are the operation's own to declare. */
export function parametersOf(path: string): z.ZodObject | undefined {
  // Each request asks for those of its path.
  if (!schemas.has(path)) schemas.set(path, schemaOf(path));
  return schemas.get(path);
}

function schemaOf(path: string): z.ZodObject | undefined {
  const names = [...path.matchAll(/\{(\w+_id)\}/g)].map(([, name]) => name as IdName);
  if (names.length === 0) return undefined;
  return z.strictObject(Object.fromEntries(names.map((name) => [name, pathId(name)])));
}
