import { v7 } from "uuid";
import { expect, it } from "vitest";
import { createWaitingRuns } from "../../../shared/domain/run/waiting/cancel-waiting-runs.ts";
import { setUpRuns } from "./run-service.ts";

it("a deleted workflow's waiting runs are cancelled, its others and other workflows' stay as they are", async () => {
  const { stores, putRun, organizationId } = await setUpRuns();
  const workflowId = v7();
  const waiting = await putRun({ workflowId });
  const running = await putRun({ workflowId, status: "running", assignmentId: v7() });
  const ended = await putRun({ workflowId, status: "success" });
  const other = await putRun();
  const { cancelWaitingRuns } = createWaitingRuns(stores);
  for (let time = 0; time < 2; time += 1) await cancelWaitingRuns(organizationId, workflowId);
  expect(await stores.runs.find(organizationId, waiting.id)).toMatchObject({
    status: "cancelled",
    endedAt: expect.any(String),
    revision: 2,
  });
  for (const run of [running, ended, other])
    expect(await stores.runs.find(organizationId, run.id)).toEqual(run);
});
