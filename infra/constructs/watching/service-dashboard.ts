import { Dashboard, GraphWidget, type IMetric, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Operation } from "aws-cdk-lib/aws-dynamodb";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { requestOutcomes, sweeps } from "../../../shared/contract/service-metrics.ts";
import { coveredProviders } from "../../../shared/vocabulary/providers.ts";
import { type ServiceMetricProps, serviceMetric } from "./service-metric.ts";
import { messagesIn, tableMetric, type Watched } from "./watched.ts";

const period = Duration.minutes(1);

export interface ServiceDashboardProps {
  readonly watched: Watched;
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
  constructor(scope: Construct, id: string, { watched, deployment }: ServiceDashboardProps) {
    super(scope, id);
    const { parts, data } = watched;
    const maximum = (name: string) => serviceMetric({ deployment, name, period, statistic: Stats.MAXIMUM });
    const ofFunction = (name: string, metricName: string, statistic: string, label = name) =>
      watched.functionMetric(name, metricName, { label, period, statistic });
    const graphOfFunctions = (title: string, metricName: string, statistic: string) =>
      graph(
        title,
        Object.keys(watched.functions).map((name) => ofFunction(name, metricName, statistic)),
      );
    const executorMaximum = (name: string) => ofFunction("executor", name, Stats.MAXIMUM);
    const ofProviders = (name: string, statistic: string, more = "") =>
      Object.values(coveredProviders)
        .flat()
        .map((provider) =>
          serviceMetric({ deployment, name, provider, period, statistic, label: `${provider}${more}` }),
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
            ["Count", "4xx", "5xx"].map((name) => httpMetric(watched, name, Stats.SUM)),
          ),
          graph(
            "HTTP latency, ms",
            ["p50", "p99"].map((statistic) => httpMetric(watched, "Latency", statistic)),
          ),
          graph(
            "Tunnel",
            ["ConnectCount", "MessageCount", "IntegrationError", "ExecutionError"].map((name) =>
              tunnelMetric(watched, name),
            ),
          ),
        ],
        [
          graphOfFunctions("Invocations", "Invocations", Stats.SUM),
          graphOfFunctions("Errors", "Errors", Stats.SUM),
          graphOfFunctions("Duration p99, ms", "Duration", "p99"),
        ],
        [
          graph(
            "Table capacity used",
            ["ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits"].map((name) =>
              tableMetric(data.tableName, name, { period, statistic: Stats.SUM }),
            ),
          ),
          graph(
            "Stream age, ms",
            ["projector", "matcher"].map((name) => ofFunction(name, "IteratorAge", Stats.MAXIMUM)),
          ),
          graphOfFunctions("Concurrent executions", "ConcurrentExecutions", Stats.MAXIMUM),
        ],
        [
          graph(
            "Repaired by the sweeper",
            sweeps.map((name) => serviceMetric({ deployment, name, period })),
          ),
          graph(
            "Stream failures",
            Object.entries({ projector: parts.projectorFailures, matcher: parts.matcherFailures }).map(
              ([label, queueName]) => messagesIn(queueName, { label, period, statistic: Stats.MAXIMUM }),
            ),
          ),
          graph(
            "Executions",
            ["Started", "Succeeded", "Failed", "TimedOut", "Stopped"].map((label) =>
              ofFunction("executor", `DurableExecution${label}`, Stats.SUM, label),
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
                  dimensionsMap: { TableName: data.tableName, Operation: operation },
                  period,
                  statistic: Stats.SUM,
                  label: operation,
                }),
            ),
          ),
          graph("Executions under way", [
            executorMaximum("ApproximateRunningDurableExecutions"),
            ...["service_runs_under_way", "service_runs_max"].map(maximum),
          ]),
          graph("Operations of an execution, at most", [executorMaximum("DurableExecutionOperations")]),
        ],
        [
          graph("Calls of models p95, ms", ofProviders("model_ms", "p95")),
          graph("Failed and refused calls of models", [
            ...ofProviders("model_failures", Stats.SUM),
            ...ofProviders("model_refusals", Stats.SUM, " refused"),
          ]),
          graph(
            "First attempts of webhooks after their events, ms",
            percentiles({ deployment, name: "webhook_late_ms" }),
          ),
        ],
        [graphOfFunctions("Function throttles", "Throttles", Stats.SUM)],
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

function httpMetric({ parts }: Watched, metricName: string, statistic: string): Metric {
  return apiMetric({ ApiId: parts.httpApiId }, metricName, statistic);
}

function tunnelMetric({ parts }: Watched, metricName: string): Metric {
  return apiMetric({ ApiId: parts.webSocketApiId, Stage: parts.webSocketStage }, metricName, Stats.SUM);
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
