import { RunQuery, RunResponse } from "../run/run.ts";
import { RunStepList, RunStepsQuery } from "../run/run-step.ts";
import { defineOperations, reading } from "./operation.ts";

const headers = {
  "Retry-After": {
    description:
      "Seconds after which to ask again. Only where the request was to wait and did not, because as many wait as may.",
  },
};

export const followingOperations = defineOperations("Runs", [
  {
    ...reading,
    id: "getRun",
    path: "/v1/runs/{run_id}",
    summary: "Reads one run",
    description:
      "The run has all its fields. Here alone `waiting_reason` and `queue_position` say of one that waits why and behind how many, and `progress` of one that the service carries out how far it is. With `wait_seconds` and the `revision` that the caller has, the response comes as soon as the run has changed or ended, or after that time.",
    query: RunQuery,
    responses: { 200: { description: "The run.", schema: RunResponse, headers } },
  },
  {
    id: "listRunSteps",
    method: "GET",
    path: "/v1/runs/{run_id}/steps",
    summary: "Lists what was done for a run, step by step",
    description:
      "The steps are sorted oldest first, over all attempts of the run. `summary` says how far its current attempt got. Secrets are shown as `{$alias}`. Steps and their pictures go with the run, and after 30 days (a setting of the deployment); `total` does not count those that have gone. A program follows a run by asking again and again with `wait_seconds` and the `after_index` of the last step that it has, until the page has a `run`: each response comes as soon as there is another step or the run has ended, or after that time.",
    access: "bearer",
    scopes: ["read", "worker"],
    query: RunStepsQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: RunStepList, headers } },
    refusals: { 413: "The page has more than 5 MB: lower `limit`." },
  },
]);
