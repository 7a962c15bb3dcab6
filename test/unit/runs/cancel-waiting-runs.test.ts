import { v7 } from "uuid";
import { expect, it } from "vitest";
import type { Run } from "../../../shared/domain/run/run.ts";
import { createWaitingRuns } from "../../../shared/domain/run/waiting/cancel-waiting-runs.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { aRun } from "../../support/builders/entities.ts";
import { setUpRuns } from "./run-service.ts";

it("a deleted workflow's waiting runs are cancelled, its others and other workflows' stay as they are", async () => {
  const { stores, putRun, organizationId } = await setUpRuns();
  const workflowId = v7();
  const waiting = await putRun({ workflowId });
  const running = await putRun({ workflowId, status: "running", assignmentId: v7() });
  const ended = await putRun({ workflowId, status: "success" });
  const other = await putRun();
  const { cancelWaitingRuns } = createWaitingRuns(stores);
  for (let time = 0; time < 2; time += 1) {
    expect(await cancelWaitingRuns(organizationId, workflowId)).toBe(true);
  }
  expect(await stores.runs.find(organizationId, waiting.id)).toMatchObject({
    status: "cancelled",
    endedAt: expect.any(String),
    revision: 2,
  });
  for (const run of [running, ended, other])
    expect(await stores.runs.find(organizationId, run.id)).toEqual(run);
});

it("those of a workflow with many are cancelled by cursor: what has ended is not read, and an invocation leaves the rest to the next", async () => {
  const { stores, putRun, organizationId } = await setUpRuns();
  const workflowId = v7();
  for (let at = 0; at < 10_100; at += 1) {
    const run = aRun({ organizationId, workflowId, status: "success" });
    await stores.table.put(runItem(run));
  }
  const waiting: Run[] = [];
  for (let at = 0; at < 1_200; at += 1) waiting.push(await putRun({ workflowId }));
  const stored = async () => await Promise.all(waiting.map(({ id }) => stores.runs.find(organizationId, id)));
  const cancelled = async () => (await stored()).filter((run) => run?.status === "cancelled").length;
  const slow = createWaitingRuns({
    clock: stores.clock,
    runs: {
      update: async (...change) => {
        const outcome = await stores.runs.update(...change);
        stores.clock.advance(40);
        return outcome;
      },
      listWaiting: async (...page) => await stores.runs.listWaiting(...page),
    },
  });
  expect(await slow.cancelWaitingRuns(organizationId, workflowId)).toBe(false);
  expect(await cancelled()).toBe(1_000);
  expect(await slow.cancelWaitingRuns(organizationId, workflowId)).toBe(true);
  expect(await cancelled()).toBe(1_200);
});
