import type { CalledOperation } from "../../../shared/contract/operations/called-operations.ts";
import type { CommandName } from "./command-names.ts";

/** `pairs` is an object that is given as `name=value`; `json` is what only JSON can say. */
export type ValueKind = "text" | "integer" | "number" | "boolean" | "pairs" | "json";

/** A parameter of the query or a field of the body. */
export interface DescribedField {
  readonly name: string;
  readonly kind: ValueKind;
  readonly isList?: true;
  readonly isNullable?: true;
  readonly isRequired?: true;
  readonly isSecret?: true;
  readonly choices?: readonly string[];
  readonly preset?: unknown;
  /** Of a parameter that is needed; a body has an example as a whole. */
  readonly example?: unknown;
  readonly text: string;
}

/** What a command must know of an operation: plain data, so that no schema is loaded to run it. */
export interface DescribedOperation extends CalledOperation, CommandName {
  readonly id: string;
  readonly summary: string;
  readonly scopes: readonly string[];
  readonly path: string;
  readonly pathTexts: Readonly<Record<string, string>>;
  readonly query: readonly DescribedField[];
  /** Absent for an operation without a JSON body. */
  readonly body?: readonly DescribedField[];
  readonly takesForm?: true;
  readonly takesIfMatch?: true;
  readonly example?: Readonly<Record<string, unknown>>;
}
