import { Effect, Policy, PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
import { Stack, Validations } from "aws-cdk-lib/core";
import { flattenCfnReference } from "cdk-nag/lib/utils/flatten-cfn-reference.js";

export interface Grant {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Synthesis fails on a `*` in a resource without a reason. */
  readonly wildcardReason?: string;
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

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

/** A deny overrides every grant. */
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
