import type { JsonObject } from "../json.ts";

/** The error reveals nothing of the value itself, which may be secret. */
export interface InputError {
  /** The path from the value's root, such as `["address", "lines", 0]`; a missing or unexpected name comes last. */
  readonly path: readonly (string | number)[];
  /** A message such as `must be string` or `is required`. */
  readonly message: string;
  readonly reason: "missing" | "not_allowed" | "invalid";
}

export type InputCheck =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly errors: readonly InputError[] }
  /** The schema is not a JSON Schema, has unresolvable references, or is in an unknown dialect. */
  | { readonly kind: "schema_unusable"; readonly message: string }
  /** The check exceeded its time limit, so the result is unknown. */
  | { readonly kind: "schema_too_slow"; readonly message: string };

export interface InputCheckOptions {
  /** The values of these names are stored elsewhere, so they count as present and are not checked. */
  readonly sensitiveAliases?: readonly string[];
  /** These names were not chosen for this schema, and are ignored unless the schema defines them. */
  readonly inherited?: readonly string[];
  /** A schema that repeatedly takes too long is not tried for a while, whatever its text. */
  readonly of?: { readonly organizationId: string; readonly workflowId: string };
}

/** Returns in bounded time for any input, and never throws because of it. */
export interface InputChecker {
  check(schema: JsonObject, value: JsonObject, options?: InputCheckOptions): Promise<InputCheck>;
  checkSchema(schema: JsonObject): Promise<Extract<InputCheck, { kind: "valid" | `schema_${string}` }>>;
}
