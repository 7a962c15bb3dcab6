import type { JsonObject } from "../../json.ts";

/** One thing wrong with a value. Says nothing of the value itself, which may be secret. */
export interface InputError {
  /** From the value's root on: `["address", "lines", 0]`. Of a name that is missing or too much: that name last. */
  readonly path: readonly (string | number)[];
  /** `must be string`, `is required`, … */
  readonly message: string;
  readonly reason: "missing" | "not_allowed" | "invalid";
}

export type InputCheck =
  | { readonly kind: "valid" }
  /** At least one, at most 100. */
  | { readonly kind: "invalid"; readonly errors: readonly InputError[] }
  /** The schema itself: what is no JSON Schema, refers to what is not in it, or is written in a dialect unknown. */
  | { readonly kind: "schema_unusable"; readonly message: string }
  /** Neither right nor wrong: it took longer than a check may. */
  | { readonly kind: "schema_too_slow"; readonly message: string };

export interface InputCheckOptions {
  /** Names whose values are elsewhere: they count as there, and nothing is said about what they hold. */
  readonly sensitiveAliases?: readonly string[];
  /** Names that nobody chose for this very schema: where the schema does not know them, they are passed over. */
  readonly inherited?: readonly string[];
}

/**
 * Judges values by JSON Schemas of customers. Answers in bounded time whatever they are, and never throws because of
 * them.
 */
export interface InputChecker {
  check(schema: JsonObject, value: JsonObject, options?: InputCheckOptions): Promise<InputCheck>;
  /** Whether values can be checked by it at all. */
  checkSchema(schema: JsonObject): Promise<Extract<InputCheck, { kind: "valid" | `schema_${string}` }>>;
}
