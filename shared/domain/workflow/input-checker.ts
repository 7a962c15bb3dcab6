import type { JsonObject } from "../json.ts";

/** Reveals nothing of the value itself, which may be secret. */
export interface InputError {
  /** From the value's root: `["address", "lines", 0]`. For a missing or unexpected name, that name comes last. */
  readonly path: readonly (string | number)[];
  /** `must be string`, `is required`, … */
  readonly message: string;
  readonly reason: "missing" | "not_allowed" | "invalid";
}

export type InputCheck =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly errors: readonly InputError[] }
  /** The schema itself: not a JSON Schema, with unresolvable references, or in an unknown dialect. */
  | { readonly kind: "schema_unusable"; readonly message: string }
  /** Undecided: the check exceeded its time limit. */
  | { readonly kind: "schema_too_slow"; readonly message: string };

export interface InputCheckOptions {
  /** Names whose values are stored elsewhere: they count as present, and their values are not checked. */
  readonly sensitiveAliases?: readonly string[];
  /** Names not chosen for this schema: ignored where the schema does not define them. */
  readonly inherited?: readonly string[];
  /** A schema that takes too long again and again is not tried for a while, whatever its text. */
  readonly of?: { readonly organizationId: string; readonly workflowId: string };
}

/** Returns in bounded time for any input, and never throws because of it. */
export interface InputChecker {
  check(schema: JsonObject, value: JsonObject, options?: InputCheckOptions): Promise<InputCheck>;
  checkSchema(schema: JsonObject): Promise<Extract<InputCheck, { kind: "valid" | `schema_${string}` }>>;
}
