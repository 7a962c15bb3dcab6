import { createRunAttachmentsApp } from "../../../functions/run-attachments/app.ts";
import { createRunsApp } from "../../../functions/runs/app.ts";
import type { ApiKey } from "../../../shared/domain/access/api-key.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { aRun } from "../../support/builders/entities.ts";
import { aWorkflow } from "../../support/builders/workflows.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

export function putWorkflow(service: TestService, fields: Partial<Workflow> = {}): Workflow {
  const workflow = aWorkflow({ organizationId: service.organizationId, ...fields });
  service.stores.workflows.write(workflow);
  return workflow;
}

export function putRun(service: TestService, fields: Partial<Run> = {}): Run {
  const run = aRun({ organizationId: service.organizationId, ...fields });
  service.stores.runs.write(run);
  return run;
}

/** Both apps over one service, with a workflow to run. */
export async function setUpRuns(key: Partial<ApiKey> = {}) {
  const service = await createTestService();
  const [runs, attachments] = [createRunsApp(service.deps), createRunAttachmentsApp(service.deps)];
  const authorization = service.authorize(key);
  const workflow = putWorkflow(service);
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const app = path.startsWith("/v1/run-attachments") ? attachments : runs;
    return await app.request(path, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  return {
    ...service,
    ask,
    workflow,
    putRun: (fields: Partial<Run> = {}) => putRun(service, fields),
    create: (fields: object = {}, headers: Record<string, string> = {}) =>
      ask("POST", "/v1/runs", { workflow_id: workflow.id, ...fields }, headers),
  };
}
