import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { ManagedPolicy, Policy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { CfnAlias } from "aws-cdk-lib/aws-lambda";
import { Duration, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { Settings } from "../../settings.ts";
import { grantTo } from "../grant.ts";
import type { RouteGroupFunction } from "../route-group-function.ts";
import type { ServiceFunction } from "../service-function.ts";
import { serverErrorPercent } from "../watching/server-errors.ts";

export interface CanaryReleasesProps {
  readonly apiId: string;
  readonly settings: Pick<Settings, "deployment" | "releaseAtOnce">;
}

const failedPercentMax = 1;

/**
 * More deployments at once exceed the requests that Lambda takes from the role of CodeDeploy.
 *
 * Source: https://github.com/davidgf/serverless-plugin-canary-deployments/issues/159
 */
const atOnceMax = 5;

/**
 * CloudFormation waits for CodeDeploy, and rolls the whole stack back.
 *
 * Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
 */
export class CanaryReleases extends Construct {
  readonly #application: LambdaApplication;
  readonly #role: Role;
  readonly #props: CanaryReleasesProps;

  constructor(scope: Construct, id: string, props: CanaryReleasesProps) {
    super(scope, id);
    this.#props = props;
    this.#application = new LambdaApplication(this, "Application");
    this.#role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName("service-role/AWSCodeDeployRoleForLambdaLimited"),
      ],
    });
    Validations.of(this.#role).acknowledge({
      id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]",
      reason: "CodeDeploy's own policy for shifting aliases.",
    });
  }

  /** @param tried is invoked before a group's first traffic, and may refuse it. */
  add(groups: Iterable<RouteGroupFunction>, tried?: ServiceFunction): void {
    const { apiId, settings } = this.#props;
    const { deployment, releaseAtOnce } = settings;
    const alarm = serverErrorPercent({ apiId, deployment, period: Duration.minutes(1) }).createAlarm(
      this,
      "ServerErrors",
      {
        threshold: failedPercentMax,
        evaluationPeriods: 1,
        alarmDescription: `Tells CodeDeploy alone: a release is taken back, deployment ${deployment}.`,
      },
    );
    const mayInvoke = tried === undefined ? undefined : this.#mayInvoke(tried);
    const aliases: CfnAlias[] = [];
    for (const { node, alias } of groups) {
      new LambdaDeploymentGroup(this, node.id, {
        application: this.#application,
        alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: [alarm],
        // Each group would add the policy again.
        role: this.#role.withoutPolicyUpdates(),
        ...(tried === undefined ? {} : { preHook: tried.lambda }),
      });
      if (mayInvoke !== undefined) alias.node.addDependency(mayInvoke);
      aliases.push(alias.node.defaultChild as CfnAlias);
    }
    for (const [at, alias] of aliases.entries()) {
      const before = aliases[at - atOnceMax];
      // CodeDeploy starts nothing during an alarm, but a repair must be released anyway.
      if (releaseAtOnce) delete alias.cfnOptions.updatePolicy;
      else if (before !== undefined) alias.addResourceDependency(before);
    }
  }

  /** CodeDeploy's own policy is for hooks of another name. */
  #mayInvoke(hook: ServiceFunction): Policy {
    const policy = new Policy(this, "Hook", { roles: [this.#role] });
    grantTo(policy, { actions: ["lambda:InvokeFunction"], resources: [hook.lambda.functionArn] });
    return policy;
  }
}
