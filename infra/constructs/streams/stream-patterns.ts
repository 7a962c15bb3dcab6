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

/** A filter cannot compare an attribute before and after, so each state is named. */
export function step(attribute: string, before: Pattern, after: Pattern): Pattern {
  return {
    dynamodb: {
      OldImage: { ...ofKind("machine"), [attribute]: before },
      NewImage: { [attribute]: after },
    },
  };
}

export function between(attribute: string, one: Pattern, other: Pattern): readonly Pattern[] {
  return [step(attribute, one, other), step(attribute, other, one)];
}
