import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ValidationErrorBody } from "../../shared/contract/errors.ts";
import { routeGroups } from "../../shared/contract/operations/all-operations.ts";
import type { Ids } from "../support/stack/create-resources.ts";
import {
  type Operation,
  type OperationWorld,
  operations,
  parametersOf,
  pathOf,
} from "../support/stack/operations.ts";
import {
  connectionOf,
  createOwnResources,
  desktopTokenOf,
  keepFromRuns,
  lineIdsOf,
  made,
} from "../support/stack/own-resources.ts";
import type { SpawnedDriver } from "../support/stack/spawn-driver.ts";
import {
  type ApiAnswer,
  ask,
  control,
  createOrganization,
  driverOf,
  keyOf,
  type Organization,
} from "../support/stack/stack-client.ts";

let organization: Organization;
let key: string;
let driver: SpawnedDriver;
let ownIds: Ids;

const connect = () => driverOf(organization);

beforeAll(async () => {
  organization = await createOrganization();
  key = await keyOfItsOwn();
  driver = await connect();
  const machine_id = driver.machineId;
  await keepFromRuns(key, machine_id);
  await writeFile(join(driver.root, "notes.txt"), "notes");
  const connection_id = await connectionOf(key, machine_id);
  ownIds = { ...(await newIds({ machine_id, connection_id })), ...(await lineIdsOf(key, machine_id)) };
  // A tag that comes into a group has its workflows looked through.
  for (const group_id of [null, ownIds.group_id]) {
    await ask(`/v1/workflow-tags/${ownIds.tag_id}`, { method: "PATCH", key, body: { group_id } });
  }
  // The tests replace what these give: a pool's secret, and a run's object.
  const replaced = new Set(["updatePool", "updateRun"]);
  for (const operation of operations.filter(({ id }) => replaced.has(id))) await send(operation);
});
afterAll(async () => {
  await driver?.stop();
});

async function keyOfItsOwn(): Promise<string> {
  const scopes = ["read", "write", "driver", "worker", "admin"];
  const body = { name: "own", scopes };
  return String((await ask("/v1/api-keys", { key: keyOf(organization, "full"), body })).body.api_key);
}

/** Creates one of each resource that is not given; the workflow has the tag. */
async function newIds(given: Ids = {}): Promise<Ids> {
  const ids = await createOwnResources(key, given);
  await ask(`/v1/workflows/${ids.workflow_id}/tags`, { key, body: { tag_ids: [ids.tag_id] } });
  return ids;
}

const world = (ids: Ids): OperationWorld => ({
  ...ids,
  fingerprint: randomUUID(),
  desktopToken: () => desktopTokenOf(key),
  driverKey: keyOf(organization, "driver"),
});

interface Changes {
  readonly ids?: Readonly<Record<string, string>>;
  readonly query?: string | undefined;
  readonly body?: unknown;
}

async function send(operation: Operation, changes: Changes = {}): Promise<ApiAnswer<unknown>> {
  const { ids = ownIds } = changes;
  const body = "body" in changes ? changes.body : await operation.body?.(world(ownIds));
  const query = "query" in changes ? changes.query : operation.query;
  return await ask(pathOf(operation, ids, query), {
    method: operation.method,
    ...(operation.access === "bearer" && { key }),
    ...(body === undefined ? {} : { body }),
  });
}

function expectSuccess(operation: Operation, answer: ApiAnswer<unknown>): void {
  const hasBody = operation.status !== 204;
  expect([answer.status, answer.body]).toEqual([operation.status, hasBody ? expect.anything() : undefined]);
  if (hasBody) {
    operation.answer?.parse(answer.body);
    expect(answer.headers.get("content-type")).toContain(operation.contentType);
  }
  expect(answer.headers.get("x-request-id")).toMatch(/\S{8,}/);
}

const idsOf = (operation: Operation, id: () => string) =>
  Object.fromEntries(parametersOf(operation).map((name) => [name, id()]));

const ofOneResource = operations.filter((operation) => parametersOf(operation).length > 0);
const named = (some: readonly Operation[]) => some.map((each): [string, Operation] => [each.route, each]);

describe("an operation with a valid request", () => {
  const ending = (...kinds: readonly Operation["ends"][]) =>
    named(operations.filter(({ ends }) => kinds.includes(ends)));

  it.each(ending(undefined))(
    "%s answers what the contract says, and no field more",
    async (_route, operation) => {
      expectSuccess(operation, await send(operation));
    },
  );

  it.each(ending("resource", "endpoint", "ended_run"))("%s too", async (_route, operation) => {
    const { endpoint_id = "", delivery_id = "" } = ownIds;
    const ids = await newIds({ endpoint_id, delivery_id });
    if (operation.ends === "ended_run") {
      await ask(`/v1/runs/${ids.run_id}`, { method: "PATCH", key, body: { status: "cancelled" } });
    }
    const endpoint = { url: "http://127.0.0.1:9/das" };
    const isEndpoint = operation.ends === "endpoint";
    const own = isEndpoint ? { endpoint_id: await made(key, "/v1/webhook-endpoints", endpoint) } : {};
    expectSuccess(operation, await send(operation, { ids: { ...ids, ...own } }));
  });

  it.each(ending("connection"))("%s too", async (_route, operation) => {
    const cutOff = await connect();
    const connection_id = await connectionOf(key, cutOff.machineId);
    expectSuccess(operation, await send(operation, { ids: { connection_id } }));
    expect((await ask(`/v1/connections/${connection_id}`, { key })).status).toBe(404);
    await cutOff.stop();
  });

  it.each(ending("driver"))("%s too", async (_route, operation) => {
    const doomed = await connect();
    const answer = await send(operation, { ids: { machine_id: doomed.machineId } });
    expectSuccess(operation, answer);
    expect(answer.body).toMatchObject({ pid: doomed.pid, status: "shutting_down" });
    expect(await doomed.ended).toBe(0);
    await doomed.stop();
  });
});

describe("a function", () => {
  const firstOfEach = Object.entries(routeGroups).flatMap(([group, [first]]) => {
    const operation = operations.find(({ id, access }) => id === first?.id && access === "bearer");
    return operation === undefined ? [] : [[group, operation] as const];
  });

  it.each(firstOfEach)("%s answers 401 to a key with one letter changed", async (_group, operation) => {
    const wrong = key.slice(0, -1) + (key.endsWith("x") ? "y" : "x");
    const answer = await ask(pathOf(operation, ownIds, operation.query), {
      method: operation.method,
      key: wrong,
    });
    expect([answer.status, answer.body.error_code]).toEqual([401, "invalid_credentials"]);
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
