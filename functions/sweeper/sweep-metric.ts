/** Sweeps that finish what the projector should have finished. */
const leftByProjector = /(^|_)deletions$/;

/**
 * Fields from which CloudWatch extracts metrics: how much each sweep repaired, the total (`repaired`), and what alarms
 * watch: what the projector left undone (`deletions_left_over`), and what is unnamed and kept (`unnamed_held_back`).
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function sweepMetric(
  deployment: string,
  nowMs: number,
  repaired: Readonly<Record<string, number>>,
  heldBack: number,
): Readonly<Record<string, unknown>> {
  const leftOver = Object.entries(repaired).filter(([sweep]) => leftByProjector.test(sweep));
  const counts = {
    ...repaired,
    repaired: sum(Object.values(repaired)),
    deletions_left_over: sum(leftOver.map(([, count]) => count)),
    unnamed_held_back: heldBack,
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
