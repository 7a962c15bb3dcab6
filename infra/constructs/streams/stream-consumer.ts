import { EventSourceMapping, FilterCriteria, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { CfnOutput, Duration, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { ServiceFunction } from "../service-function.ts";
import type { SingleTable } from "../single-table.ts";

export interface StreamConsumerProps {
  readonly table: SingleTable;
  readonly consumer: ServiceFunction;
  /**
   * The changes that the consumer sees, as event filter patterns; all others cost nothing. Each names the kinds of
   * item that it is about.
   *
   * Source: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html
   */
  readonly changes: readonly Readonly<Record<string, unknown>>[];
}

/** Feeds the table's stream to a function, and keeps note of what it failed to take. */
export class StreamConsumer extends Construct {
  /** Gets a note (shard and sequence numbers, no items) for each batch given up. */
  readonly failures: Queue;

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
      description: "The queue of the batches given up.",
      value: this.failures.queueUrl,
    }).overrideLogicalId(`${id}FailuresQueueUrl`);
    // In the function's name, by Lambda.
    consumer.allow({ actions: ["sqs:SendMessage"], resources: [this.failures.queueArn] });
    new EventSourceMapping(this, "Mapping", {
      target: consumer.lambda,
      eventSourceArn: table.bindStream(consumer),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // The most that Lambda has: one who keeps a batch busy holds up a tenth of a shard.
      parallelizationFactor: 10,
      retryAttempts: 5,
      maxRecordAge: Duration.hours(1),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      onFailure: { bind: () => ({ destination: this.failures.queueArn }) },
      filters: changes.map((change) => FilterCriteria.filter(change)),
    });
  }
}
