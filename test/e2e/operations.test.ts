import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ErrorBody, ValidationErrorBody } from "../../shared/contract/errors.ts";
import {
  type Operation,
  type OperationWorld,
  operationOf,
  operations,
  parametersOf,
  pathOf,
} from "../support/stack/operations.ts";
import { createPlainResources, keepFromRuns, lineIdsOf, ownWebhook } from "../support/stack/own-resources.ts";
import { type SpawnedDriver, spawnDriver } from "../support/stack/spawn-driver.ts";
import {
  type ApiAnswer,
  ask,
  control,
  createOrganization,
  keyOf,
  type Organization,
} from "../support/stack/stack-client.ts";
import { until } from "../support/stack/until.ts";

let organization: Organization;
let driver: SpawnedDriver;
let connectionId: string;
let poolId: string;
let runWorkflowId: string;
let runId: string;
let attachmentId: string;

let tagged: TaggedWorkflow;
let trajectoryId: string;
let lineIds: Readonly<Record<string, string>>;
let webhook: Awaited<ReturnType<typeof ownWebhook>>;

const connect = () =>
  spawnDriver({ websocketUrl: inject("stack").websocketUrl, key: keyOf(organization, "driver") });

beforeAll(async () => {
  organization = await withKeyOfItsOwn(await createOrganization());
  driver = await connect();
  await keepFromRuns(keyOf(organization, "full"), driver.machineId);
  await writeFile(join(driver.root, "notes.txt"), "notes");
  connectionId = await connectionOf(driver.machineId);
  poolId = await newPool();
  runWorkflowId = await made("/v1/workflows", { main_prompt: "Open the shop.", executor: "worker" });
  runId = await newRun();
  attachmentId = await newAttachment();
  tagged = await newTaggedWorkflow();
  await made("/v1/trajectories", {
    workflow_id: tagged.workflow_id,
    trajectory_data: [{ action: "click" }],
  });
  trajectoryId = await newTrajectory();
  lineIds = await lineIdsOf(keyOf(organization, "full"), driver.machineId);
  webhook = await ownWebhook(keyOf(organization, "full"));
});
afterAll(async () => {
  await driver?.stop();
});

/** Replaces the key by one created over the API, which every operation has to accept. */
async function withKeyOfItsOwn(created: Organization): Promise<Organization> {
  const scopes = ["read", "write", "driver", "worker", "admin"];
  const made = await ask("/v1/api-keys", { key: keyOf(created, "full"), body: { name: "own", scopes } });
  return { ...created, api_keys: { ...created.api_keys, full: String(made.body.api_key) } };
}

