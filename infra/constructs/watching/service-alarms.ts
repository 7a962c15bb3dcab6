import { type IAlarmAction, type IMetric, MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, LogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { metricsNamespace } from "../../../shared/contract/service-metrics.ts";
import { loggedErrorCodes } from "../../../shared/vocabulary/error-codes.ts";
import { type FleetFall, fleetFalls } from "../../../shared/vocabulary/machines.ts";
import { claimedConcurrencyMax } from "../../concurrency.ts";
import type { Settings } from "../../settings.ts";
import { ServiceAlarm, type ServiceAlarmProps, type Severity } from "./alarm.ts";
import { BurnRateAlarms } from "./burn-rate-alarms.ts";
import { serverErrorPercent } from "./server-errors.ts";
import { serviceMetric, sumOfSparse } from "./service-metric.ts";
import { messagesIn, type Watched } from "./watched.ts";

export interface ServiceAlarmsProps {
  readonly watched: Watched;
  readonly settings: Pick<Settings, "deployment" | "lambdaConcurrency">;
  readonly action: IAlarmAction;
}

const minute = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);

export class ServiceAlarms extends Construct {
  constructor(scope: Construct, id: string, { watched, settings, action }: ServiceAlarmsProps) {
    super(scope, id);
    const { deployment, lambdaConcurrency } = settings;
    const alarm = (alarmId: string, props: Omit<ServiceAlarmProps, "action" | "deployment">) =>
      new ServiceAlarm(this, alarmId, { ...props, deployment, action });
    const metricNamespace = `${metricsNamespace}/${deployment}`;
    const sumOfLines = (metricName: string) =>
      new Metric({ namespace: metricNamespace, metricName, period: fiveMinutes, statistic: Stats.SUM });
    const { parts } = watched;
    const waiting = (queueName: string) =>
      messagesIn(queueName, { period: minute, statistic: Stats.MAXIMUM });
    for (const [name, logGroupName] of Object.entries(watched.logGroups)) {
      const logGroup = LogGroup.fromLogGroupName(this, `${name}-logs`, logGroupName);
      new MetricFilter(this, `${name}-logged-errors`, {
        logGroup,
        filterPattern: FilterPattern.stringValue("$.level", "=", "error"),
        metricNamespace,
        metricName: "errors logged",
      });
      new MetricFilter(this, `${name}-secrets-full`, {
        logGroup,
        filterPattern: FilterPattern.stringValue("$.error_code", "=", loggedErrorCodes.secretsFull),
        metricNamespace,
        metricName: "secrets full",
      });
    }
    new BurnRateAlarms(this, "http-server-errors", {
      deployment,
      heading: "HTTP server errors",
      badPercent: (period) => serverErrorPercent({ apiId: parts.httpApiId, deployment, period }),
      budgetPercent: 0.1,
      action,
    });
    new BurnRateAlarms(this, "slow-responses", {
      deployment,
      heading: "Slow responses",
      badPercent: (period) =>
        percentAbove(1_000, serviceMetric({ deployment, period, name: "service_ms", outcome: "ok" })),
      budgetPercent: 5,
      action,
    });
    new BurnRateAlarms(this, "waiting-age", {
      deployment,
      heading: "Runs wait",
      badPercent: (period) => percentAbove(10_000, serviceMetric({ deployment, period, name: "matched_ms" })),
      budgetPercent: 1,
      action,
    });
    for (const [name, severity] of falls) {
      const { minutes, percent } = fleetFalls[name];
      alarm(`machines-lost-${severity}`, {
        severity,
        heading: "Machines lost",
        subject: `${minutes} minutes`,
        metric: serviceMetric({
          deployment,
          name,
          period: Duration.minutes(minutes),
          statistic: Stats.MAXIMUM,
        }),
        threshold: percent,
      });
    }
    alarm("concurrency-claimed", {
      severity: "critical",
      heading: "Concurrency claimed",
      // This metric covers all functions of the account.
      metric: new Metric({
        namespace: "AWS/Lambda",
        metricName: "ClaimedAccountConcurrency",
        period: minute,
        statistic: Stats.MAXIMUM,
      }),
      threshold: claimedConcurrencyMax(lambdaConcurrency),
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
    });
    // The share of failed requests does not cover these functions.
    for (const name of ["tunnel", "sweeper", "scheduler", "executions-watch"]) {
      alarm(`${name}-errors`, {
        severity: "critical",
        heading: "Function errors",
        subject: name,
        metric: watched.functionMetric(name, "Errors", { period: minute, statistic: Stats.SUM }),
        evaluationPeriods: 5,
        datapointsToAlarm: 3,
      });
    }
    alarm("errors-logged", {
      severity: "warning",
      heading: "Errors logged",
      metric: sumOfLines("errors logged"),
      evaluationPeriods: 3,
    });
    alarm("secrets-full", {
      severity: "critical",
      heading: "Secrets full",
      metric: sumOfLines("secrets full"),
    });
    alarm("tunnel-integration-errors", {
      severity: "critical",
      heading: "Tunnel integration errors",
      metric: tunnelExecutionErrors(watched),
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
    });
    const streams = [
      { name: "stream", heading: "Stream", ofFunction: "projector", failures: parts.projectorFailures },
      { name: "matching", heading: "Matching", ofFunction: "matcher", failures: parts.matcherFailures },
    ] as const;
    for (const { name, heading, ofFunction, failures } of streams) {
      alarm(`${name}-failures`, {
        severity: "critical",
        heading: `${heading} failures`,
        metric: waiting(failures),
      });
      alarm(`${name}-behind`, {
        severity: name === "stream" ? "warning" : "critical",
        heading: `${heading} behind`,
        metric: watched.functionMetric(ofFunction, "IteratorAge", {
          period: minute,
          statistic: Stats.MAXIMUM,
        }),
        threshold: (name === "stream" ? fiveMinutes : minute).toMilliseconds(),
        evaluationPeriods: 3,
      });
    }
    alarm("executions-failed", {
      severity: "critical",
      heading: "Executions failed",
      metric: sumOfSparse(
        "executions failed",
        fiveMinutes,
        Object.fromEntries(
          ["Failed", "TimedOut"].map((ending) => [
            ending.toLowerCase(),
            watched.functionMetric("executor", `DurableExecution${ending}`, {
              period: fiveMinutes,
              statistic: Stats.SUM,
            }),
          ]),
        ),
      ),
    });
    alarm("execution-dead-letters", {
      severity: "critical",
      heading: "Execution dead letters",
      metric: waiting(parts.executorDeadLetters),
    });
    alarm("webhook-dead-letters", {
      severity: "warning",
      heading: "Webhook dead letters",
      metric: waiting(parts.webhookDeadLetters),
    });
    alarm("executions-quota", {
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
    });
    alarm("sweeper-not-running", {
      severity: "critical",
      heading: "Sweeper not running",
      metric: watched.functionMetric("sweeper", "Invocations", {
        period: fiveMinutes,
        statistic: Stats.SUM,
      }),
      threshold: 1,
      alarmsBelow: true,
      alarmsWhenMissing: true,
    });
    alarm("schedules-late", {
      severity: "critical",
      heading: "Schedules late",
      metric: serviceMetric({
        deployment,
        name: "schedules_late_ms",
        period: minute,
        statistic: Stats.MAXIMUM,
      }),
      threshold: Duration.minutes(2).toMilliseconds(),
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
      // Each invocation tells, so silence is the timer's or the function's.
      alarmsWhenMissing: true,
    });
    alarm("deletions-left-over", {
      severity: "warning",
      heading: "Deletions left over",
      metric: serviceMetric({ deployment, name: "deletions_left_over", period: fiveMinutes }),
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
    });
    alarm("unnamed-held-back", {
      severity: "critical",
      heading: "Sweeper holds back",
      metric: serviceMetric({ deployment, name: "unnamed_held_back", period: fiveMinutes }),
    });
  }
}

const falls = [
  ["machines_lost_percent", "critical"],
  ["machines_lost_hour_percent", "warning"],
] as const satisfies readonly (readonly [FleetFall, Severity])[];

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
function tunnelExecutionErrors({ parts }: Watched): IMetric {
  return new Metric({
    namespace: "AWS/ApiGateway",
    metricName: "ExecutionError",
    dimensionsMap: { ApiId: parts.webSocketApiId, Stage: parts.webSocketStage },
    period: minute,
    statistic: Stats.SUM,
  });
}
