import { Metric, type MetricOptions, Stats } from "aws-cdk-lib/aws-cloudwatch";

/** A count that the sweeper writes into its log every minute: 0 when there was nothing to repair. */
export function sweepMetric(deployment: string, metricName: string, options: MetricOptions): Metric {
  return new Metric({
    namespace: "DesktopAutomationService",
    metricName,
    dimensionsMap: { deployment },
    statistic: Stats.SUM,
    label: metricName,
    ...options,
  });
}
