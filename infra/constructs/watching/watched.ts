import { Metric, type MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import type { DataStack } from "../../stacks/data.ts";
import type { ServiceStack } from "../../stacks/service.ts";
import { LookedUp } from "../looked-up.ts";
import type { ServiceFunction } from "../service-function.ts";

export interface WatchedProps {
  readonly data: DataStack;
  readonly service: ServiceStack;
}

/** The names by which CloudWatch knows what the other stacks have. */
export class Watched extends Construct {
  readonly functions: Readonly<Record<string, string>>;
  readonly logGroups: Readonly<Record<string, string>>;
  readonly parts;
  readonly data;

  constructor(scope: Construct, id: string, { data, service }: WatchedProps) {
    super(scope, id);
    const ofFunctions = (nameOf: (fn: ServiceFunction) => string) =>
      Object.fromEntries([...service.functions].map(([name, fn]) => [name, nameOf(fn)]));
    this.functions = new LookedUp(this, "Functions", {
      producer: service,
      values: ofFunctions(({ lambda }) => lambda.functionName),
    }).values;
    this.logGroups = new LookedUp(this, "LogGroups", {
      producer: service,
      values: ofFunctions(({ logs }) => logs.logGroupName),
    }).values;
    const { operationsApi, tunnelApi, projections, matches, executor, webhookDeliverer } = service;
    this.parts = new LookedUp(this, "Parts", {
      producer: service,
      values: {
        httpApiId: operationsApi.apiId,
        url: operationsApi.url,
        webSocketApiId: tunnelApi.apiId,
        webSocketStage: tunnelApi.stageName,
        projectorMapping: projections.mapping.eventSourceMappingId,
        projectorFailures: projections.failures.queueName,
        matcherMapping: matches.mapping.eventSourceMappingId,
        matcherFailures: matches.failures.queueName,
        executorDeadLetters: executor.deadLetters.queueName,
        webhookDeadLetters: webhookDeliverer.deadLetters.queueName,
      },
    }).values;
    const { tableName, tableArn } = data.table.inUse;
    this.data = new LookedUp(this, "Data", {
      producer: data,
      values: { tableName, tableArn, bucketArn: data.files.bucket.bucketArn },
    }).values;
  }

  functionMetric(name: string, metricName: string, options: MetricOptions): Metric {
    const functionName = this.functions[name];
    if (functionName === undefined) throw new Error(`there is no function ${name}`);
    return new Metric({
      namespace: "AWS/Lambda",
      metricName,
      dimensionsMap: { FunctionName: functionName },
      ...options,
    });
  }
}

export function messagesIn(queueName: string, options: MetricOptions): Metric {
  return new Metric({
    namespace: "AWS/SQS",
    metricName: "ApproximateNumberOfMessagesVisible",
    dimensionsMap: { QueueName: queueName },
    ...options,
  });
}

export function tableMetric(tableName: string, metricName: string, options: MetricOptions): Metric {
  return new Metric({
    namespace: "AWS/DynamoDB",
    metricName,
    dimensionsMap: { TableName: tableName },
    ...options,
  });
}
