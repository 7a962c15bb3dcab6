import { FilterRule } from "aws-cdk-lib/aws-lambda";

export type Pattern = Readonly<Record<string, unknown>>;

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
      OldImage: { kind: { S: ["machine"] }, [attribute]: before },
      NewImage: { [attribute]: after },
    },
  };
}

/** One step in both directions. */
export function between(attribute: string, one: Pattern, other: Pattern): readonly Pattern[] {
  return [step(attribute, one, other), step(attribute, other, one)];
}
