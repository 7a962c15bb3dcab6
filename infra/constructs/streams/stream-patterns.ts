import { FilterRule } from "aws-cdk-lib/aws-lambda";
import type { RowKind } from "../../../shared/vocabulary/table.ts";

export type Pattern = Readonly<Record<string, unknown>>;

export function ofKind(...kinds: readonly RowKind[]): Pattern {
  return { kind: { S: kinds } };
}

export const absent: Pattern = { S: FilterRule.notExists() };
export const present: Pattern = { S: FilterRule.exists() };

export const off: Pattern = { BOOL: [false] };
export const on: Pattern = { BOOL: [true] };

/**
 * A filter cannot compare an attribute before and after, so each state is named.
 *
 * @param kinds of the row. @default machine
 */
export function step(
  attribute: string,
  before: Pattern,
  after: Pattern,
  ...kinds: readonly RowKind[]
): Pattern {
  return {
    dynamodb: {
      OldImage: { ...ofKind(...(kinds.length === 0 ? (["machine"] as const) : kinds)), [attribute]: before },
      NewImage: { [attribute]: after },
    },
  };
}

export function between(
  attribute: string,
  one: Pattern,
  other: Pattern,
  ...kinds: readonly RowKind[]
): readonly Pattern[] {
  return [step(attribute, one, other, ...kinds), step(attribute, other, one, ...kinds)];
}
