import { type MeasuredLine, measuredLines, metricsNamespace } from "../contract/service-metrics.ts";
import type { LogFields } from "../domain/logger.ts";

/** CloudWatch extracts a line's metrics by this field, which is undefined for a line without any. */
export function embeddedMetrics(
  message: string,
  fields: LogFields,
  { deployment, nowMs }: { readonly deployment: string; readonly nowMs: number },
): LogFields | undefined {
  if (!Object.hasOwn(measuredLines, message)) return undefined;
  const { milliseconds = [], counts = [], by }: MeasuredLine = measuredLines[message] ?? {};
  const metrics = [
    ...milliseconds.map((Name) => ({ Name, Unit: "Milliseconds" })),
    ...counts.map((Name) => ({ Name, Unit: "Count" })),
  ].filter(({ Name }) => typeof fields[Name] === "number");
  const dimensions = by === undefined ? ["deployment"] : ["deployment", by];
  return {
    _aws: {
      Timestamp: nowMs,
      CloudWatchMetrics: [{ Namespace: metricsNamespace, Dimensions: [dimensions], Metrics: metrics }],
    },
    deployment,
  };
}
