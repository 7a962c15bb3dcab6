import { createHash } from "node:crypto";
import { Stats } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { ArnFormat, CfnOutput, Lazy, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { Backups } from "../constructs/backups.ts";
import { encryptByCustomerKey } from "../constructs/customer-key.ts";
import { syntheticPeriod } from "../constructs/synthetic-run.ts";
import { ServiceAlarm } from "../constructs/watching/alarm.ts";
import { CostBudget } from "../constructs/watching/cost-budget.ts";
import { HealthCanary } from "../constructs/watching/health-canary.ts";
import { RunAlarms } from "../constructs/watching/run-alarms.ts";
import { SavedQueries } from "../constructs/watching/saved-queries.ts";
import { ServiceAlarms } from "../constructs/watching/service-alarms.ts";
import { ServiceDashboard } from "../constructs/watching/service-dashboard.ts";
import { StreamAlarms } from "../constructs/watching/stream-alarms.ts";
import { ThrottleAlarms } from "../constructs/watching/throttle-alarms.ts";
import { Watched } from "../constructs/watching/watched.ts";
import type { Settings } from "../settings.ts";
import type { DataStack } from "./data.ts";
import type { ServiceStack } from "./service.ts";

export interface OperationsStackProps extends StackProps {
  readonly data: DataStack;
  readonly service: ServiceStack;
  readonly settings: Settings;
}

export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, { data, service, settings, ...props }: OperationsStackProps) {
    super(scope, id, props);
    encryptByCustomerKey(this, settings.kmsKeyArn);
    for (const watched of [data, service]) this.addStackDependency(watched, "looks up what it watches");
    const topic = this.#topic(settings);
    new CfnOutput(this, "AlarmTopicArn", {
      description: "Who subscribes hears of alarms.",
      value: topic.topicArn,
    });
    new CfnOutput(this, "WatchedTemplates", {
      description: "Changes with the stacks that this one reads, so that it reads them again.",
      value: templateDigest(data, service),
    });
    const action = new SnsAction(topic);
    const watched = new Watched(this, "Watched", { data, service });
    const { deployment } = settings;
    const metrics = { watched, deployment };
    new ServiceAlarms(this, "Alarms", { watched, settings, action });
    new RunAlarms(this, "RunAlarms", { deployment, action });
    new StreamAlarms(this, "StreamAlarms", { ...metrics, action });
    new ThrottleAlarms(this, "ThrottleAlarms", { ...metrics, action });
    if (settings.canaries) new HealthCanary(this, "Canary", { deployment, url: watched.parts.url, action });
    if (settings.syntheticRun) this.#watchSyntheticRun(metrics, action);
    new ServiceDashboard(this, "Dashboard", metrics);
    const { monthlyBudgetUsd: monthlyUsd } = settings;
    if (monthlyUsd > 0) new CostBudget(this, "CostBudget", { monthlyUsd, topic });
    new SavedQueries(this, "SavedQueries", metrics);
    const { backupCopyVaultArn: copyVaultArn } = settings;
    if (copyVaultArn === undefined) return;
    const { tableArn, bucketArn } = watched.data;
    new Backups(this, "Backups", { deployment, copyVaultArn, tableArn, bucketArn, action });
  }

  #watchSyntheticRun(
    { watched, deployment }: { readonly watched: Watched; readonly deployment: string },
    action: SnsAction,
  ): void {
    new ServiceAlarm(this, "synthetic-run-failing", {
      severity: "critical",
      deployment,
      heading: "Synthetic run failing",
      metric: watched.functionMetric("synthetic", "Errors", {
        period: syntheticPeriod,
        statistic: Stats.SUM,
      }),
      evaluationPeriods: 2,
      // A timer that has stopped is as blind as no timer.
      alarmsWhenMissing: true,
      action,
    });
  }

  #topic({ alarmTopicArn, alarmEmail }: Settings): ITopic {
    if (alarmTopicArn !== undefined) return Topic.fromTopicArn(this, "AlarmTopic", alarmTopicArn);
    const topic = new Topic(this, "AlarmTopic", { enforceSSL: true });
    // Refusing plain HTTP gives the topic a policy, which replaces the one that lets this account publish.
    for (const [service, resource, region] of [
      ["cloudwatch", "alarm:*", this.region],
      ["budgets", "*", ""],
    ] as const) {
      const source = this.formatArn({ service, resource, region, arnFormat: ArnFormat.NO_RESOURCE_NAME });
      topic.addToResourcePolicy(
        new PolicyStatement({
          actions: ["sns:Publish"],
          principals: [new ServicePrincipal(`${service}.amazonaws.com`)],
          resources: [topic.topicArn],
          conditions: {
            StringEquals: { "aws:SourceAccount": this.account },
            ArnLike: { "aws:SourceArn": source },
          },
        }),
      );
    }
    if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
    return topic;
  }
}

/** The CDK does not update a stack whose own template is unchanged, so what it has looked up would stay outdated. */
function templateDigest(...stacks: readonly Stack[]): string {
  return Lazy.string({
    produce: () => {
      const digest = createHash("sha256");
      for (const stack of stacks) digest.update(JSON.stringify(stack.resolve(templateOf(stack))));
      return digest.digest("hex").slice(0, 16);
    },
  });
}

/** The CDK's types omit this method. */
function templateOf(stack: Stack): unknown {
  return (stack as unknown as { _toCloudFormation(): unknown })._toCloudFormation();
}
