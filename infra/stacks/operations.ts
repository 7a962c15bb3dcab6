import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { CrossStackReferences, ReferenceStrength, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { ServiceAlarms } from "../constructs/service-alarms.ts";
import { HealthCanary } from "../constructs/health-canary.ts";
import { ServiceDashboard } from "../constructs/service-dashboard.ts";
import type { Settings } from "../settings.ts";
import type { DataStack } from "./data.ts";
import type { ServiceStack } from "./service.ts";

export interface OperationsStackProps extends StackProps {
  readonly data: DataStack;
  readonly service: ServiceStack;
  readonly settings: Settings;
}

/**
 * Alarms, dashboard and canary. It only watches, so it reads the other stacks' outputs by weak references: it
 * never keeps one of their resources from being replaced or removed.
 */
export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, { data, service, settings, ...props }: OperationsStackProps) {
    super(scope, id, props);
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    const action = new SnsAction(this.#topic(settings));
    const metrics = { data, service };
    new ServiceAlarms(this, "Alarms", { ...metrics, action });
    if (settings.canaries) new HealthCanary(this, "Canary", { url: service.operationsApi.url, action });
    new ServiceDashboard(this, "Dashboard", metrics);
  }

  #topic({ alarmTopicArn, alarmEmail }: Settings): ITopic {
    if (alarmTopicArn !== undefined) return Topic.fromTopicArn(this, "AlarmTopic", alarmTopicArn);
    const topic = new Topic(this, "AlarmTopic", { enforceSSL: true });
    if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
    return topic;
  }
}
