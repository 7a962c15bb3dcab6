import { Dashboard, GraphWidget, type IMetric, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { DataStack } from "../../stacks/data.ts";
import type { ServiceStack } from "../../stacks/service.ts";
import { sweepMetric } from "./sweep-metric.ts";

const period = Duration.minutes(1);

export interface ServiceDashboardProps {
  readonly data: DataStack;
  readonly service: ServiceStack;
  readonly deployment: string;
}

/** What the sweeper counts, by its sweep's name. */
const sweeps = [
  "silent_connections",
  "revoked_connections",
  "deletions_left_over",
  "matching_left_over",
  "waiting_runs",
  "idle_machines",
  "vanished_machines",
  "stray_executions",
  "idle_sessions",
  "interrupted_clearings",
  "unnamed_secrets",
  "unnamed_objects",
] as const;

/** One page: what customers see, then what the functions do, then what they depend on. */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, { data, service, deployment }: ServiceDashboardProps) {
    super(scope, id);
    const functions = [...service.functions.entries()];
    const { table } = data.table;
    new Dashboard(this, "Dashboard", {
      widgets: [
        [
          graph(
            "HTTP requests",
            ["Count", "4xx", "5xx"].map((name) => httpMetric(service, name, Stats.SUM)),
          ),
          graph(
            "HTTP latency, ms",
            ["p50", "p99"].map((statistic) => httpMetric(service, "Latency", statistic)),
          ),
          graph(
            "Tunnel",
            ["ConnectCount", "MessageCount", "IntegrationError", "ExecutionError"].map((name) =>
              tunnelMetric(service, name),
            ),
          ),
        ],
        [
          graph(
            "Invocations",
            functions.map(([label, { lambda }]) => lambda.metricInvocations({ label, period })),
          ),
          graph(
            "Errors",
            functions.map(([label, { lambda }]) => lambda.metricErrors({ label, period })),
          ),
          graph(
            "Duration p99, ms",
            functions.map(([label, { lambda }]) =>
              lambda.metricDuration({ label, period, statistic: "p99" }),
            ),
          ),
        ],
        [
          graph("Table capacity used", [
            table.metricConsumedReadCapacityUnits({ period }),
            table.metricConsumedWriteCapacityUnits({ period }),
          ]),
          graph(
            "Stream age, ms",
            Object.entries({ projector: service.projector, matcher: service.matcher }).map(
              ([label, { lambda }]) =>
                lambda.metric("IteratorAge", { label, period, statistic: Stats.MAXIMUM }),
            ),
          ),
          graph(
            "Concurrent executions",
            functions.map(([label, { lambda }]) =>
              lambda.metric("ConcurrentExecutions", { label, period, statistic: Stats.MAXIMUM }),
            ),
          ),
        ],
        [
          graph(
            "Repaired by the sweeper",
            sweeps.map((sweep) => sweepMetric(deployment, sweep, { period })),
          ),
          graph(
            "Stream failures",
            Object.entries({ projector: service.projections, matcher: service.matches }).map(
              ([label, { failures }]) =>
                failures.metricApproximateNumberOfMessagesVisible({
                  label,
                  period,
                  statistic: Stats.MAXIMUM,
                }),
            ),
          ),
          graph(
            "Executions",
            ["Started", "Succeeded", "Failed", "TimedOut", "Stopped"].map((label) =>
              service.executor.lambda.metric(`DurableExecution${label}`, {
                label,
                period,
                statistic: Stats.SUM,
              }),
            ),
          ),
        ],
        [
          graph("Executions under way", [executorMaximum(service, "ApproximateRunningDurableExecutions")]),
          graph("Operations of an execution, at most", [
            executorMaximum(service, "DurableExecutionOperations"),
          ]),
        ],
      ],
    });
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 });
}

function httpMetric({ operationsApi }: ServiceStack, metricName: string, statistic: string): Metric {
  return new Metric({
    namespace: "AWS/ApiGateway",
    metricName,
    dimensionsMap: { ApiId: operationsApi.apiId },
    period,
    statistic,
    label: statistic === Stats.SUM ? metricName : statistic,
  });
}

function executorMaximum({ executor }: ServiceStack, metricName: string): IMetric {
  return executor.lambda.metric(metricName, { period, statistic: Stats.MAXIMUM });
}

function tunnelMetric({ tunnelApi }: ServiceStack, metricName: string): Metric {
  return new Metric({
    namespace: "AWS/ApiGateway",
    metricName,
    dimensionsMap: { ApiId: tunnelApi.apiId, Stage: tunnelApi.stageName },
    period,
    statistic: Stats.SUM,
    label: metricName,
  });
}
