import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { CfnOutput, Duration, Validations } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

export interface FailureQueueProps {
  /** Lambda sends with this function's role. */
  readonly sender: ServiceFunction;
  readonly description: string;
  readonly outputName: string;
}

export function failureQueue(
  scope: Construct,
  id: string,
  { sender, description, outputName }: FailureQueueProps,
): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(queue).acknowledge({
    id: "AwsSolutions-SQS3",
    reason: "It is itself where failures go; an alarm watches it.",
  });
  new CfnOutput(scope, `${id}Url`, { description, value: queue.queueUrl }).overrideLogicalId(outputName);
  sender.allow({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] });
  return queue;
}
