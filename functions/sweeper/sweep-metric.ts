/**
 * Fields that make CloudWatch take a metric out of the log line that carries them: how much was mended.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function sweepMetric(
  deployment: string,
  nowMs: number,
  mended: Readonly<Record<string, number>>,
): Readonly<Record<string, unknown>> {
  return {
    _aws: {
      Timestamp: nowMs,
      CloudWatchMetrics: [
        {
          Namespace: "DesktopAutomationService",
          Dimensions: [["deployment"]],
          Metrics: [{ Name: "mended", Unit: "Count" }],
        },
      ],
    },
    deployment,
    mended: Object.values(mended).reduce((sum, count) => sum + count, 0),
  };
}
