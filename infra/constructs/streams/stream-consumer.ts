import { EventSourceMapping, FilterCriteria, MetricType, StartingPosition } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { CfnOutput, Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { failureQueue } from "../failure-queue.ts";
import type { ServiceFunction } from "../service-function.ts";
import type { SingleTable } from "../single-table.ts";
import type { Pattern } from "./stream-patterns.ts";

export interface StreamConsumerProps {
  readonly table: SingleTable;
  readonly consumer: ServiceFunction;
  /** Source: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html */
  readonly changes: readonly Pattern[];
}

export class StreamConsumer extends Construct {
  /** Lambda's own notes have shard and sequence numbers, but no items. */
  readonly failures: Queue;
  readonly mapping: EventSourceMapping;

  constructor(scope: Construct, id: string, { table, consumer, changes }: StreamConsumerProps) {
    super(scope, id);
    this.failures = failureQueue(this, "Failures", {
      sender: consumer,
      description: "The queue of what was set aside.",
      outputName: `${id}FailuresQueueUrl`,
    });
    new CfnOutput(this, "FunctionName", {
      description: "The function that a replay sends it to again.",
      value: consumer.lambda.functionName,
    }).overrideLogicalId(`${id}FunctionName`);
    consumer.set("SET_ASIDE_QUEUE_URL", this.failures.queueUrl);
    this.mapping = new EventSourceMapping(this, "Mapping", {
      target: consumer.lambda,
      eventSourceArn: table.bindStream(consumer),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // With Lambda's maximum, one busy batch delays only a tenth of a shard.
      parallelizationFactor: 10,
      // Retryable failures are retried for nearly as long as the stream keeps the record.
      maxRecordAge: Duration.hours(23),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
      onFailure: { bind: () => ({ destination: this.failures.queueArn }) },
      filters: changes.map((change) => FilterCriteria.filter(change)),
    });
  }
}
