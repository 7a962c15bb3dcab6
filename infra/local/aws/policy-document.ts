import { isSupportedOperator } from "./policy-condition.ts";

/** A policy that cannot be evaluated is refused, because a guess would hide a missing grant. */
class UnsupportedPolicyError extends Error {
  override readonly name = "UnsupportedPolicyError";
}

type ConditionBlock = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export interface PolicyStatement {
  readonly effect: "Allow" | "Deny";
  readonly actions: Scope;
  readonly resources: Scope;
  readonly conditions: ConditionBlock;
}

export interface Scope {
  readonly negated: boolean;
  readonly patterns: readonly string[];
}

export interface PolicyDocument {
  readonly statements: readonly PolicyStatement[];
}

const statementElements = new Set([
  "Sid",
  "Effect",
  "Action",
  "NotAction",
  "Resource",
  "NotResource",
  "Condition",
]);

/**
 * @param document must have every intrinsic function resolved.
 * @throws {UnsupportedPolicyError} for whatever the evaluator does not know.
 */
export function parsePolicyDocument(document: unknown): PolicyDocument {
  if (!isRecord(document)) throw new UnsupportedPolicyError("a policy document is not an object");
  const statements = Array.isArray(document.Statement) ? document.Statement : [document.Statement];
  return { statements: statements.map(parseStatement) };
}

function parseStatement(statement: unknown): PolicyStatement {
  if (!isRecord(statement)) throw new UnsupportedPolicyError("a policy statement is not an object");
  for (const element of Object.keys(statement)) {
    if (!statementElements.has(element)) {
      throw new UnsupportedPolicyError(
        `an identity policy's statement has ${element}, which cannot be judged`,
      );
    }
  }
  const effect = statement.Effect;
  if (effect !== "Allow" && effect !== "Deny") {
    throw new UnsupportedPolicyError(`a policy statement's Effect is ${JSON.stringify(effect)}`);
  }
  return {
    effect,
    actions: parseScope(statement, "Action"),
    resources: parseScope(statement, "Resource"),
    conditions: parseConditions(statement.Condition),
  };
}

function parseScope(statement: Readonly<Record<string, unknown>>, element: "Action" | "Resource"): Scope {
  const plain = statement[element];
  const negated = statement[`Not${element}`];
  if ((plain === undefined) === (negated === undefined)) {
    throw new UnsupportedPolicyError(`a policy statement needs either ${element} or Not${element}`);
  }
  return { negated: plain === undefined, patterns: strings(plain ?? negated, element) };
}

function parseConditions(conditions: unknown): ConditionBlock {
  if (conditions === undefined) return {};
  if (!isRecord(conditions)) throw new UnsupportedPolicyError("a policy's Condition is not an object");
  const block: Record<string, Record<string, readonly string[]>> = {};
  for (const [operator, keys] of Object.entries(conditions)) {
    if (!isSupportedOperator(operator)) {
      throw new UnsupportedPolicyError(`the condition operator ${operator} cannot be judged`);
    }
    if (!isRecord(keys)) throw new UnsupportedPolicyError(`the condition ${operator} is not an object`);
    block[operator] = Object.fromEntries(
      Object.entries(keys).map(([key, values]) => [key, strings(values, `${operator} ${key}`)]),
    );
  }
  return block;
}

function strings(value: unknown, where: string): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map((each: unknown) => {
    if (typeof each === "boolean" || typeof each === "number") return String(each);
    if (typeof each !== "string") {
      throw new UnsupportedPolicyError(`${where} holds something that is no string: ${JSON.stringify(each)}`);
    }
    if (each.includes("${")) throw new UnsupportedPolicyError(`${where} holds a policy variable: ${each}`);
    return each;
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
