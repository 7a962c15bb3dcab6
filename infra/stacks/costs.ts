import { CfnAnomalySubscription } from "aws-cdk-lib/aws-ce";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { Settings } from "../settings.ts";

/** CloudFormation knows the resource types of Cost Explorer only here. */
const costsRegion = "us-east-1";

export interface CostsStackProps extends StackProps {
  readonly monitorArn: string;
  readonly settings: Pick<Settings, "deployment" | "costAnomalyUsd" | "alarmEmail">;
}

/** An account has one monitor of its services, which AWS has mostly made, so that the stack only subscribes to it. */
export class CostsStack extends Stack {
  constructor(scope: Construct, id: string, { monitorArn, settings, ...props }: CostsStackProps) {
    super(scope, id, { ...props, env: { region: costsRegion } });
    const topic = new Topic(this, "AnomalyTopic", { enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ["sns:Publish"],
        principals: [new ServicePrincipal("costalerts.amazonaws.com")],
        resources: [topic.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": this.account } },
      }),
    );
    if (settings.alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(settings.alarmEmail));
    const subscription = new CfnAnomalySubscription(this, "Anomalies", {
      subscriptionName: `das-${settings.deployment}`,
      monitorArnList: [monitorArn],
      // A topic gets it at once, an address once a day.
      frequency: "IMMEDIATE",
      subscribers: [{ type: "SNS", address: topic.topicArn }],
      thresholdExpression: JSON.stringify({
        Dimensions: {
          Key: "ANOMALY_TOTAL_IMPACT_ABSOLUTE",
          MatchOptions: ["GREATER_THAN_OR_EQUAL"],
          Values: [String(settings.costAnomalyUsd)],
        },
      }),
    });
    subscription.node.addDependency(topic);
    new CfnOutput(this, "AnomalyTopicArn", {
      description: "Who subscribes hears of unusual costs.",
      value: topic.topicArn,
    });
  }
}
