/** Sweeps that do what the stream's readers should have done: a few are overtaken, many were not told. */
const leftBy = {
  deletions_left_over: /(^|_)deletions$/,
  matching_left_over: /^(waiting_runs|idle_machines|stray_executions)$/,
} as const;

/**
 * Fields from which CloudWatch extracts metrics: how much each sweep repaired, the total (`repaired`), and what the
 * projector and the matcher left undone, which alarms watch.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function sweepMetric(
  deployment: string,
  nowMs: number,
  repaired: Readonly<Record<string, number>>,
): Readonly<Record<string, unknown>> {
  const leftOver = Object.entries(leftBy).map(([name, sweeps]) => {
    const counts = Object.entries(repaired).filter(([sweep]) => sweeps.test(sweep));
    return [name, sum(counts.map(([, count]) => count))] as const;
  });
  const counts = {
    ...repaired,
    repaired: sum(Object.values(repaired)),
    ...Object.fromEntries(leftOver),
  };
  return {
    _aws: {
      Timestamp: nowMs,
      CloudWatchMetrics: [
        {
          Namespace: "DesktopAutomationService",
          Dimensions: [["deployment"]],
          Metrics: Object.keys(counts).map((Name) => ({ Name, Unit: "Count" })),
        },
      ],
    },
    deployment,
    ...counts,
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
