import { type MeasuredLine, measuredLines, metricsNamespace } from "../contract/service-metrics.ts";
import type { LogFields } from "../domain/logger.ts";

/** CloudWatch extracts a line's metrics by this field, which is undefined for a line without any. */
export function embeddedMetrics(
  message: string,
  fields: LogFields,
  { deployment, nowMs }: { readonly deployment: string; readonly nowMs: number },
): LogFields | undefined {
  if (!Object.hasOwn(measuredLines, message)) return undefined;
  const { milliseconds = [], counts = [], by, together = [] }: MeasuredLine = measuredLines[message] ?? {};
  const present = (names: readonly string[], Unit: string) =>
    names.filter((name) => typeof fields[name] === "number").map((Name) => ({ Name, Unit }));
  const isSplit = by === undefined || fields[by] !== undefined;
  const directives = [
    {
      Namespace: metricsNamespace,
      Dimensions: [by === undefined ? ["deployment"] : ["deployment", by]],
      Metrics: isSplit ? [...present(milliseconds, "Milliseconds"), ...present(counts, "Count")] : [],
    },
    {
      Namespace: metricsNamespace,
      Dimensions: [["deployment"]],
      Metrics: present(together, "Milliseconds"),
    },
  ];
  const CloudWatchMetrics = directives.filter(({ Metrics }) => Metrics.length > 0);
  if (CloudWatchMetrics.length === 0) return undefined;
  return { _aws: { Timestamp: nowMs, CloudWatchMetrics }, deployment };
}
