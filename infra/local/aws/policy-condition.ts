import { matchesGlob } from "./glob.ts";

/**
 * An `undefined` or empty value means that the key is known to be absent; a missing key is unknown to the
 * stand-in. `prefix/*` stands for every key with that prefix.
 */
export type RequestContext = Readonly<Record<string, string | readonly string[] | undefined>>;

type Compare = (expected: string, actual: string) => boolean;

interface Operator {
  readonly matches: Compare;
  /** The Not… forms are satisfied by an absent key, and otherwise only if no expected value matches. */
  readonly negated: boolean;
}

const equals: Compare = (expected, actual) => expected === actual;
const equalsIgnoringCase: Compare = (expected, actual) => expected.toLowerCase() === actual.toLowerCase();
const numeric =
  (compare: (actual: number, expected: number) => boolean): Compare =>
  (expected, actual) =>
    compare(Number(actual), Number(expected));

/** Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html */
const operators: Readonly<Record<string, Operator>> = {
  StringEquals: { matches: equals, negated: false },
  StringNotEquals: { matches: equals, negated: true },
  StringEqualsIgnoreCase: { matches: equalsIgnoringCase, negated: false },
  StringNotEqualsIgnoreCase: { matches: equalsIgnoringCase, negated: true },
  StringLike: { matches: matchesGlob, negated: false },
  StringNotLike: { matches: matchesGlob, negated: true },
  ArnEquals: { matches: matchesGlob, negated: false },
  ArnNotEquals: { matches: matchesGlob, negated: true },
  ArnLike: { matches: matchesGlob, negated: false },
  ArnNotLike: { matches: matchesGlob, negated: true },
  Bool: { matches: equalsIgnoringCase, negated: false },
  NumericEquals: { matches: numeric((a, b) => a === b), negated: false },
  NumericNotEquals: { matches: numeric((a, b) => a === b), negated: true },
  NumericLessThan: { matches: numeric((a, b) => a < b), negated: false },
  NumericLessThanEquals: { matches: numeric((a, b) => a <= b), negated: false },
  NumericGreaterThan: { matches: numeric((a, b) => a > b), negated: false },
  NumericGreaterThanEquals: { matches: numeric((a, b) => a >= b), negated: false },
};

const namePattern = /^(?:(ForAllValues|ForAnyValue):)?(.+?)(IfExists)?$/;

export function isSupportedOperator(name: string): boolean {
  const base = namePattern.exec(name)?.[2];
  return base !== undefined && (name === "Null" || Object.hasOwn(operators, base));
}

/** @throws {Error} when the operator is unknown, or the stand-in does not know the key for this call. */
export function conditionHolds(
  operatorName: string,
  key: string,
  expected: readonly string[],
  context: RequestContext,
): boolean {
  const actual = contextValues(context, key);
  if (operatorName === "Null") return expected.includes(String(actual.length === 0));
  const [, quantifier, base, ifExists] = namePattern.exec(operatorName) ?? [];
  const operator = base === undefined ? undefined : operators[base];
  if (!operator) throw new Error(`the condition operator ${operatorName} cannot be judged`);
  if (actual.length === 0)
    return ifExists !== undefined || quantifier === "ForAllValues" || absent(operator, quantifier);
  const holds = (value: string) =>
    expected.some((each) => operator.matches(each, value)) !== operator.negated;
  if (quantifier === "ForAllValues") return actual.every(holds);
  if (quantifier === "ForAnyValue") return actual.some(holds);
  return operator.negated ? actual.every(holds) : actual.some(holds);
}

function absent(operator: Operator, quantifier: string | undefined): boolean {
  return operator.negated && quantifier === undefined;
}

function contextValues(context: RequestContext, key: string): readonly string[] {
  const wanted = key.toLowerCase();
  const names = Object.keys(context);
  const name =
    names.find((each) => each.toLowerCase() === wanted) ??
    names.find((each) => each.endsWith("/*") && wanted.startsWith(each.slice(0, -1).toLowerCase()));
  if (name === undefined) throw new Error(`the condition key ${key} is not known for this call`);
  const value = context[name];
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}
