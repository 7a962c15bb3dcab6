import { type IMetric, MathExpression, Metric, type MetricOptions, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Duration } from "aws-cdk-lib/core";
import { metricsNamespace, type RequestOutcome } from "../../../shared/contract/service-metrics.ts";
import type { CoveredProvider } from "../../../shared/vocabulary/providers.ts";

export interface ServiceMetricProps extends Omit<MetricOptions, "dimensionsMap"> {
  readonly deployment: string;
  /** The name is a field of `measuredLines`. */
  readonly name: string;
  readonly outcome?: RequestOutcome;
  /** Metrics of models' calls are split by it. */
  readonly provider?: CoveredProvider;
}

export function serviceMetric({
  deployment,
  name,
  outcome,
  provider,
  ...options
}: ServiceMetricProps): Metric {
  return new Metric({
    namespace: metricsNamespace,
    metricName: name,
    dimensionsMap: { deployment, ...(outcome && { outcome }), ...(provider && { provider }) },
    statistic: Stats.SUM,
    label: outcome ?? provider ?? name,
    ...options,
  });
}

/** `a + b` has no value while one has no data, and failures have data only when something fails. */
export function sumOfSparse(label: string, period: Duration, usingMetrics: Record<string, IMetric>): IMetric {
  const filled = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
  return new MathExpression({ expression: `SUM([${filled.join(", ")}])`, usingMetrics, period, label });
}
