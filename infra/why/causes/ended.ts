import type { RunErrorCode } from "../../../shared/vocabulary/run-error-codes.ts";
import type { Cause, RunFacts } from "../facts.ts";
import { deletedPool } from "./waiting.ts";

const saidMax = 400;

export function causeOfEnd({ run, deletedPoolIds }: RunFacts): Cause {
  const { status, errorCode, error } = run;
  const [pool] = deletedPoolIds;
  const neverBegan = status === "error" && errorCode === null && run.startedAt === null;
  if (neverBegan && pool !== undefined) return deletedPool(pool);
  if (status === "success") {
    return { code: status, sentence: `The run ended well at ${run.endedAt}: nothing is to be done.` };
  }
  const said = (error[0] ?? "nobody said why").slice(0, saidMax);
  const advice = errorCode === null ? adviceWithoutCode : remedies[errorCode];
  return {
    code: errorCode ?? status,
    sentence: `The run ended as ${status}${errorCode === null ? "" : `, ${errorCode}`} (${said}): ${advice}.`,
  };
}

const adviceWithoutCode = "read the reason, and retry the run if it should go on";

const remedies: Readonly<Record<RunErrorCode, string>> = {
  check_needs_model: "verify the trajectory without checks that are sentences",
  confirmation_needed: "have a person do what the provider wants confirmed, or leave it out of the prompt",
  executor_failed: 'retry the run, and see the runbook\'s "Executions failed"',
  file_failed: "see to the file, its path and the desktop's disk, and retry the run",
  hold_timed_out: "retry the run, and resume it in time when it is held",
  input_missing: "start the run anew with that input, or take its name out of the prompt or the step",
  input_not_recorded: "record the trajectory with that input, or let a model do it (replay auto)",
  limit_reached: "raise that limit of the workflow, or see in the run's steps what takes so long",
  machine_unavailable: "see to the desktop's network and driver, and retry the run",
  model_configuration_missing: "name a model configuration that is there",
  model_not_found: "name a model that the provider has",
  model_refused: "change the prompt, or name a fallback model",
  outcome_not_seen: "compare the last step's picture with the trajectory's expect",
  output_invalid: "compare the workflow's output_schema with what the model puts out",
  platform_budget_reached: "put a key of the organization's own into the slot, or raise platformTokensPerDay",
  provider_key_invalid: "put a key into the slot that the provider takes",
  provider_key_missing: "put the provider's key into the slot",
  provider_rejected:
    "read the provider's words: an additional_params, an unpaid account, or a change of its interface",
  provider_unavailable: "look at the provider's status page, and retry the run or name a fallback model",
  replay_diverged:
    "compare that step's picture with the recorded one, and record the trajectory anew or let a model go on (replay auto)",
  secrets_gone: "start the run anew with its sensitive values",
  start_not_reached: "bring the desktop to the first recorded screen, or give the trajectory a reset",
  step_failed: "see to what the desktop says, and retry the run",
  step_keeps_failing: "read the executor's log of that time (time-out, memory), and retry the run",
  stuck: "look at the last steps' pictures, and change the prompt",
  task_failed: "read the reason that the workflow or the model gave",
  trajectory_invalid: "repair the element of the trajectory that it names",
  trajectory_missing: "approve a trajectory and make it the main one, or let a model do it (replay auto)",
  trajectory_needs_model: "let a model do those steps (replay auto), or record them anew",
};
