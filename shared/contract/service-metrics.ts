/** Where CloudWatch keeps the service's metrics, each with the dimension `deployment`. */
export const metricsNamespace = "DesktopAutomationService";

/** Whose doing a response was. The service's own failures alone count against it. */
export const requestOutcomes = ["ok", "refused", "desktop_failed", "failed"] as const;

export type RequestOutcome = (typeof requestOutcomes)[number];

/** The sweeper's sweeps; its log line has how much each did. */
export const sweeps = [
  "silent_connections",
  "revoked_connections",
  "deletions",
  "run_secret_deletions",
  "expired_attachments",
  "expired_runs",
  "due_uploads",
  "waiting_runs",
  "idle_machines",
  "vanished_machines",
  "stray_executions",
  "idle_sessions",
  "interrupted_clearings",
  "unnamed_secrets",
  "unnamed_objects",
] as const;

export type Sweep = (typeof sweeps)[number];

/** Fields of a log line that CloudWatch makes metrics of, in its units. */
export interface MeasuredLine {
  readonly milliseconds?: readonly string[];
  readonly counts?: readonly string[];
  /** The field by whose values the metrics are kept apart as well. */
  readonly by?: string;
}

/**
 * The log lines with metrics, by their message. They are written at every log level, in CloudWatch's embedded metric
 * format. Each field and value of `by` is one metric of the bill.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const measuredLines: Readonly<Record<string, MeasuredLine>> = {
  /** Without what the desktops took. Its number of samples is the number of requests. */
  request: { milliseconds: ["service_ms"], by: "outcome" },
  "driver requested": { milliseconds: ["desktop_ms"] },
  /**
   * `waited_ms` since it was queued, also while customers' machines were busy; `matched_ms` since the change that made
   * the assignment possible, which is the service's own time.
   */
  "run assigned": { milliseconds: ["waited_ms", "matched_ms"] },
  swept: {
    milliseconds: ["oldest_waiting_ms"],
    counts: [
      "connected_machines",
      "runs_waiting",
      "sweeps_behind",
      "deletions_left_over",
      "matching_left_over",
      "unnamed_held_back",
      ...sweeps,
    ],
  },
};
