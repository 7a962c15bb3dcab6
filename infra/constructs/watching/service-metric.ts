import { type IMetric, MathExpression, Metric, type MetricOptions, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Duration } from "aws-cdk-lib/core";
import { metricsNamespace, type RequestOutcome } from "../../../shared/contract/service-metrics.ts";

export interface ServiceMetricProps extends Omit<MetricOptions, "dimensionsMap"> {
  readonly deployment: string;
  /** The name is a field of `measuredLines`. */
  readonly name: string;
  readonly outcome?: RequestOutcome;
}

export function serviceMetric({ deployment, name, outcome, ...options }: ServiceMetricProps): Metric {
  return new Metric({
    namespace: metricsNamespace,
    metricName: name,
    dimensionsMap: { deployment, ...(outcome === undefined ? {} : { outcome }) },
    statistic: Stats.SUM,
    label: outcome ?? name,
    ...options,
  });
}

/** `a + b` has no value while one has no data, and failures have data only when something fails. */
export function sumOfSparse(label: string, period: Duration, usingMetrics: Record<string, IMetric>): IMetric {
  const filled = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
  return new MathExpression({ expression: `SUM([${filled.join(", ")}])`, usingMetrics, period, label });
}
