import { type IAlarmAction, type IMetric, MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Operation } from "aws-cdk-lib/aws-dynamodb";
import { FilterPattern, MetricFilter } from "aws-cdk-lib/aws-logs";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { DataStack } from "../../stacks/data.ts";
import type { ServiceStack } from "../../stacks/service.ts";
import { ServiceAlarm } from "./alarm.ts";
import { StreamAlarms } from "./stream-alarms.ts";
import { sweepMetric } from "./sweep-metric.ts";

export interface ServiceAlarmsProps {
  readonly data: DataStack;
  readonly service: ServiceStack;
  /** Keeps the metrics of two deployments in one account apart. */
  readonly deployment: string;
  readonly action: IAlarmAction;
}

const minute = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);

/** The table operations that the service calls; the read and write metrics of the table alone miss its indexes. */
const tableOperations = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.UPDATE_ITEM,
  Operation.DELETE_ITEM,
  Operation.BATCH_WRITE_ITEM,
  Operation.TRANSACT_GET_ITEMS,
  Operation.TRANSACT_WRITE_ITEMS,
];

/** Every alarm of the service. */
export class ServiceAlarms extends Construct {
  constructor(scope: Construct, id: string, { data, service, deployment, action }: ServiceAlarmsProps) {
    super(scope, id);
    const namespace = `DesktopAutomationService/${deployment}`;
    const secretsFull = { namespace, metricName: "secrets full" };
    for (const [name, { lambda, logs }] of service.functions) {
      const logged = new MetricFilter(this, `${name}-logged-errors`, {
        logGroup: logs,
        filterPattern: FilterPattern.stringValue("$.level", "=", "error"),
        metricNamespace: namespace,
        metricName: `${name} errors logged`,
      });
      // Of all functions one metric: Secrets Manager's refusal, as the cause of a 503.
      new MetricFilter(this, `${name}-secrets-full`, {
        logGroup: logs,
        filterPattern: FilterPattern.stringValue("$.cause.name", "=", "LimitExceededException"),
        metricNamespace: secretsFull.namespace,
        metricName: secretsFull.metricName,
      });
      new ServiceAlarm(this, `${name}-errors`, {
        severity: "critical",
        heading: "Function errors",
        subject: name,
        metric: sumOfSparse("errors", fiveMinutes, {
          thrown: lambda.metricErrors({ period: fiveMinutes }),
          logged: logged.metric({ period: fiveMinutes, statistic: Stats.SUM }),
        }),
        threshold: 0,
        action,
      });
      new ServiceAlarm(this, `${name}-throttles`, {
        severity: name === "tunnel" ? "critical" : "warning",
        heading: "Function throttles",
        subject: name,
        metric: lambda.metricThrottles({ period: minute }),
        threshold: 0,
        evaluationPeriods: 5,
        datapointsToAlarm: 2,
        action,
      });
    }
    new ServiceAlarm(this, "secrets-full", {
      severity: "critical",
      heading: "Secrets full",
      metric: new Metric({ ...secretsFull, period: fiveMinutes, statistic: Stats.SUM }),
      threshold: 0,
      action,
    });
    new ServiceAlarm(this, "http-server-errors", {
      severity: "critical",
      heading: "HTTP server errors",
      metric: serverErrorShare(service.operationsApi.apiId),
      threshold: 5,
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
      action,
    });
    new ServiceAlarm(this, "tunnel-integration-errors", {
      severity: "critical",
      heading: "Tunnel integration errors",
      metric: tunnelExecutionErrors(service),
      threshold: 0,
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
      action,
    });
    const { projections, projector, matches, matcher } = service;
    const streams = [
      { name: "stream", heading: "Stream", consumer: projections, lambda: projector.lambda },
      { name: "matching", heading: "Matching", consumer: matches, lambda: matcher.lambda },
    ] as const;
    for (const { name, heading, consumer, lambda } of streams) {
      new ServiceAlarm(this, `${name}-failures`, {
        severity: "critical",
        heading: `${heading} failures`,
        metric: consumer.failures.metricApproximateNumberOfMessagesVisible({
          period: minute,
          statistic: Stats.MAXIMUM,
        }),
        threshold: 0,
        action,
      });
      new ServiceAlarm(this, `${name}-behind`, {
        severity: name === "stream" ? "warning" : "critical",
        heading: `${heading} behind`,
        metric: lambda.metric("IteratorAge", { period: minute, statistic: Stats.MAXIMUM }),
        threshold: (name === "stream" ? fiveMinutes : minute).toMilliseconds(),
        evaluationPeriods: 3,
        action,
      });
    }
    new StreamAlarms(this, "Streams", { data, service, deployment, action });
    const { executor } = service;
    new ServiceAlarm(this, "executions-failed", {
      severity: "critical",
      heading: "Executions failed",
      metric: sumOfSparse(
        "executions failed",
        fiveMinutes,
        Object.fromEntries(
          ["Failed", "TimedOut"].map((ending) => [
            ending.toLowerCase(),
            executor.lambda.metric(`DurableExecution${ending}`, {
              period: fiveMinutes,
              statistic: Stats.SUM,
            }),
          ]),
        ),
      ),
      threshold: 0,
      action,
    });
    new ServiceAlarm(this, "execution-dead-letters", {
      severity: "critical",
      heading: "Execution dead letters",
      metric: executor.deadLetters.metricApproximateNumberOfMessagesVisible({
        period: minute,
        statistic: Stats.MAXIMUM,
      }),
      threshold: 0,
      action,
    });
    new ServiceAlarm(this, "executions-quota", {
      severity: "warning",
      heading: "Executions near their quota",
      // Of the account, whichever function they are of.
      metric: new Metric({
        namespace: "AWS/Lambda",
        metricName: "ApproximateRunningDurableExecutionsUtilization",
        period: fiveMinutes,
        statistic: Stats.MAXIMUM,
      }),
      threshold: 80,
      action,
    });
    new ServiceAlarm(this, "sweeper-not-running", {
      severity: "critical",
      heading: "Sweeper not running",
      metric: service.sweeper.lambda.metricInvocations({ period: fiveMinutes }),
      threshold: 1,
      alarmsBelow: true,
      alarmsWhenMissing: true,
      action,
    });
    new ServiceAlarm(this, "deletions-left-over", {
      severity: "warning",
      heading: "Deletions left over",
      metric: sweepMetric(deployment, "deletions_left_over", { period: fiveMinutes }),
      threshold: 0,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      action,
    });
    new ServiceAlarm(this, "table-throttles", {
      severity: "warning",
      heading: "Table throttles",
      metric: throttledRequests(data),
      threshold: 0,
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
      action,
    });
  }
}

