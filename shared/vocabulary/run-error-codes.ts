/** Why a run did not succeed, as its `error_code` says it. */
export const runErrorCodes = [
  "check_needs_model",
  "confirmation_needed",
  "executor_failed",
  "file_failed",
  "input_missing",
  "input_not_recorded",
  "limit_reached",
  "machine_unavailable",
  "model_configuration_missing",
  "model_not_found",
  "model_refused",
  "outcome_not_seen",
  "output_invalid",
  "platform_budget_reached",
  "provider_key_invalid",
  "provider_key_missing",
  "provider_rejected",
  "provider_unavailable",
  "replay_diverged",
  "secrets_gone",
  "start_not_reached",
  "step_failed",
  "step_keeps_failing",
  "stuck",
  "task_failed",
  "trajectory_invalid",
  "trajectory_missing",
  "trajectory_needs_model",
] as const;
export type RunErrorCode = (typeof runErrorCodes)[number];

/** When a run has which. Apart from the codes, so that no function's bundle has the sentences. */
export const runErrorMeanings: Readonly<Record<RunErrorCode, string>> = {
  check_needs_model: "one of the checks of a verifying run is a sentence, which a model would have to judge",
  confirmation_needed:
    "the model's provider demands a person's confirmation of what it is about to do, which the service never gives",
  executor_failed: "the service could not go on with it; nothing of the workflow or the desktop is wrong",
  file_failed: "an input file could not be put on the desktop, or an exported one not fetched",
  input_missing: "the prompt or a step names an input or a secret that nobody gave",
  input_not_recorded:
    "the trajectory was recorded with another value of an input that none of its elements names, or types what stood on the recorded screen; nothing was done",
  limit_reached: "max_steps, max_duration_seconds or max_tokens of its workflow",
  machine_unavailable: "the machine was disconnected for too long, or its driver did not respond",
  model_configuration_missing: "the model configuration that it or its workflow names is not there any more",
  model_not_found: "the provider does not know the model",
  model_refused: "the model refused to go on, or its provider filtered what it replied",
  outcome_not_seen:
    "every step was done, but the last screen is not the recorded one, or a file is not there",
  output_invalid: "the output does not fit the workflow's output_schema",
  platform_budget_reached:
    "the organization's tokens of the day on the platform's own keys are used up: put a key of your own into the slot",
  provider_key_invalid: "the provider refuses the organization's key",
  provider_key_missing: "the model's provider has no key",
  provider_rejected: "the provider does not take what the service asks, in its own words",
  provider_unavailable: "the model's provider did not respond for too long",
  replay_diverged: "the screen is not the recorded one; nothing was clicked on a guess",
  secrets_gone: "values of sensitive inputs are not there any more",
  start_not_reached:
    "the first recorded screen was not seen, nor led back to by the trajectory's `reset`: nothing was done, nor on another machine of the run's pools where one was ready",
  step_failed: "the desktop refused an action",
  step_keeps_failing: "a step ended its function again and again",
  stuck: "the model repeated an action that changed nothing, or did not act at all",
  task_failed: "the workflow or the model said so, with its reason",
  trajectory_invalid: "the main approved trajectory has an element that cannot be replayed",
  trajectory_missing: "the workflow has no main approved trajectory",
  trajectory_needs_model: "a step of the trajectory has to be decided by a model, and there is none",
};
