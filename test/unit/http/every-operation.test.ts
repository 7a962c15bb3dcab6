import { describe, expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import { createConnectionsApp } from "../../../functions/connections/app.ts";
import { createDocsApp } from "../../../functions/docs/app.ts";
import { createDriverApp } from "../../../functions/driver/app.ts";
import { createHealthApp } from "../../../functions/health/app.ts";
import { createMachineHealthApp } from "../../../functions/machine-health/app.ts";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { createModelConfigurationsApp } from "../../../functions/model-configurations/app.ts";
import { createPoolsApp } from "../../../functions/pools/app.ts";
import { createProviderCredentialsApp } from "../../../functions/provider-credentials/app.ts";
import { createRunAttachmentsApp } from "../../../functions/run-attachments/app.ts";
import { createRunsApp } from "../../../functions/runs/app.ts";
import { createTrajectoriesApp } from "../../../functions/trajectories/app.ts";
import { createWorkflowTagsApp } from "../../../functions/workflow-tags/app.ts";
import { createWorkflowsApp } from "../../../functions/workflows/app.ts";
import { addressOf } from "../../../shared/client/build-request.ts";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import { type RouteGroup, routeGroups } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { scopes } from "../../../shared/domain/access/caller.ts";
import { safeHeaders } from "../../../shared/http/safe-headers.ts";
import { aConnection, anAttachment, anOrganization } from "../../support/builders/entities.ts";
import { aModelConfiguration, aTag, aTagGroup } from "../../support/builders/workflows.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

interface App {
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  request(path: string, init: RequestInit): Response | Promise<Response>;
}

const apps: Readonly<Record<RouteGroup, (deps: TestService["deps"]) => App>> = {
  computer: createComputerApp,
  connections: (deps) => createConnectionsApp({ ...deps, sockets: { disconnect: async () => {} } }),
  docs: (deps) => createDocsApp({ ...deps, files: { find: () => undefined } }),
  driver: (deps) => createDriverApp({ ...deps, websocketUrl: "wss://tunnel.test" }),
  health: createHealthApp,
  "machine-health": createMachineHealthApp,
  machines: createMachinesApp,
  "model-configurations": createModelConfigurationsApp,
  pools: createPoolsApp,
  "provider-credentials": createProviderCredentialsApp,
  "run-attachments": createRunAttachmentsApp,
  runs: createRunsApp,
  trajectories: createTrajectoriesApp,
  "workflow-tags": createWorkflowTagsApp,
  workflows: createWorkflowsApp,
};

/** What some queries must say. */
const queries = { path: "a.txt", from_date: "2026-01-01", to_date: "2026-01-31" };

const groups = Object.entries(routeGroups) as [RouteGroup, readonly Operation[]][];

/** One of everything that a path can name, of the service's organization. */
async function putResources({ organizationId, stores }: TestService): Promise<Record<string, string>> {
  const machine = await stores.put.machine({ organizationId });
  const pool = await stores.put.pool({ organizationId });
  const workflow = await stores.put.workflow({ organizationId });
  const run = await stores.put.run({ organizationId, workflowId: workflow.id });
  const trajectory = await stores.put.trajectory({ organizationId, workflowId: workflow.id });
  const connection = aConnection(machine);
  const attachment = anAttachment({ organizationId, runId: run.id });
  const tag = aTag({ organizationId });
  const group = aTagGroup({ organizationId });
  const configuration = aModelConfiguration({ organizationId });
  await stores.connections.open(connection);
  await stores.attachments.create(attachment);
  await stores.tags.createTag(tag);
  await stores.tags.createGroup(group);
  await stores.modelConfigurations.create(configuration);
  return {
    ...{ machine_id: machine.id, pool_id: pool.id, run_id: run.id, workflow_id: workflow.id },
    ...{ connection_id: connection.id, attachment_id: attachment.id, trajectory_id: trajectory.id },
    ...{
      tag_id: tag.id,
      group_id: group.id,
      model_configuration_id: configuration.id,
      slot: "openai",
      index: "1",
    },
  };
}

/** The operation with its example and what its path names, as somebody asks for it. */
async function setUp(group: RouteGroup, { method, path, query, example }: Operation) {
  const service = await createTestService();
  const app = apps[group](service.deps);
  const ids = await putResources(service);
  const needed = Object.fromEntries(Object.entries(queries).filter(([name]) => query?.shape[name]));
  const ask = async (authorization?: string) => {
    const response = await app.request(addressOf("", path, { path: ids, query: needed }), {
      method,
      headers: { "content-type": "application/json", ...(authorization && { authorization }) },
      ...(example && { body: JSON.stringify(example) }),
    });
    expect(Object.fromEntries(response.headers)).toMatchObject(safeHeaders);
    const { success, data } = ErrorBody.safeParse(await response.json().catch(() => undefined));
    return { response, code: success ? data.error_code : undefined };
  };
  return { service, ask };
}

describe.each(groups)("the function %s", (group, operations) => {
  it("serves its group's operations, each of them and nothing else", async () => {
    const { deps } = await createTestService();
    const routes = apps[group](deps).routes.filter(({ method }) => method !== "ALL");
    const served = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    expect(new Set(served)).toEqual(new Set(operations.map(({ method, path }) => `${method} ${path}`)));
  });

  const bearer = operations.filter(({ access }) => access === "bearer");
  describe.each(bearer.map((operation) => [operation.id, operation] as const))("%s", (_id, operation) => {
    it("answers 403 without credentials", async () => {
      const { ask } = await setUp(group, operation);
      const { response, code } = await ask();
      expect([response.status, code]).toEqual([403, "missing_credentials"]);
    });

    it("answers 401 to credentials that are not valid, and does not log them", async () => {
      const { ask, service } = await setUp(group, operation);
      const { response, code } = await ask("Bearer das_unknown_secret");
      expect([response.status, code]).toEqual([401, "invalid_credentials"]);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
      expect(service.log.text()).not.toContain("das_unknown_secret");
    });

    it.each(scopes)(
      "takes a key with the scope %s alone exactly when the contract says so",
      async (scope) => {
        const { ask, service } = await setUp(group, operation);
        const { response, code } = await ask(service.authorize({ scopes: [scope] }));
        const isRefused = response.status === 403 && code === "insufficient_scope";
        expect(isRefused).toBe(!operation.scopes?.includes(scope));
      },
    );

    if (!/_id\}/.test(operation.path)) return;
    it("answers 404, not 403, to another organization", async () => {
      const { ask, service } = await setUp(group, operation);
      const stranger = { organizationId: anOrganization(), scopes: [...scopes] };
      const { response, code } = await ask(service.authorize(stranger));
      expect([response.status, code]).toEqual([404, "not_found"]);
    });
  });
});
