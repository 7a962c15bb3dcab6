import { Duration, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { OperationsApi } from "./apis/operations-api.ts";
import type { RouteGroupFunction } from "./route-group-function.ts";
import type { DeploymentSecrets } from "./secrets/deployment-secrets.ts";
import type { ServiceFunction } from "./service-function.ts";
import { Timer } from "./timer.ts";

export interface SyntheticRunProps {
  /** Runs `infra/synthetic/function.ts`. */
  readonly fn: ServiceFunction;
  readonly api: OperationsApi;
  readonly groups: readonly RouteGroupFunction[];
  readonly secrets: DeploymentSecrets;
}

export const syntheticPeriod = Duration.minutes(5);

/** Customers' programs can do what this function does, but for the versions that it invokes and its word to CodeDeploy. */
export class SyntheticRun extends Construct {
  constructor(scope: Construct, id: string, { fn, api, groups, secrets }: SyntheticRunProps) {
    super(scope, id);
    secrets.bindReadSyntheticKey(fn);
    fn.set("BASE_URL", api.url);
    const versions = groups.map(({ node, lambda }) => [
      node.id,
      `${lambda.functionName}:${lambda.currentVersion.version}`,
    ]);
    fn.set("VERSIONS", Stack.of(this).toJsonString(Object.fromEntries(versions)));
    fn.allow({
      actions: ["lambda:InvokeFunction"],
      resources: groups.map(({ lambda }) => `${lambda.functionArn}:*`),
      wildcardReason:
        "A grant on one version would be new in each release, and IAM may not know it yet when the hook invokes.",
    });
    fn.allow({
      actions: ["codedeploy:PutLifecycleEventHookExecutionStatus"],
      resources: ["*"],
      wildcardReason: "The deployment's application belongs to a release that has not begun.",
    });
    new Timer(this, "Timer", fn, syntheticPeriod);
  }
}