/** Percent of a minute's requests; nothing below 20 requests, where one slow desktop would be a share of its own. */
function serverErrorShare(apiId: string): IMetric {
  const metric = (metricName: string) =>
    new Metric({
      namespace: "AWS/ApiGateway",
      metricName,
      dimensionsMap: { ApiId: apiId },
      period: minute,
      statistic: Stats.SUM,
    });
  return new MathExpression({
    expression: "IF(requests >= 20, 100 * errors / requests, 0)",
    usingMetrics: { requests: metric("Count"), errors: metric("5xx") },
    period: minute,
    label: "% of requests",
  });
}

/**
 * What API Gateway could not deliver to the function. Not `IntegrationError`, which also counts every handshake that the
 * function refuses: a driver with an old key is no fault of the service.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-logging.html
 */
function tunnelExecutionErrors({ tunnelApi }: ServiceStack): IMetric {
  return new Metric({
    namespace: "AWS/ApiGateway",
    metricName: "ExecutionError",
    dimensionsMap: { ApiId: tunnelApi.apiId, Stage: tunnelApi.stageName },
    period: minute,
    statistic: Stats.SUM,
  });
}

function throttledRequests({ table: { table } }: DataStack): IMetric {
  const metric = (operation: Operation): [string, IMetric] => [
    operation.toLowerCase(),
    new Metric({
      namespace: "AWS/DynamoDB",
      metricName: "ThrottledRequests",
      dimensionsMap: { TableName: table.tableName, Operation: operation },
      period: minute,
      statistic: Stats.SUM,
    }),
  ];
  return sumOfSparse("throttled requests", minute, Object.fromEntries(tableOperations.map(metric)));
}

/**
 * A sum that exists when any of the metrics does: `a + b` has none while one of them has no
 * data, and counts of failures have data only when something fails.
 */
function sumOfSparse(label: string, period: Duration, usingMetrics: Record<string, IMetric>): IMetric {
  const filled = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
  return new MathExpression({ expression: `SUM([${filled.join(", ")}])`, usingMetrics, period, label });
}
