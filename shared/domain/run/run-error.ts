/** Why a run did not succeed, as `error_code` says it. */
export const runErrorCodes = [
  "check_needs_model",
  "confirmation_needed",
  "executor_failed",
  "file_failed",
  "input_missing",
  "limit_reached",
  "machine_unavailable",
  "model_not_found",
  "model_refused",
  "outcome_not_seen",
  "output_invalid",
  "provider_key_invalid",
  "provider_key_missing",
  "provider_rejected",
  "provider_unavailable",
  "replay_diverged",
  "secrets_gone",
  "step_failed",
  "step_keeps_failing",
  "stuck",
  "task_failed",
  "trajectory_invalid",
  "trajectory_missing",
  "trajectory_needs_model",
] as const;

export type RunErrorCode = (typeof runErrorCodes)[number];
