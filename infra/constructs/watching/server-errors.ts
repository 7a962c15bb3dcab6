import { MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Duration } from "aws-cdk-lib/core";
import { serviceMetric } from "./service-metric.ts";

export interface ServerErrorsProps {
  readonly apiId: string;
  readonly deployment: string;
  readonly period: Duration;
}

/** Fewer failures are not a meaningful share: one of three requests at night alarms nobody. */
const failuresMin = 5;

/** The 5xx of API Gateway itself count, those of desktops and their networks do not. */
export function serverErrorPercent({ apiId, deployment, period }: ServerErrorsProps): MathExpression {
  const ofApi = (metricName: string) =>
    new Metric({
      namespace: "AWS/ApiGateway",
      metricName,
      dimensionsMap: { ApiId: apiId },
      period,
      statistic: Stats.SUM,
    });
  const desktops = serviceMetric({
    deployment,
    period,
    name: "service_ms",
    outcome: "desktop_failed",
    statistic: Stats.SAMPLE_COUNT,
  });
  const failures = "(FILL(failed, 0) - FILL(desktops, 0))";
  return new MathExpression({
    expression: `IF(${failures} >= ${failuresMin}, 100 * ${failures} / requests, 0)`,
    usingMetrics: { requests: ofApi("Count"), failed: ofApi("5xx"), desktops },
    period,
    label: "% of requests",
  });
}
