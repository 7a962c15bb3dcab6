import { Effect, Policy, PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
import { Stack, Validations } from "aws-cdk-lib/core";
import { flattenCfnReference } from "cdk-nag/lib/utils/flatten-cfn-reference.js";

export interface Grant {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Why a resource has to have a `*`; synthesis fails on a `*` without it. */
  readonly wildcardReason?: string;
  /** IAM's conditions, operator to key to value, or values of which one suffices. */
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** Adds a statement to a policy, or to a role's own, with the suppressions of exactly its own wildcards. */
export function grantTo(
  holder: Role | Policy,
  { actions, resources, wildcardReason, conditions }: Grant,
): void {
  const allowing = statement(Effect.ALLOW, { actions, resources, conditions });
  if (holder instanceof Policy) holder.addStatements(allowing);
  else holder.addToPolicy(allowing);
  if (wildcardReason === undefined) return;
  for (const resource of resources) {
    const text = flattenCfnReference(Stack.of(holder).resolve(resource));
    if (!text.includes("*")) continue;
    Validations.of(holder).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${text}]`,
      reason: wildcardReason,
    });
  }
}

/** Adds a deny to a role's own policy, which overrides every grant. */
export function denyTo(role: Role, refusal: Omit<Grant, "wildcardReason">): void {
  role.addToPolicy(statement(Effect.DENY, refusal));
}

function statement(
  effect: Effect,
  {
    actions,
    resources,
    conditions,
  }: Pick<Grant, "actions" | "resources"> & { conditions?: Grant["conditions"] | undefined },
): PolicyStatement {
  return new PolicyStatement({
    effect,
    actions: [...actions],
    resources: [...resources],
    ...(conditions === undefined ? {} : { conditions }),
  });
}
