import { describe, expect, it } from "vitest";
import { addressOf } from "../../../shared/client/build-request.ts";
import { AuditEventList, resourcePathParameters } from "../../../shared/contract/audit-event.ts";
import type { RouteGroup } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { RequestLogList } from "../../../shared/contract/request-log.ts";
import { AnswerTimes } from "../../../shared/tunnel/answer-times.ts";
import { createDriverChannel } from "../../../shared/tunnel/tunnel-driver-channel.ts";
import { scopes } from "../../../shared/vocabulary/access.ts";
import { aRun } from "../../support/builders/entities.ts";
import { aStep } from "../../support/builders/steps.ts";
import { executionWorld } from "../../support/execution/execution-world.ts";
import { scrolls } from "../../support/execution/plain-recording.ts";
import { apps, groups, putResources } from "../../support/shared/every-operation.ts";
import { projectLines } from "../../support/shared/projected-lines.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

type Ids = Record<string, string>;

const address = "192.0.2.7";

/** Creates every resource that a path names, and a driver that is gone without a notice. */
async function setUp() {
  const service = await createTestService();
  const { stores, organizationId } = service;
  const connection = { id: stores.ids.uuid7(), websocketId: "gone=", host: "a/b/c" };
  const ids: Ids = {
    ...(await putResources(service)),
    machine_id: (await stores.put.machine({ organizationId, connection, capabilities: ["open_program"] })).id,
  };
  const sockets = { post: async () => ({ kind: "gone" }) as const };
  const channelDeps = { ...stores, sockets, answerTimes: new AnswerTimes() };
  const deps: TestService["deps"] = {
    ...service.deps,
    openChannel: ((requester: Parameters<typeof createDriverChannel>[1]) =>
      createDriverChannel(channelDeps, requester)) as never,
  };
  const authorization = service.authorize({ scopes: [...scopes] });
  const ask = async (
    group: RouteGroup,
    { method, path }: Pick<Operation, "method" | "path">,
    body?: unknown,
    query = {},
  ) =>
    await apps[group](deps).request(
      addressOf("", path, { path: ids, query }),
      {
        method,
        headers: { authorization, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      { requestId: "asked", sourceAddress: address },
    );
  const audited = async (query = {}) => {
    const path = "/v1/audit-events";
    return AuditEventList.parse(await (await ask("logs", { method: "GET", path }, undefined, query)).json());
  };
  const logged = async (query = {}) => {
    const path = "/v1/request-logs";
    return RequestLogList.parse(await (await ask("logs", { method: "GET", path }, undefined, query)).json());
  };
  return { service, stores, organizationId, ids, ask, audited, logged };
}

type World = Awaited<ReturnType<typeof setUp>>;

const requests: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  setMachinePools: async ({ ids }) => ({ pool_ids: [ids.pool_id] }),
  addMachinesToPool: async ({ ids }) => ({ machine_ids: [ids.machine_id] }),
  removeMachinesFromPool: async ({ ids, stores, organizationId }) => {
    await stores.memberships.addMachines(organizationId, ids.pool_id ?? "", [ids.machine_id ?? ""]);
    return { machine_ids: [ids.machine_id] };
  },
  deleteProviderCredential: async (world) => await setKey(world),
  validateProviderCredential: async (world) => await setKey(world),
  reportInvalidProviderCredential: async (world) => {
    await setKey(world);
    return { last_error: "401" };
  },
  createRunAttachment: async ({ ids }) => ({
    run_id: ids.run_id,
    attachment_type: "input",
    filename: "a.txt",
    content: "SGVsbG8=",
  }),
  createRun: async ({ ids }) => ({ workflow_id: ids.workflow_id }),
  createSchedule: async ({ ids }) => ({ workflow_id: ids.workflow_id, every_minutes: 30 }),
  createRuns: async ({ ids }) => ({ workflow_id: ids.workflow_id, count: 60 }),
  createChain: async ({ ids }) => ({
    steps: [{ workflow_id: ids.workflow_id }, { workflow_id: ids.workflow_id }],
  }),
  retryRun: async ({ ids, stores, organizationId }) => {
    const run = await stores.put.run({ organizationId, workflowId: ids.workflow_id ?? "", status: "error" });
    ids.run_id = run.id;
    return {};
  },
  holdRun: async (world) => {
    await startServiceRun(world);
    return {};
  },
  resumeRun: async (world) => {
    await startServiceRun(world);
    await world.ask("runs", { method: "POST", path: `/v1/runs/${world.ids.run_id}/hold` }, {});
    return {};
  },
  createTrajectory: async ({ ids }) => ({
    workflow_id: ids.workflow_id,
    name: "Opens the shop",
    dimensions: { width: 1280, height: 800 },
    trajectory_data: [{ action: "left_click", coordinate: [640, 400] }],
  }),
  createRecording: async ({ ids }) => ({ machine_id: ids.machine_id }),
  finishRecording: async ({ ids, stores, organizationId }) => {
    const recording = await stores.recordings.find(organizationId, ids.recording_id ?? "");
    if (recording === undefined) throw new Error("there is no recording");
    const step = aStep(aRun({ organizationId, id: recording.id }), { source: "person" });
    const { lastPicture, painted, inputValues } = recording;
    const change = { elementCount: 1, lastIndex: 1, lastPicture, painted, inputValues };
    await stores.recordings.append(recording, { callId: undefined, steps: [step], change });
    return { workflow_id: ids.workflow_id };
  },
  updateTrajectory: async () => ({ name: "Opens the shop" }),
  verifyTrajectory: async ({ ids, stores, organizationId }) => {
    const workflow = await stores.put.workflow({ organizationId, executor: "service" });
    const trajectory = await stores.put.trajectory({ organizationId, workflowId: workflow.id });
    ids.trajectory_id = trajectory.id;
    return {};
  },
  assignTags: async ({ ids }) => ({ tag_ids: [ids.tag_id] }),
  bulkAssignTags: async ({ ids }) => ({ workflow_ids: [ids.workflow_id], tag_ids: [ids.tag_id] }),
  unassignTag: async (world) => await assignTag(world),
  unarchiveWorkflowTag: async ({ ids, ask }) => {
    await ask("workflow-tags", { method: "POST", path: `/v1/workflow-tags/${ids.tag_id}/archive` });
  },
  reorderWorkflowTags: async ({ ids }) => ({ ids: [ids.tag_id] }),
  reorderWorkflowTagGroups: async ({ ids }) => ({ ids: [ids.group_id] }),
};

async function setKey({ ask }: World) {
  const path = "/v1/provider-credentials/openai";
  await ask(
    "provider-credentials",
    { method: "PUT", path },
    { auth_type: "api_key", api_key: "<API_KEY_OF_THE_PROVIDER>" },
  );
}

async function startServiceRun({ ids, stores, organizationId }: World) {
  const run = await stores.put.run({ organizationId, executor: "service", status: "running" });
  ids.run_id = run.id;
}

async function assignTag({ ask, ids }: World) {
  const path = `/v1/workflows/${ids.workflow_id}/tags`;
  await ask("workflows", { method: "POST", path }, { tag_ids: [ids.tag_id] });
}

const writing = groups.flatMap(([group, operations]) =>
  operations.filter(({ method }) => method !== "GET").map((operation) => ({ group, operation })),
);

/** Operations that return a token, a ticket or an address, or send a test, and change no resource. */
const changeNothing = [
  "authorizeConnection",
  "createLiveTicket",
  "createConnectionToken",
  "createUpload",
  "testWebhookEndpoint",
  // Each of its tools is a request of its own.
  "callMcp",
  "endMcpSession",
];

/** This operation has a test of its own, since it needs a run that was executed. */
const generating = "generateTrajectory";

/** These have tests of their own beside those of prompt images: one takes a form, one names its image in the query. */
const byPath = ["uploadPromptImage", "deletePromptImageAtPath"];

const alone = [generating, ...byPath];
const changes = writing.filter(({ operation }) => operation.writes && !alone.includes(operation.id));
const calls = writing.filter(({ operation }) => operation.isTunnelled && operation.id !== "createUpload");

it("covers every operation that is no GET: it is audited, or in the request log, or changes nothing", () => {
  const covered = [...changes, ...calls].map(({ operation }) => operation.id);
  const all = writing.map(({ operation }) => operation.id);
  expect([...covered, ...changeNothing, ...alone].sort()).toEqual(all.sort());
});

describe.each(changes.map(({ group, operation }) => [operation.id, group, operation] as const))(
  "%s",
  (_id, group, operation) => {
    it("is one audit event, which says who did what to which resource", async () => {
      const world = await setUp();
      const { ids, stores, service, ask, audited } = world;
      const own = await requests[operation.id]?.(world);
      stores.clock.advance(1_000);
      await projectLines(stores);
      const before = (await audited()).items;
      const response = await ask(group, operation, own ?? operation.example);
      expect(response.ok, await response.clone().text()).toBe(true);
      const records = stores.model.takeRecords();
      await projectLines(stores, records);
      const { items, total } = await audited();
      expect(total).toBe(before.length + 1);
      const { writes = "machine", responses } = operation;
      const named = 201 in responses ? undefined : ids[resourcePathParameters[writes]];
      expect(items[0]).toMatchObject({
        actor_type: "api_key",
        actor: expect.any(String),
        address,
        request_id: "asked",
        operation: operation.id,
        resource_type: writes,
        resource_id: named ?? expect.any(String),
        created_at: new Date(stores.clock.now()).toISOString(),
      });
      // The stream delivers at least once, and acts of the service itself have no actor.
      await projectLines(stores, records);
      for (const record of records) await projectLines(stores, [record]);
      expect((await audited()).total).toBe(total);
      expect(service.log.text()).not.toContain("failed");
    });
  },
);

it("generateTrajectory is one audit event", async () => {
  const world = await executionWorld({ recording: scrolls(1), secrets: {} });
  await world.execute();
  const service = await createTestService();
  const { organizationId, run, stores } = world;
  const authorization = service.authorize({ organizationId, scopes: [...scopes] });
  stores.model.takeRecords();
  const deps = { ...service.deps, ...stores } as TestService["deps"];
  const path = `/v1/runs/${run.id}/generate-trajectory`;
  const response = await apps
    .trajectories(deps)
    .request(path, { method: "POST", headers: { authorization } });
  const { id } = (await response.json()) as { id: string };
  await projectLines(stores);
  const { items } = await stores.auditLog.list(organizationId, {}, { skip: 0, limit: 10 });
  expect(items).toMatchObject([{ operation: generating, resourceType: "trajectory", resourceId: id }]);
});

describe.each(calls.map(({ group, operation }) => [operation.id, group, operation] as const))(
  "%s",
  (_id, group, operation) => {
    it("is a line of the request log and no audit event", async () => {
      const { ids, stores, ask, audited, logged } = await setUp();
      stores.clock.advance(1_000);
      await projectLines(stores);
      const [eventsBefore, linesBefore] = [(await audited()).total, (await logged()).total];
      const response = await ask(group, operation, operation.example);
      expect(response.status).toBe(409);
      await projectLines(stores);
      const { items, total } = await logged();
      expect(total).toBe(linesBefore + 1);
      expect(items[0]).toMatchObject({
        machine_id: ids.machine_id,
        request_id: "asked",
        address,
        method: "POST",
        actor_type: "api_key",
        status_code: null,
        error_code: "machine_not_connected",
      });
      expect((await audited()).total).toBe(eventsBefore);
    });
  },
);
