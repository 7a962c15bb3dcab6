import { matchesGlob } from "./glob.ts";
import { conditionHolds, type RequestContext } from "./policy-condition.ts";
import type { PolicyDocument, PolicyStatement, Scope } from "./policy-document.ts";

export interface AccessRequest {
  /** The form is `service:Operation`; case is ignored, as IAM does. */
  readonly action: string;
  readonly resource: string;
  readonly context?: RequestContext;
}

export type Verdict =
  | { readonly kind: "allowed"; readonly by: PolicyStatement }
  | { readonly kind: "denied"; readonly by: "no_allow" | "deny" };

/**
 * Resource policies, permission boundaries, session policies and service control policies are not evaluated.
 *
 * @throws {Error} when a condition of a statement that applies cannot be judged.
 */
export function evaluatePolicies(policies: readonly PolicyDocument[], request: AccessRequest): Verdict {
  let allowing: PolicyStatement | undefined;
  for (const { statements } of policies) {
    for (const statement of statements) {
      if (!applies(statement, request)) continue;
      if (statement.effect === "Deny") return { kind: "denied", by: "deny" };
      allowing ??= statement;
    }
  }
  return allowing ? { kind: "allowed", by: allowing } : { kind: "denied", by: "no_allow" };
}

function applies(statement: PolicyStatement, request: AccessRequest): boolean {
  return (
    inScope(statement.actions, (pattern) => matchesAction(pattern, request.action)) &&
    inScope(statement.resources, (pattern) => matchesArn(pattern, request.resource)) &&
    conditionsHold(statement, request.context ?? {})
  );
}

function inScope(scope: Scope, matches: (pattern: string) => boolean): boolean {
  return scope.patterns.some(matches) !== scope.negated;
}

function conditionsHold(statement: PolicyStatement, context: RequestContext): boolean {
  return Object.entries(statement.conditions).every(([operator, keys]) =>
    Object.entries(keys).every(([key, expected]) => conditionHolds(operator, key, expected, context)),
  );
}

export function matchesAction(pattern: string, action: string): boolean {
  return matchesGlob(pattern.toLowerCase(), action.toLowerCase());
}

/** A wildcard does not extend past the colon of an ARN's part, except in the last. */
export function matchesArn(pattern: string, resource: string): boolean {
  if (pattern === "*") return true;
  const patternParts = arnParts(pattern);
  const resourceParts = arnParts(resource);
  if (!patternParts || !resourceParts) return false;
  return patternParts.every((part, index) => matchesGlob(part, resourceParts[index] ?? ""));
}

function arnParts(arn: string): readonly string[] | undefined {
  const parts = arn.split(":");
  return parts.length < 6 ? undefined : [...parts.slice(0, 5), parts.slice(5).join(":")];
}
