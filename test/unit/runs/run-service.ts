import { createFollowingApp } from "../../../functions/following/app.ts";
import { createRunAttachmentsApp } from "../../../functions/run-attachments/app.ts";
import { createRunsApp } from "../../../functions/runs/app.ts";
import type { ApiKey } from "../../../shared/domain/access/api-key.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { fromAttributes } from "../../../shared/storage/table/item.ts";
import { createTestService, sending, type TestService } from "../../support/shared/test-service.ts";

export async function putWorkflow(
  { stores, organizationId }: TestService,
  fields: Partial<Workflow> = {},
): Promise<Workflow> {
  return await stores.put.workflow({ organizationId, ...fields });
}

async function putRun({ stores, organizationId }: TestService, fields: Partial<Run> = {}): Promise<Run> {
  return await stores.put.run({ organizationId, ...fields });
}

export function secretRows({ model }: TestService["stores"]) {
  return [...model.items.all()].map(fromAttributes).filter(({ kind }) => kind === "run_secret");
}

export async function setUpRuns(key: Partial<ApiKey> = {}) {
  const service = await createTestService();
  const [runs, attachments] = [createRunsApp(service.deps), createRunAttachmentsApp(service.deps)];
  const workflow = await putWorkflow(service);
  const following = createFollowingApp(service.deps);
  const appOf = (path: string, method: string) => {
    if (path.startsWith("/v1/run-attachments")) return attachments;
    return method === "GET" && /^\/v1\/runs\/[^/]+(\/steps)?$/.test(path.split("?")[0] ?? "")
      ? following
      : runs;
  };
  const ask = sending(appOf, service.authorize(key));
  return {
    ...service,
    ask,
    workflow,
    putRun: (fields: Partial<Run> = {}) => putRun(service, fields),
    create: (fields: object = {}, headers: Record<string, string> = {}) =>
      ask("POST", "/v1/runs", { workflow_id: workflow.id, ...fields }, headers),
  };
}
