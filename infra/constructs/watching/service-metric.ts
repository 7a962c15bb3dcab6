import { Metric, type MetricOptions, Stats } from "aws-cdk-lib/aws-cloudwatch";
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
