import { EventSourceMapping, FilterCriteria, MetricType, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { CfnOutput, Duration, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { ServiceFunction } from "../service-function.ts";
import type { SingleTable } from "../single-table.ts";

export interface StreamConsumerProps {
  readonly table: SingleTable;
  readonly consumer: ServiceFunction;
  /** Source: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html */
  readonly changes: readonly Readonly<Record<string, unknown>>[];
}

export class StreamConsumer extends Construct {
  /** Lambda's own notes have shard and sequence numbers, but no items. */
  readonly failures: Queue;
  readonly mapping: EventSourceMapping;

  constructor(scope: Construct, id: string, { table, consumer, changes }: StreamConsumerProps) {
    super(scope, id);
    this.failures = new Queue(this, "Failures", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.failures).acknowledge({
      id: "AwsSolutions-SQS3",
      reason: "It is itself where failures go; an alarm watches it.",
    });
    new CfnOutput(this, "FailuresUrl", {
      description: "The queue of what was set aside.",
      value: this.failures.queueUrl,
    }).overrideLogicalId(`${id}FailuresQueueUrl`);
    new CfnOutput(this, "FunctionName", {
      description: "The function that a replay sends it to again.",
      value: consumer.lambda.functionName,
    }).overrideLogicalId(`${id}FunctionName`);
    consumer.set("SET_ASIDE_QUEUE_URL", this.failures.queueUrl);
    // Lambda sends with the function's role, too.
    consumer.allow({ actions: ["sqs:SendMessage"], resources: [this.failures.queueArn] });
    this.mapping = new EventSourceMapping(this, "Mapping", {
      target: consumer.lambda,
      eventSourceArn: table.bindStream(consumer),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // This is Lambda's maximum: one who keeps a batch busy delays a tenth of a shard.
      parallelizationFactor: 10,
      // The consumer sets aside what no retry helps; the rest is retried for nearly as long as the stream keeps
      // it.
      maxRecordAge: Duration.hours(23),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
      onFailure: { bind: () => ({ destination: this.failures.queueArn }) },
      filters: changes.map((change) => FilterCriteria.filter(change)),
    });
  }
}
