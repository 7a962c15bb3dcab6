import { type IAlarmAction, type IMetric, MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, MetricFilter } from "aws-cdk-lib/aws-logs";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { metricsNamespace } from "../../../shared/contract/service-metrics.ts";
import { claimedConcurrencyMax } from "../../concurrency.ts";
import type { ServiceStack } from "../../stacks/service.ts";
import { ServiceAlarm } from "./alarm.ts";
import { BurnRateAlarms } from "./burn-rate-alarms.ts";
import { serverErrorPercent } from "./server-errors.ts";
import { serviceMetric } from "./service-metric.ts";

export interface ServiceAlarmsProps {
  readonly service: ServiceStack;
  readonly deployment: string;
  readonly action: IAlarmAction;
}

const minute = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);

export class ServiceAlarms extends Construct {
  constructor(scope: Construct, id: string, { service, deployment, action }: ServiceAlarmsProps) {
    super(scope, id);
    const ofAll = { namespace: `${metricsNamespace}/${deployment}` };
    const logged = { ...ofAll, metricName: "errors logged" };
    const secretsFull = { ...ofAll, metricName: "secrets full" };
    for (const [name, { logs }] of service.functions) {
      new MetricFilter(this, `${name}-logged-errors`, {
        logGroup: logs,
        filterPattern: FilterPattern.stringValue("$.level", "=", "error"),
        metricNamespace: logged.namespace,
        metricName: logged.metricName,
      });
      // A full Secrets Manager is the cause of a 503.
      new MetricFilter(this, `${name}-secrets-full`, {
        logGroup: logs,
        filterPattern: FilterPattern.stringValue("$.cause.name", "=", "LimitExceededException"),
        metricNamespace: secretsFull.namespace,
        metricName: secretsFull.metricName,
      });
    }
    new BurnRateAlarms(this, "http-server-errors", {
      heading: "HTTP server errors",
      badPercent: (period) => serverErrorPercent({ apiId: service.operationsApi.apiId, deployment, period }),
      budgetPercent: 0.1,
      action,
    });
    new BurnRateAlarms(this, "slow-responses", {
      heading: "Slow responses",
      badPercent: (period) =>
        percentAbove(1_000, serviceMetric({ deployment, period, name: "service_ms", outcome: "ok" })),
      budgetPercent: 5,
      action,
    });
    new BurnRateAlarms(this, "waiting-age", {
      heading: "Runs wait",
      badPercent: (period) => percentAbove(10_000, serviceMetric({ deployment, period, name: "matched_ms" })),
      budgetPercent: 1,
      action,
    });
    for (const { severity, period, percent } of falls) {
      new ServiceAlarm(this, `machines-lost-${severity}`, {
        severity,
        heading: "Machines lost",
        metric: fallPercent(deployment, period),
        threshold: percent,
        action,
      });
    }
    new ServiceAlarm(this, "concurrency-claimed", {
      severity: "critical",
      heading: "Concurrency claimed",
      // This metric covers all functions of the account.
      metric: new Metric({
        namespace: "AWS/Lambda",
        metricName: "ClaimedAccountConcurrency",
        period: minute,
        statistic: Stats.MAXIMUM,
      }),
      threshold: claimedConcurrencyMax(service.lambdaConcurrency),
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
      action,
    });
    new ServiceAlarm(this, "tunnel-throttles", {
      severity: "critical",
      heading: "Function throttles",
      subject: "tunnel",
      metric: service.tunnel.lambda.metricThrottles({ period: minute }),
      threshold: 0,
      evaluationPeriods: 5,
      datapointsToAlarm: 2,
      action,
    });
    // No share of requests covers these functions.
    for (const name of ["tunnel", "sweeper", "executions-watch"]) {
      const fn = service.functions.get(name);
      if (fn === undefined) throw new Error(`there is no function ${name}`);
      new ServiceAlarm(this, `${name}-errors`, {
        severity: "critical",
        heading: "Function errors",
        subject: name,
        metric: fn.lambda.metricErrors({ period: minute }),
        threshold: 0,
        evaluationPeriods: 5,
        datapointsToAlarm: 3,
        action,
      });
    }
    new ServiceAlarm(this, "errors-logged", {
      severity: "warning",
      heading: "Errors logged",
      metric: new Metric({ ...logged, period: fiveMinutes, statistic: Stats.SUM }),
      threshold: 0,
      evaluationPeriods: 3,
      action,
    });
    new ServiceAlarm(this, "secrets-full", {
      severity: "critical",
      heading: "Secrets full",
      metric: new Metric({ ...secretsFull, period: fiveMinutes, statistic: Stats.SUM }),
      threshold: 0,
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
        metric: messagesIn(consumer.failures),
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
    const { executor, webhookDeliverer } = service;
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
      metric: messagesIn(executor.deadLetters),
      threshold: 0,
      action,
    });
    new ServiceAlarm(this, "webhook-dead-letters", {
      severity: "warning",
      heading: "Webhook dead letters",
      metric: messagesIn(webhookDeliverer.deadLetters),
      threshold: 0,
      action,
    });
    new ServiceAlarm(this, "executions-quota", {
      severity: "warning",
      heading: "Executions near their quota",
      // This metric covers all functions of the account.
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
      metric: serviceMetric({ deployment, name: "deletions_left_over", period: fiveMinutes }),
      threshold: 0,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      action,
    });
    new ServiceAlarm(this, "unnamed-held-back", {
      severity: "critical",
      heading: "Sweeper holds back",
      metric: serviceMetric({ deployment, name: "unnamed_held_back", period: fiveMinutes }),
      threshold: 0,
      action,
    });
  }
}

/** The first is a network of many desktops, the second a fleet that is not switched off for the night. */
const falls = [
  { severity: "critical", period: fiveMinutes, percent: 20 },
  { severity: "warning", period: Duration.hours(1), percent: 50 },
] as const;

/** With fewer machines, a single office would be a large share. */
const machinesMin = 20;

function fallPercent(deployment: string, period: Duration): IMetric {
  return new MathExpression({
    expression: `IF(machines - DIFF(machines) >= ${machinesMin}, -100 * DIFF(machines) / (machines - DIFF(machines)), 0)`,
    usingMetrics: {
      machines: serviceMetric({ deployment, period, name: "connected_machines", statistic: Stats.MINIMUM }),
    },
    period,
    label: "% of machines",
  });
}

function messagesIn(queue: IQueue): IMetric {
  return queue.metricApproximateNumberOfMessagesVisible({ period: minute, statistic: Stats.MAXIMUM });
}

function percentAbove(bound: number, metric: Metric): IMetric {
  const within = metric.with({ statistic: Stats.percentileRank(bound) });
  return new MathExpression({
    expression: "100 - within",
    usingMetrics: { within },
    period: metric.period,
    label: "% of samples",
  });
}

/**
 * `IntegrationError` would also count every handshake that the function refuses.
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

/** `a + b` has no value while one has no data, and failures have data only when something fails. */
function sumOfSparse(label: string, period: Duration, usingMetrics: Record<string, IMetric>): IMetric {
  const filled = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
  return new MathExpression({ expression: `SUM([${filled.join(", ")}])`, usingMetrics, period, label });
}
