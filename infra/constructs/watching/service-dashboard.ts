import {
  Dashboard,
  GraphWidget,
  type IMetric,
  Metric,
  type MetricOptions,
  Stats,
} from "aws-cdk-lib/aws-cloudwatch";
import { Operation } from "aws-cdk-lib/aws-dynamodb";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { requestOutcomes, sweeps } from "../../../shared/contract/service-metrics.ts";
import type { DataStack } from "../../stacks/data.ts";
import type { ServiceStack } from "../../stacks/service.ts";
import { type ServiceMetricProps, serviceMetric } from "./service-metric.ts";

const period = Duration.minutes(1);

export interface ServiceDashboardProps {
  readonly data: DataStack;
  readonly service: ServiceStack;
  readonly deployment: string;
}

/** The table's own read and write metrics omit its indexes. */
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

export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, { data, service, deployment }: ServiceDashboardProps) {
    super(scope, id);
    const { inUse: table } = data.table;
    const maximum = (name: string) => serviceMetric({ deployment, name, period, statistic: Stats.MAXIMUM });
    const graphOfFunctions = (title: string, metric: (fn: IFunction, options: MetricOptions) => IMetric) =>
      graph(
        title,
        [...service.functions].map(([label, { lambda }]) => metric(lambda, { label, period })),
      );
    const serviceTime = { deployment, name: "service_ms" };
    new Dashboard(this, "Dashboard", {
      widgets: [
        [
          graph(
            "Requests by outcome",
            requestOutcomes.map((outcome) =>
              serviceMetric({ ...serviceTime, outcome, period, statistic: Stats.SAMPLE_COUNT }),
            ),
          ),
          graph("Own time of requests, ms", percentiles({ ...serviceTime, outcome: "ok" })),
          graph("Calls to desktops, ms", percentiles({ deployment, name: "desktop_ms" })),
        ],
        [
          graph("Fleet", ["connected_machines", "runs_waiting"].map(maximum)),
          graph("Time to assignment, ms", [
            ...percentiles({ deployment, name: "matched_ms" }),
            ...["waited_ms", "oldest_waiting_ms"].map(maximum),
          ]),
          graph("Sweeps behind", [maximum("sweeps_behind")]),
        ],
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
          graphOfFunctions("Invocations", (fn, options) => fn.metricInvocations(options)),
          graphOfFunctions("Errors", (fn, options) => fn.metricErrors(options)),
          graphOfFunctions("Duration p99, ms", (fn, options) =>
            fn.metricDuration({ ...options, statistic: "p99" }),
          ),
        ],
        [
          graph("Table capacity used", [
            table.metricConsumedReadCapacityUnits({ period }),
            table.metricConsumedWriteCapacityUnits({ period }),
          ]),
          graph(
            "Stream age, ms",
            ["projector", "matcher"].map((label) =>
              service
                .functionOf(label)
                .lambda.metric("IteratorAge", { label, period, statistic: Stats.MAXIMUM }),
            ),
          ),
          graphOfFunctions("Concurrent executions", (fn, options) =>
            fn.metric("ConcurrentExecutions", { ...options, statistic: Stats.MAXIMUM }),
          ),
        ],
        [
          graph(
            "Repaired by the sweeper",
            sweeps.map((name) => serviceMetric({ deployment, name, period })),
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
          graph(
            "Table throttles",
            tableOperations.map(
              (operation) =>
                new Metric({
                  namespace: "AWS/DynamoDB",
                  metricName: "ThrottledRequests",
                  dimensionsMap: { TableName: table.tableName, Operation: operation },
                  period,
                  statistic: Stats.SUM,
                  label: operation,
                }),
            ),
          ),
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

function percentiles(of: Pick<ServiceMetricProps, "deployment" | "name" | "outcome">): IMetric[] {
  return ["p50", "p95", "p99"].map((statistic) =>
    serviceMetric({ ...of, period, statistic, label: `${of.name} ${statistic}` }),
  );
}

function httpMetric({ operationsApi }: ServiceStack, metricName: string, statistic: string): Metric {
  return apiMetric({ ApiId: operationsApi.apiId }, metricName, statistic);
}

function tunnelMetric({ tunnelApi }: ServiceStack, metricName: string): Metric {
  return apiMetric({ ApiId: tunnelApi.apiId, Stage: tunnelApi.stageName }, metricName, Stats.SUM);
}

function apiMetric(dimensionsMap: Record<string, string>, metricName: string, statistic: string): Metric {
  return new Metric({
    namespace: "AWS/ApiGateway",
    metricName,
    dimensionsMap,
    period,
    statistic,
    label: statistic === Stats.SUM ? metricName : statistic,
  });
}

function executorMaximum({ executor }: ServiceStack, metricName: string): IMetric {
  return executor.lambda.metric(metricName, { period, statistic: Stats.MAXIMUM });
}
