import { expect } from "vitest";
import { Run } from "../../../shared/contract/run/run.ts";
import { made } from "./own-resources.ts";
import { ask, control } from "./stack-client.ts";

export async function serviceWorkflow(
  key: string,
  actions: readonly object[],
  fields: object = {},
): Promise<{ readonly workflowId: string; readonly trajectoryId: string }> {
  const workflow = { main_prompt: "Do what was recorded.", replay: "only", ...fields };
  const workflowId = await made(key, "/v1/workflows", workflow);
  const trajectoryId = await made(key, "/v1/trajectories", {
    workflow_id: workflowId,
    is_approved: true,
    dimensions: { width: 1280, height: 800 },
    trajectory_data: actions.map((action) => ({ action, by: "replay" })),
  });
  const change = { method: "PATCH", key, body: { is_main: true } };
  const main = await ask(`/v1/trajectories/${trajectoryId}`, change);
  expect(main.status, JSON.stringify(main.body)).toBe(200);
  return { workflowId, trajectoryId };
}

export async function readRun(key: string, id: string): Promise<Run> {
  return Run.parse((await ask(`/v1/runs/${id}`, { key })).body);
}

export async function hasEnded(key: string, id: string): Promise<boolean> {
  return !["scheduling", "running"].includes((await readRun(key, id)).status);
}

export async function stepsOf(key: string, runId: string): Promise<number> {
  const { body } = await ask<{ readonly total: number }>(`/v1/runs/${runId}/steps`, { key });
  return body.total;
}

export interface ListedExecution {
  readonly name: string;
  readonly status: string;
}

export async function durableExecutions(): Promise<readonly ListedExecution[]> {
  return (await control<{ items: readonly ListedExecution[] }>("/durable")).items;
}

/** Ends durable waits and pauses before retries. */
export async function skipSeconds(seconds: number): Promise<void> {
  await control("/durable/skip", { seconds });
}
