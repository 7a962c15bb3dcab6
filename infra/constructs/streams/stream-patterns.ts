import { FilterRule } from "aws-cdk-lib/aws-lambda";
import type { RowKind } from "../../../shared/vocabulary/table.ts";

export type Pattern = Readonly<Record<string, unknown>>;

/** Matches records of rows of these kinds. */
export function ofKind(...kinds: readonly RowKind[]): Pattern {
  return { kind: { S: kinds } };
}

/** Matches an item without that text attribute. */
export const absent: Pattern = { S: FilterRule.notExists() };
export const present: Pattern = { S: FilterRule.exists() };

export const off: Pattern = { BOOL: [false] };
export const on: Pattern = { BOOL: [true] };

/**
 * A machine's step from a state to another one. A filter cannot compare an attribute before and after, so each state is
 * named.
 */
export function step(attribute: string, before: Pattern, after: Pattern): Pattern {
  return {
    dynamodb: {
      OldImage: { ...ofKind("machine"), [attribute]: before },
      NewImage: { [attribute]: after },
    },
  };
}

/** One step in both directions. */
export function between(attribute: string, one: Pattern, other: Pattern): readonly Pattern[] {
  return [step(attribute, one, other), step(attribute, other, one)];
}