async function made(path: string, body: unknown): Promise<string> {
  const answer = await ask(path, { key: keyOf(organization, "full"), body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(answer.body.id);
}

const newRun = () => made("/v1/runs", { workflow_id: runWorkflowId });
const newAttachment = () =>
  made("/v1/run-attachments", {
    run_id: runId,
    attachment_type: "output",
    filename: "a.txt",
    content: "YWJj",
    content_type: "text/plain",
  });

const newTrajectory = () =>
  made("/v1/trajectories", { workflow_id: runWorkflowId, trajectory_data: [{ action: "click" }] });

/** Creates a pool of the organization, without machines. */
async function newPool(): Promise<string> {
  const made = await ask("/v1/pools", { key: keyOf(organization, "full"), body: { name: randomUUID() } });
  return String(made.body.id);
}

type TaggedWorkflow = Awaited<ReturnType<typeof newTaggedWorkflow>>;

/** Creates a workflow that has the tag; the group has none, and no workflow names the model configuration. */
async function newTaggedWorkflow() {
  const key = keyOf(organization, "full");
  const [workflow, { pool_id: _machineless, ...plain }] = await Promise.all([
    ask("/v1/workflows", { key, body: { main_prompt: "made" } }),
    createPlainResources(key),
  ]);
  const workflow_id = String(workflow.body.id);
  await ask(`/v1/workflows/${workflow_id}/tags`, { key, body: { tag_ids: [plain.tag_id] } });
  return { ...plain, workflow_id };
}

async function connectionOf(machineId: string): Promise<string> {
  const path = `/v1/connections?machine_id=${machineId}`;
  let ids: readonly string[] = [];
  // Indexes are eventually consistent.
  await until(async () => {
    const list = await ask<{ items: { id: string }[] }>(path, { key: keyOf(organization, "full") });
    ids = list.body.items.map(({ id }) => id);
    return ids.length > 0;
  });
  const [id] = ids;
  if (id === undefined) throw new Error("the driver has no connection");
  return id;
}

async function desktopToken(): Promise<string> {
  const token = await ask<{ desktopToken: string }>("/api/driver/connection-token", {
    body: { remotePeerId: "peer" },
    key: keyOf(organization, "full"),
  });
  return token.body.desktopToken;
}

/** The resources that valid requests refer to. */
function world(): OperationWorld {
  return {
    machineId: driver.machineId,
    runId,
    fingerprint: randomUUID(),
    desktopToken,
    driverKey: keyOf(organization, "driver"),
    workflowId: tagged.workflow_id,
    tagId: tagged.tag_id,
    groupId: tagged.group_id,
  };
}

interface Changes {
  readonly key?: string | undefined;
  /** Ids by the names of the path's parameters. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly query?: string | undefined;
  readonly body?: unknown;
  /** @default this machine's own */
  readonly from?: string;
}

/** Ids of the organization's resources. */
const ownIds = () => ({
  machine_id: driver.machineId,
  connection_id: connectionId,
  pool_id: poolId,
  run_id: runId,
  attachment_id: attachmentId,
  trajectory_id: trajectoryId,
  ...tagged,
  ...lineIds,
  ...webhook,
});

/** Sends the operation's own request with changes. */
async function send(operation: Operation, changes: Changes = {}): Promise<ApiAnswer<unknown>> {
  const body = "body" in changes ? changes.body : await operation.body?.(world());
  const query = "query" in changes ? changes.query : operation.query;
  return await ask(pathOf(operation, changes.ids ?? ownIds(), query), {
    method: operation.method,
    ...("key" in changes
      ? { key: changes.key }
      : operation.access === "bearer"
        ? { key: keyOf(organization, "full") }
        : {}),
    ...(body === undefined ? {} : { body }),
    ...(changes.from === undefined ? {} : { from: changes.from }),
  });
}

const idsOf = (operation: Operation, id: () => string) =>
  Object.fromEntries(parametersOf(operation).map((name) => [name, id()]));

function codeOf(answer: ApiAnswer<unknown>): unknown {
  return ErrorBody.parse(answer.body).error_code;
}

const bearer = operations.filter(({ access }) => access === "bearer");
const ofOneResource = operations.filter((operation) => parametersOf(operation).length > 0);
const named = (some: readonly Operation[]) => some.map((each): [string, Operation] => [each.route, each]);

describe("an operation with a valid request", () => {
  const lasting = operations.filter(({ ends }) => ends === undefined);

  it.each(named(lasting))(
    "%s answers what the contract says, and no field more",
    async (_route, operation) => {
      const answer = await send(operation);
      const hasBody = operation.status !== 204;
      expect([answer.status, answer.body]).toEqual([
        operation.status,
        hasBody ? expect.anything() : undefined,
      ]);
      if (hasBody) {
        operation.answer?.parse(answer.body);
        expect(answer.headers.get("content-type")).toContain(operation.contentType);
      }
      expect(answer.headers.get("x-request-id")).toMatch(/\S{8,}/);
    },
  );

  it.each(named(operations.filter(({ ends }) => ends === "machine")))("%s too", async (_route, operation) => {
    const made = await ask("/v1/machines", {
      key: keyOf(organization, "full"),
      body: { fingerprint: randomUUID() },
    });
    const machineId = String(made.body.id);
    const answer = await send(operation, { ids: { machine_id: machineId } });
    expect([answer.status, answer.body]).toEqual([operation.status, undefined]);
    expect((await ask(`/v1/machines/${machineId}`, { key: keyOf(organization, "full") })).status).toBe(404);
  });

  it.each(named(operations.filter(({ ends }) => ends === "pool")))("%s too", async (_route, operation) => {
    const answer = await send(operation, { ids: { pool_id: await newPool() } });
    expect([answer.status, answer.body]).toEqual([operation.status, undefined]);
  });

  it.each(named(operations.filter(({ ends }) => ends === "workflow")))(
    "%s too",
    async (_route, operation) => {
      const answer = await send(operation, { ids: { ...(await newTaggedWorkflow()) } });
      expect([answer.status, answer.body]).toEqual([operation.status, undefined]);
    },
  );

  it.each(named(operations.filter(({ ends }) => ends === "webhook")))("%s too", async (_route, operation) => {
    const endpoint_id = await made("/v1/webhook-endpoints", { url: "http://127.0.0.1:9/das" });
    const answer = await send(operation, { ids: { endpoint_id } });
    expect([answer.status, answer.body]).toEqual([operation.status, undefined]);
  });

  it.each(named(operations.filter(({ ends }) => ends === "trajectory")))(
    "%s too",
    async (_route, operation) => {
      const answer = await send(operation, { ids: { trajectory_id: await newTrajectory() } });
      expect([answer.status, answer.body]).toEqual([operation.status, undefined]);
    },
  );

  it.each(named(operations.filter(({ ends }) => ends === "run" || ends === "attachment")))(
    "%s too",
    async (_route, operation) => {
      const ids = { run_id: await newRun(), attachment_id: await newAttachment() };
      const answer = await send(operation, { ids });
      expect(answer.status, JSON.stringify(answer.body)).toBe(operation.status);
      if (operation.status === 204) expect(answer.body).toBeUndefined();
      else operation.answer?.parse(answer.body);
    },
  );

  it.each(named(operations.filter(({ ends }) => ends === "ended_run")))(
    "%s too",
    async (_route, operation) => {
      const run_id = await newRun();
      const key = keyOf(organization, "full");
      await ask(`/v1/runs/${run_id}`, { method: "PATCH", key, body: { status: "cancelled" } });
      const answer = await send(operation, { ids: { run_id } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(operation.status);
      operation.answer?.parse(answer.body);
    },
  );

  it.each(named(operations.filter(({ ends }) => ends === "connection")))(
    "%s too",
    async (_route, operation) => {
      const cutOff = await connect();
      const id = await connectionOf(cutOff.machineId);
      const answer = await send(operation, { ids: { connection_id: id } });
      expect([answer.status, answer.body]).toEqual([operation.status, undefined]);
      expect((await ask(`/v1/connections/${id}`, { key: keyOf(organization, "full") })).status).toBe(404);
      await cutOff.stop();
    },
  );

  it.each(named(operations.filter(({ ends }) => ends === "driver")))("%s too", async (_route, operation) => {
    const doomed = await connect();
    const answer = await send(operation, { ids: { machine_id: doomed.machineId } });
    expect(answer.status).toBe(operation.status);
    operation.answer?.parse(answer.body);
    expect(answer.body).toMatchObject({ pid: doomed.pid, status: "shutting_down" });
    expect(await doomed.ended).toBe(0);
    await doomed.stop();
  });
});

describe("an operation without the right credentials", () => {
  it.each(named(bearer))("%s answers 403 to none", async (_route, operation) => {
    const answer = await send(operation, { key: undefined });
    expect([answer.status, codeOf(answer)]).toEqual([403, "missing_credentials"]);
  });

  it.each(named(bearer))("%s answers 401 to a key with one letter changed", async (_route, operation) => {
    const key = keyOf(organization, "full");
    const from = `127.0.1.${1 + bearer.indexOf(operation)}`;
    const answer = await send(operation, { key: key.slice(0, -1) + (key.endsWith("x") ? "y" : "x"), from });
    expect([answer.status, codeOf(answer)]).toEqual([401, "invalid_credentials"]);
  });

  it.each(named(bearer))("%s answers 403 to a key of another scope", async (_route, operation) => {
    const key = keyOf(organization, operation.scopes.includes("read") ? "write" : "read");
    const answer = await send(operation, { key });
    expect([answer.status, codeOf(answer)]).toEqual([403, "insufficient_scope"]);
  });

  it.each(named(bearer))("%s answers 403 to a key that only opens tunnels", async (_route, operation) => {
    const answer = await send(operation, { key: keyOf(organization, "driver") });
    expect([answer.status, codeOf(answer)]).toEqual([403, "insufficient_scope"]);
  });

  it("POST /api/driver/authorize-connection answers 401 to a bad key and to a bad token", async () => {
    const operation = operationOf("authorizeConnection");
    const good = (await operation.body?.(world())) ?? {};
    const key = String(good.machineApiKey);
    for (const wrong of [
      { machineApiKey: `${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}` },
      { desktopToken: `${String(good.desktopToken)}x` },
      { desktopToken: "nonsense" },
    ]) {
      const answer = await send(operation, { body: { ...good, ...wrong } });
      expect([answer.status, codeOf(answer)]).toEqual([401, "invalid_credentials"]);
    }
  });

  it("POST /api/driver/connection-token answers 401 to a bad credential, though it needs none", async () => {
    const answer = await send(operationOf("createConnectionToken"), { key: "das_nobody" });
    expect([answer.status, codeOf(answer)]).toEqual([401, "invalid_credentials"]);
  });
});

describe("an operation with bad input", () => {
  const wrong = operations.flatMap((operation): [string, Operation, NonNullable<Operation["bad"]>][] =>
    operation.bad === undefined ? [] : [[operation.route, operation, operation.bad]],
  );

  it.each(wrong)("%s answers 422 that names the place", async (_route, operation, { loc, type, ...bad }) => {
    const answer = await send(operation, bad);
    expect(answer.status).toBe(422);
    const { detail } = ValidationErrorBody.parse(answer.body);
    expect(detail).toContainEqual(expect.objectContaining({ loc, type }));
  });

  const withBody = operations.filter(({ body }) => body !== undefined);

  it.each(named(withBody))("%s answers 422 to an unknown field", async (_route, operation) => {
    const body = { ...(await operation.body?.(world())), surprise: 1 };
    const answer = await send(operation, { body });
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        detail: [
          { loc: ["body", "surprise"], msg: "Extra inputs are not permitted", type: "extra_forbidden" },
        ],
      },
    ]);
  });

  it.each(named(ofOneResource))("%s answers 422 to an id that is no UUID", async (_route, operation) => {
    const answer = await send(operation, { ids: idsOf(operation, () => "7") });
    expect(answer.status).toBe(422);
    const { detail } = ValidationErrorBody.parse(answer.body);
    const wrong = { type: "uuid_parsing", input: "7" };
    expect(detail).toEqual(
      parametersOf(operation).map((name) => expect.objectContaining({ loc: ["path", name], ...wrong })),
    );
  });
});

describe("the functions' roles", () => {
  it("allowed every call that the operations above made", async () => {
    expect(await control("/aws/denials")).toEqual({ items: [] });
  });
});
