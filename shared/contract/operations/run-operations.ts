import { pieceLeftHeader, pieceTopHeader } from "../../vocabulary/run-steps.ts";
import { CreateChainBody, CreatedChain } from "../run/chain.ts";
import { CreatedRuns, Run, RunInputs, RunList, RunsQuery } from "../run/run.ts";
import {
  CancelRunBody,
  CreateRunBody,
  CreateRunsBody,
  HoldRunBody,
  ResumeRunBody,
  RetryRunBody,
  UpdateRunBody,
} from "../run/run-bodies.ts";
import { RunMetadataKeys, SetRunMetadataKeysBody } from "../run/run-metadata-keys.ts";
import { RunStepPath } from "../run/run-step.ts";
import { VerificationCreated, VerifyTrajectoryBody } from "../trajectory/verify-trajectory.ts";
import { UsageAggregate, UsageQuery } from "../usage.ts";
import { defineOperations, deleted, largeBodyBytesMax, reading, writing } from "./operation.ts";

const bodyBytesMax = largeBodyBytesMax;

export const runOperations = defineOperations("Runs", [
  {
    ...reading,
    id: "listRuns",
    path: "/v1/runs",
    summary: "Lists runs",
    description:
      "The list is sorted newest first. `search` is a substring of the JSON of input_values and output_data (of an output above 8 KB its beginning), of error or of session_alias, whatever the case. A search, `metadata` by keys that are not indexed, filters combined with each other, and `active_first` behind the first 10,000 or with a filter, read at most 10,000 runs, else 422. output_data is in an item while it has at most 8 KB of JSON, and 2 MB in all; else it is null, as run_message_history and a main_prompt of its own are, and `omitted_fields` names it: `fields` gives them whole. Of a run that waits it also names waiting_reason and queue_position, of one that the service carries out progress: only GET of that run reads them. `include` carries each related resource once.",
    query: RunsQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: RunList } },
    refusals: { 413: "The page has more than 5 MB: lower `limit`, or name fewer fields." },
  },
  {
    ...writing("POST"),
    id: "createRun",
    writes: "run",
    path: "/v1/runs",
    summary: "Starts a run of a workflow",
    description:
      "The run waits for the machine named, for one that is in all of the pools named, or for any. `main_prompt`, the model and the bounds given here stand in place of the workflow's.\n\nSessions: `start_session` begins one, whose runs go one after another on one machine; `session_id` joins one; `release_session_after` ends it with this run.\n\nInputs are the run's own, else the machine's parameters, else those of the pools named. Where the machine is known (named, or the session's) they are checked by the workflow's `input_schema` at once (422); else each value given is, by its `properties.<name>` alone, and all of them together when a machine is given the run, which ends as `error` if they do not fit; so does one whose workflow's provider has a slot that is `missing` or `invalid`. Values of sensitive inputs are stored encrypted until the run has ended; only their aliases are ever returned.\n\n`is_priority` puts the run before every waiting run of the organization that has none, in whichever queue of its machine: strictly, so that a flood of such runs keeps the others waiting; other organizations do not notice.",
    body: CreateRunBody,
    bodyBytesMax,
    example: {
      workflow_id: "01890a5d-ac96-774b-bcce-b302099a8057",
      input_values: { customer: "Miller" },
      sensitive_input_values: { password: "correct horse battery staple" },
    },
    responses: { 201: { description: "The run, which waits.", schema: Run } },
    refusals: {
      404: "The workflow, machine, pool or session named is not there.",
      409: "The session has ended, or has another machine.",
    },
  },
  {
    ...writing("POST"),
    id: "createRuns",
    writes: "run",
    path: "/v1/runs/bulk",
    summary: "Starts many runs of one workflow",
    description:
      "Up to 1,000 runs with the same inputs, machine or pools. They share one secret; each has files of its own, so that files times `count` are at most 1,000 and 100 MB. `start_session` begins one session for all of them: they go one after another on one machine, and `release_session_after` ends it with the last. When some cannot be made, those made before stay: `failed_count` and `errors` say so; when none can, the response is that of one run. Under an Idempotency-Key a repeat after a failure goes on where the first stopped. Inputs are checked as those of one run.",
    body: CreateRunsBody,
    bodyBytesMax,
    example: {
      workflow_id: "01890a5d-ac96-774b-bcce-b302099a8057",
      input_values: { customer: "Miller" },
      count: 200,
    },
    responses: { 201: { description: "The runs, which wait.", schema: CreatedRuns } },
    refusals: {
      404: "The workflow, machine, pool or session named is not there.",
      409: "The session has ended, or has another machine. `request_in_progress`: not all are made yet; the same request under the same Idempotency-Key goes on.",
    },
  },
  {
    ...writing("POST"),
    id: "createChain",
    writes: "run",
    path: "/v1/runs/chain",
    summary: "Starts runs that go one after another",
    description:
      'All steps or none, in one session on one machine: a new one, or the one that `session_id` names. A step\'s inputs stand above the shared ones; an input, or a value inside of one, may be `{"$ref": "alias.outputs.path"}`, which stands for what the earlier step with that session_alias gives as output_data. A reference that cannot be resolved when the turn of its step has come ends that step as `error`. When a step fails, the rest is cancelled, unless its `continue_on_failure` says otherwise. The inputs of each step are checked when its machine is given it. The session ends with the last step unless `keep_session_after_completion`. The shared files are attachments of the first step\'s run and go when that is deleted; the other steps name them. Each run has the chain\'s `metadata`.',
    body: CreateChainBody,
    bodyBytesMax,
    example: {
      steps: [
        { workflow_id: "01890a5d-ac96-774b-bcce-b302099a8057", session_alias: "search" },
        {
          workflow_id: "01890a5d-ac96-774b-bcce-b302099a8058",
          inputs: { priority: "high" },
        },
      ],
      shared_inputs: { customer: "Miller" },
    },
    responses: { 201: { description: "The session, and the runs, which wait.", schema: CreatedChain } },
    refusals: {
      404: "A workflow, the machine, a pool or the session named is not there.",
      409: "The session has ended, or has another machine.",
    },
  },
  {
    id: "updateRun",
    writes: "run",
    method: "PATCH",
    path: "/v1/runs/{run_id}",
    idempotency: "transactional",
    summary: "Updates a run",
    description:
      "A waiting run can be cancelled or ended as `error`. `running` is given by a machine only; while a run is running its worker's `assignment_id` is required, but to cancel it, or to change its metadata alone, with the scope `write`. An end (`success`, `error`, `task_failed`, `cancelled`) frees the machine and removes the run's secret. input_values can change until a machine has the run, metadata at any time. A key with `worker` and without `write` changes a run only while it is running, under its assignment.",
    access: "bearer",
    scopes: ["write", "worker"],
    body: UpdateRunBody,
    bodyBytesMax,
    example: { status: "cancelled" },
    responses: { 200: { description: "The run as it is now.", schema: Run } },
    refusals: {
      409: "`illegal_transition` with the allowed ones in details, `assignment_mismatch` (another attempt has the run by now), or inputs that are frozen.",
    },
  },
  {
    ...writing("POST"),
    id: "cancelRun",
    writes: "run",
    path: "/v1/runs/{run_id}/cancel",
    summary: "Cancels a run that waits or is running",
    description:
      "Whoever carries it out: no `assignment_id` is needed. Its machine is free at once; of a run that the service carries out at most the action in flight still happens. One that has ended is left as it is. The body may be left out.",
    body: CancelRunBody,
    example: { reason: "the invoice was paid meanwhile" },
    responses: { 200: { description: "The run as it is now.", schema: Run } },
  },
  {
    ...writing("POST"),
    id: "holdRun",
    writes: "run",
    path: "/v1/runs/{run_id}/hold",
    summary: "Holds a run, so that a person drives its desktop",
    description:
      "The run stands still between two steps and stays `running`, and its machine stays its own; at most the action in flight still happens, and the response waits for it for some seconds. Until the hold expires only its holder, which is the API key or the user that sent this, acts on the desktop; everybody may look at the screen. The time does not count for max_duration_seconds. Sent again by the holder it extends the hold. A hold of the run's model, which asks for a person, becomes that of whoever holds it first. The body may be left out.",
    body: HoldRunBody,
    example: { reason: "the code on the phone is needed", seconds: 600 },
    responses: { 200: { description: "The run, which is held.", schema: Run } },
    refusals: {
      409: "`illegal_transition`: the run is not running; `not_a_service_run`: a worker carries it out; `machine_held`: somebody else holds it, with who and until when in details. A key with `admin` takes it over.",
    },
  },
  {
    ...writing("POST"),
    id: "resumeRun",
    writes: "run",
    path: "/v1/runs/{run_id}/resume",
    summary: "Resumes a held run",
    description:
      "The run goes on from the screen as it is then: its model sees that and is told the note; a replay goes on where one of the next recorded screens is seen. The body may be left out.",
    body: ResumeRunBody,
    example: { note: "I have entered the code and confirmed it" },
    responses: { 200: { description: "The run, which is not held any more.", schema: Run } },
    refusals: {
      409: "`illegal_transition`: the run is not running, or not held; `not_a_service_run`: a worker carries it out; `machine_held`: somebody else holds it, with who and until when in details.",
    },
  },
  {
    ...writing("DELETE"),
    id: "deleteRun",
    writes: "run",
    path: "/v1/runs/{run_id}",
    summary: "Deletes a run and all its attachments and their files",
    description:
      "One that has not ended is cancelled first, which frees its machine. Hidden at once, finished in the background.",
    responses: deleted,
  },
  {
    ...writing("POST"),
    id: "retryRun",
    writes: "run",
    path: "/v1/runs/{run_id}/retry",
    summary: "Retries a run that has ended",
    description:
      "The same run, waiting again, without what its last attempt left: output, history, error, usage, timestamps, machine and assignment; attachments of type output stay until they are deleted. What the body names replaces what the run had. Without machine_id and pool_ids it waits for what it waited for at first. It stays in its session unless `session_id` names another one, `start_session` begins one or `reuse_session` is false. What it was given instead of its workflow's prompt, model and bounds stays, as its metadata does. Its secret is removed with its end: sensitive values have to be sent again.",
    body: RetryRunBody,
    bodyBytesMax,
    example: { input_values: { customer: "Meyer" }, reuse_session: false },
    responses: { 200: { description: "The run, which waits.", schema: Run } },
    refusals: {
      409: "`illegal_transition`: it has not ended. `secrets_gone`: the values of its sensitive inputs, named in details, must be sent again. `session_ended`: its session has. Or the session has another machine.",
    },
  },
  {
    id: "getRunInputs",
    method: "GET",
    path: "/v1/runs/{run_id}/inputs",
    summary: "Reads a running run's inputs, secrets among them",
    description:
      "This is for workers. The response has the run's own inputs, its machine's and its pools', merged when the machine was given the run; the values of secrets are those of now. `assignment_id` goes with every later PATCH.",
    access: "bearer",
    scopes: ["worker"],
    responses: {
      200: { description: "Everything that a worker needs to carry out the run.", schema: RunInputs },
    },
    refusals: {
      409: "`not_a_worker_run`: the service itself carries it out; `run_not_running`; or `secrets_gone`: values that the run, its machine or a pool had are not there any more; `details.aliases` names them.",
    },
  },
  {
    ...reading,
    id: "getRunMetadataKeys",
    path: "/v1/settings/run-metadata-keys",
    summary: "Reads the keys of metadata that runs are indexed by",
    description: "The organization names them itself; at first there are none.",
    responses: { 200: { description: "The keys.", schema: RunMetadataKeys } },
  },
  {
    ...writing("PUT"),
    id: "setRunMetadataKeys",
    writes: "setting",
    path: "/v1/settings/run-metadata-keys",
    summary: "Names the keys of metadata that runs are indexed by",
    description:
      "A list of runs with `metadata[key]=value` of one of these keys, and no other filter but a range of `created_at`, is read from an index at any number of runs. The index has runs created from `indexed_from` on; while there are earlier ones in the range, at most 10,000 runs are read, else 422: `created_at_from` leaves them out. Each run with one of the keys costs a row more, at its creation and whenever its metadata changes.",
    body: SetRunMetadataKeysBody,
    example: { keys: ["order", "customer"] },
    responses: { 200: { description: "The keys.", schema: RunMetadataKeys } },
  },
  {
    // This function serves the operation because it creates a run.
    ...writing("POST"),
    id: "verifyTrajectory",
    writes: "run",
    path: "/v1/trajectories/{trajectory_id}/verify",
    tag: "Trajectories",
    summary: "Starts a run that verifies a trajectory",
    description:
      "The run replays this trajectory, approved or not, and nothing else: it does the work again, twice in a row, on the desktop that it gets (with `dry_run_until` once, up to there). The second time has to find what the first has left; max_steps and max_duration_seconds count for each. A screen that differs ends it as `replay_diverged`, a check that a model would have to judge as `check_needs_model`. Its success with at least one input that differs from original_input_values sets verified_at, unless what is replayed has been changed meanwhile; an approved trajectory becomes the main one then if its workflow has none.",
    body: VerifyTrajectoryBody,
    example: { input_values: { customer: "Miller" } },
    responses: { 201: { description: "The run, which waits.", schema: VerificationCreated } },
    refusals: {
      404: "The trajectory, its workflow, the machine or a pool is not there.",
      409: "`conflict`: a worker carries out the workflow's runs.",
    },
  },
  {
    ...reading,
    id: "aggregateUsage",
    path: "/v1/usage/aggregate",
    summary: "Sums up what the organization's runs came to",
    description:
      "The sums are from `from_date` to `to_date`, days of UTC: ends of runs by status, steps by kind, tokens by provider and model. An end is counted on its day, a few seconds after it.",
    query: UsageQuery,
    responses: { 200: { description: "The sums.", schema: UsageAggregate } },
  },
  {
    id: "getRunStepExpected",
    method: "GET",
    path: "/v1/runs/{run_id}/steps/{index}/expected",
    summary: "Reads the recorded piece of the screen that a step looked for",
    description:
      "The piece is as the trajectory had it when the run began; it is to be held beside the screenshot of the step. `expected` of the step says whether there is one.",
    access: "bearer",
    scopes: ["read", "worker"],
    pathParameters: RunStepPath,
    responses: {
      200: {
        description: "The piece.",
        contentType: "image/png",
        headers: {
          [pieceLeftHeader]: { description: "The piece's left edge on the recorded screen, in pixels." },
          [pieceTopHeader]: { description: "The piece's upper edge on the recorded screen, in pixels." },
        },
      },
    },
    refusals: {
      404: "The run or the step is not there, or the step looked for no recorded piece, or it has expired.",
    },
  },
  {
    id: "getRunStepScreenshot",
    method: "GET",
    path: "/v1/runs/{run_id}/steps/{index}/screenshot",
    summary: "Reads the picture of the screen after a step",
    description:
      "Parts that show what was typed of a secret are painted over. `screenshot` of the step says whether there is one.",
    access: "bearer",
    scopes: ["read", "worker"],
    pathParameters: RunStepPath,
    responses: {
      200: { description: "The picture, up to 4 MB.", contentType: "image/png" },
      307: { description: "The picture is larger: `Location` is a presigned URL." },
    },
    refusals: {
      404: "The run or the step is not there, or the step has no picture: its workflow keeps none, the desktop did not give one, or it has expired.",
    },
  },
]);
