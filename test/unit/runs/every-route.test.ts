import { describe, expect, it } from "vitest";
import { createRunAttachmentsApp } from "../../../functions/run-attachments/app.ts";
import { createRunsApp } from "../../../functions/runs/app.ts";
import { anAttachment } from "../../support/builders/entities.ts";
import { describeEveryRoute, type Operation } from "../../support/shared/every-route.suite.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";
import { putRun } from "./run-service.ts";

const run = async (service: TestService) => `/v1/runs/${(await putRun(service)).id}`;

const attachment = async (service: TestService) => {
  const { organizationId } = service;
  const one = anAttachment({ organizationId, runId: (await putRun(service)).id });
  await service.stores.attachments.create(one);
  return `/v1/run-attachments/${one.id}`;
};

const reading = { method: "GET", wrongScope: "write", isOfOneResource: true } as const;
const writing = { wrongScope: "read", isOfOneResource: true } as const;
const workflow = { workflow_id: "01890000-0000-7000-8000-000000000000" };

const runs: Readonly<Record<string, Operation>> = {
  "GET /v1/runs": { ...reading, path: () => "/v1/runs", isOfOneResource: false },
  "POST /v1/runs": {
    ...{ ...writing, method: "POST", path: () => "/v1/runs", body: workflow, isOfOneResource: false },
  },
  "POST /v1/runs/bulk": {
    ...writing,
    method: "POST",
    path: () => "/v1/runs/bulk",
    body: { ...workflow, count: 2 },
    isOfOneResource: false,
  },
  "POST /v1/runs/chain": {
    ...writing,
    method: "POST",
    path: () => "/v1/runs/chain",
    body: { steps: [workflow] },
    isOfOneResource: false,
  },
  "GET /v1/runs/:run_id": { ...reading, path: run },
  "PATCH /v1/runs/:run_id": { ...writing, method: "PATCH", path: run, body: { status: "cancelled" } },
  "POST /v1/runs/:run_id/retry": {
    ...writing,
    method: "POST",
    path: async (service) => `${await run(service)}/retry`,
    body: {},
  },
  "DELETE /v1/runs/:run_id": { ...writing, method: "DELETE", path: run },
};

const attachments: Readonly<Record<string, Operation>> = {
  "GET /v1/run-attachments": { ...reading, path: () => "/v1/run-attachments", isOfOneResource: false },
  "POST /v1/run-attachments": {
    ...writing,
    method: "POST",
    path: () => "/v1/run-attachments",
    body: { run_id: workflow.workflow_id, attachment_type: "input", filename: "a" },
    isOfOneResource: false,
  },
  "GET /v1/run-attachments/:attachment_id": { ...reading, path: attachment },
  "PUT /v1/run-attachments/:attachment_id": {
    ...{ ...writing, method: "PUT", path: attachment, body: { expires_at: null } },
  },
  "DELETE /v1/run-attachments/:attachment_id": { ...writing, method: "DELETE", path: attachment },
  "GET /v1/run-attachments/:attachment_id/download": {
    ...reading,
    path: async (service) => `${await attachment(service)}/download`,
  },
  "GET /v1/run-attachments/:attachment_id/download-url": {
    ...reading,
    path: async (service) => `${await attachment(service)}/download-url`,
  },
};

/** Needs a scope of its own, which the suite's callers of another organization do not have. */
const ofWorkers = ["GET /v1/runs/:run_id/inputs"];

describe("runs", () => {
  describeEveryRoute(createRunsApp, runs);
  describeEveryRoute(createRunAttachmentsApp, attachments);

  it("leave no route out of this suite", async () => {
    const { deps } = await createTestService();
    const routes = [createRunsApp(deps), createRunAttachmentsApp(deps)]
      .flatMap((app) => app.routes)
      .filter((route) => route.method !== "ALL")
      .map((route) => `${route.method} ${route.path}`);
    expect(new Set(routes)).toEqual(
      new Set([...Object.keys(runs), ...Object.keys(attachments), ...ofWorkers]),
    );
  });
});
