import type { FollowedRun, FollowedStep } from "../../../infra/cli/follow/follow-run.ts";

/** What a response has of a run, as far as the command line shows it. */
export function aRunBody(fields: Partial<FollowedRun> = {}): FollowedRun {
  const shown: Partial<FollowedRun> = {
    id: "01890a5d-ac96-774b-bcce-b302099a8057",
    status: "running",
    machine_id: null,
    held: null,
    progress: null,
    waiting_reason: null,
    queue_position: null,
    output_data: null,
    output_attachment_ids: [],
    error: [],
    error_code: null,
    started_at: null,
    ended_at: null,
    revision: 1,
    ...fields,
  };
  return shown as FollowedRun;
}

export function aStepBody(fields: Partial<FollowedStep> = {}): FollowedStep {
  const shown: Partial<FollowedStep> = {
    index: 1,
    action: { type: "click", target: "the field Customer" },
    status: "done",
    text: null,
    error: null,
    match: null,
    ...fields,
  };
  return shown as FollowedStep;
}
