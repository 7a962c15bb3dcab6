import { defineOperations } from "../operation.ts";
import {
  CreateRunBody,
  Run,
  RunAnswer,
  RunInputs,
  RunList,
  RunPath,
  RunQuery,
  RunsQuery,
  UpdateRunBody,
} from "../run.ts";

const tag = "Runs";
const pathParameters = RunPath;
const bodyBytesMax = 5_900_000;

export const runOperations = defineOperations([
  {
    id: "listRuns",
    method: "GET",
    path: "/v1/runs",
    tag,
    summary: "Lists runs",
    description:
      "Newest first. `search` is a substring of the JSON of input_values and output_data (of an output above 8 KB its beginning), of error or of session_alias, whatever the case. A search, and filters combined with each other, read at most 10,000 runs. output_data and run_message_history are left out unless `fields` names them. `include` carries each related resource once.",
    access: "bearer",
    scopes: ["read"],
    query: RunsQuery,
    answers: { 200: { description: "A page, with the exact total.", schema: RunList } },
    refusals: { 413: "The page has more than 5 MB: lower `limit`, or name fewer fields." },
  },
  {
    id: "createRun",
    method: "POST",
    path: "/v1/runs",
    tag,
    summary: "Asks for a run of a workflow",
    description:
      "It waits for the machine named, for one that is in all of the pools named, or for any. `start_session` begins a session, whose runs go one after another on one machine; `session_id` joins one. Values of sensitive inputs go to a secret store; only their aliases are ever answered.",
    access: "bearer",
    scopes: ["write"],
    body: CreateRunBody,
    bodyBytesMax,
    example: {
      workflow_id: "01890a5d-ac96-774b-bcce-b302099a8057",
      input_values: { customer: "Miller" },
      sensitive_input_values: { password: "correct horse battery staple" },
    },
    answers: { 201: { description: "The run, which waits.", schema: Run } },
    refusals: {
      404: "The workflow, machine, pool or session named is not there.",
      409: "The session has ended, or has another machine.",
    },
  },
  {
    id: "getRun",
    method: "GET",
    path: "/v1/runs/{run_id}",
    tag,
    summary: "Reads one run",
    access: "bearer",
    scopes: ["read"],
    pathParameters,
    query: RunQuery,
    answers: { 200: { description: "The run.", schema: RunAnswer } },
  },
  {
    id: "updateRun",
    method: "PATCH",
    path: "/v1/runs/{run_id}",
    tag,
    summary: "Changes the fields given",
    description:
      "A waiting run can be cancelled or ended as `error`. `running` is given by a machine only, and `assignment_id` is required while a run is running. input_values can change until a machine has the run.",
    access: "bearer",
    scopes: ["write"],
    pathParameters,
    body: UpdateRunBody,
    bodyBytesMax,
    example: { status: "cancelled" },
    answers: { 200: { description: "The run as it is now.", schema: Run } },
    refusals: {
      409: "`illegal_transition` with the allowed ones in details, `assignment_mismatch`, or inputs that are frozen.",
    },
  },
  {
    id: "deleteRun",
    method: "DELETE",
    path: "/v1/runs/{run_id}",
    tag,
    summary: "Deletes a run and all its attachments and their files",
    description: "A running one is cancelled first. Hidden at once, finished in the background.",
    access: "bearer",
    scopes: ["write"],
    pathParameters,
    answers: { 204: { description: "Deleted." } },
  },
  {
    id: "getRunInputs",
    method: "GET",
    path: "/v1/runs/{run_id}/inputs",
    tag,
    summary: "Reads a running run's inputs, secrets among them",
    access: "bearer",
    scopes: ["worker"],
    pathParameters,
    answers: { 200: { description: "What the machine needs to do the run.", schema: RunInputs } },
    refusals: { 409: "The run is not running, or the values of its secrets are gone." },
  },
]);
