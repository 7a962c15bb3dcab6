import { fleetFalls } from "../vocabulary/machines.ts";

export const metricsNamespace = "DesktopAutomationService";

/** Only `failed` counts against the service. */
export const requestOutcomes = ["ok", "refused", "desktop_failed", "failed"] as const;

export type RequestOutcome = (typeof requestOutcomes)[number];

export const sweeps = [
  "silent_connections",
  "revoked_connections",
  "ended_viewers",
  "deletions",
  "run_secret_deletions",
  "expired_attachments",
  "expired_runs",
  "due_uploads",
  "waiting_runs",
  "idle_machines",
  "vanished_machines",
  "stray_executions",
  "service_places",
  "waiting_deliveries",
  "idle_sessions",
  "interrupted_clearings",
  "ended_recordings",
  "unnamed_secrets",
  "unnamed_objects",
] as const;

export type Sweep = (typeof sweeps)[number];

export interface MeasuredLine {
  readonly milliseconds?: readonly string[];
  readonly counts?: readonly string[];
  /** The metrics of these two lists are split by this field's values; a line without the field has none of them. */
  readonly by?: string;
  /** Milliseconds that are not split. */
  readonly together?: readonly string[];
}

/**
 * CloudWatch makes metrics of these lines, by their message; each field and each value of `by` is one metric of the
 * bill.
 *
 * Source:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const measuredLines: Readonly<Record<string, MeasuredLine>> = {
  /** `service_ms` is without the desktops' share; its number of samples is that of requests. */
  request: { milliseconds: ["service_ms"], by: "outcome", together: ["desktop_ms"] },
  /** `waited_ms` counts from the queueing, also while machines are busy; `matched_ms` is the service's own time. */
  "run assigned": { milliseconds: ["waited_ms", "matched_ms"] },
  /** A step of a run in which a model was called. Failures are those of the provider, not of keys or models' names. */
  "step taken": {
    milliseconds: ["model_ms"],
    counts: ["model_failures", "model_refusals"],
    by: "provider",
  },
  /** The first attempt of a delivery has the time since its event. */
  "a webhook was sent": { milliseconds: ["webhook_late_ms"] },
  /** An instance that starts without V8's code cache writes this line. */
  "code cache unused": { counts: ["code_cache_unused"] },
  /** The age of the oldest occurrence that an invocation of the scheduler has found due. */
  "schedules fired": { milliseconds: ["schedules_late_ms"] },
  swept: {
    milliseconds: ["oldest_waiting_ms"],
    counts: [
      "connected_machines",
      "runs_waiting",
      "service_runs_under_way",
      "service_runs_max",
      "service_organizations_in_line",
      "sweeps_behind",
      "deletions_left_over",
      "matching_left_over",
      "unnamed_held_back",
      ...Object.keys(fleetFalls),
      ...sweeps,
    ],
  },
};
