import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  askAgain,
  control,
  createOrganization,
  driverOf,
  keyOf,
  type Organization,
} from "../support/stack/stack-client.ts";
import { assignRun, openStackTable, type StackTable } from "../support/stack/storage.ts";
import { type IdName, type IdRequest, requestWithId, type TakenId } from "../support/stack/taken-id.ts";

/** Ids of one organization's resources. */
type Ids = Readonly<Record<IdName, string>>;

interface Party {
  readonly organization: Organization;
  readonly driver: SpawnedDriver;
}

let table: StackTable;
/** An organization with one of every resource. */
let owner: Party;
let ownersIds: Ids;
/** The organization that requests the owner's resources. */
let stranger: Party;
/** The stranger's resources for requests that are refused, and so change none of them. */
let strangersIds: Ids;

beforeAll(async () => {
  table = await openStackTable();
  [owner, stranger] = await Promise.all([newParty(), newParty()]);
  ownersIds = await everyId(owner);
  strangersIds = await createOwnResources(keyOf(stranger.organization, "full"), {});
});
afterAll(async () => {
  table?.client.destroy();
  await Promise.all([owner?.driver.stop(), stranger?.driver.stop()]);
});

async function newParty(): Promise<Party> {
  const organization = await createOrganization();
  const driver = await driverOf(organization);
  await keepFromRuns(keyOf(organization, "full"), driver.machineId);
  return { organization, driver };
}

/** Creates the owner's resources; the run is running. */
async function everyId({ organization, driver }: Party): Promise<Ids> {
  const key = keyOf(organization, "full");
  const { organization_id: organizationId } = organization;
  const { machineId: machine_id } = driver;
  const [own, machine, connection_id, upload_id] = await Promise.all([
    createOwnResources(key, { machine_id }),
    ask(`/v1/machines/${machine_id}`, { key }),
    connectionOf(key, machine_id),
    putUpload(key, machine_id),
  ]);
  const assignment_id = await assignRun(table, { organizationId, runId: own.run_id, machineId: machine_id });
  return {
    ...own,
    connection_id,
    upload_id,
    assignment_id,
    fingerprint: String(machine.body.fingerprint),
    ...(await lineIdsOf(key, machine_id)),
    organization_id: organizationId,
  };
}

async function idsFor({ route, ends, method }: Operation, status: number): Promise<Ids> {
  const changesNothing = method === "GET" || (status === 404 && ends !== "ended_run");
  const key = keyOf(stranger.organization, "full");
  const own = changesNothing ? strangersIds : await createOwnResources(key, {});
  return /\/(computer|driver)\//.test(route) ? { ...own, machine_id: stranger.driver.machineId } : own;
}

async function putUpload(key: string, machineId: string): Promise<string> {
  const answer = await ask<{ upload_id: string; url: string; headers: Record<string, string> }>(
    `/v1/computer/${machineId}/fs/uploads`,
    { key, body: { filename: "a.bin", size: 3 } },
  );
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { upload_id, url, headers } = answer.body;
  expect((await fetch(url, { method: "PUT", headers, body: "abc" })).status).toBe(200);
  return upload_id;
}

const worldOf = (ids: Ids): OperationWorld => ({
  ...ids,
  fingerprint: randomUUID(),
  driverKey: keyOf(stranger.organization, "driver"),
  desktopToken: () => desktopTokenOf(keyOf(stranger.organization, "full")),
});

/** Sends a request of the stranger about its own resources, except one id, which is `id`. */
async function sendWith(
  operation: Operation,
  place: { readonly parameter: string } | { readonly taken: TakenId },
  id: string,
  status: number,
): Promise<ApiAnswer<unknown>> {
  const own = await idsFor(operation, status);
  if ("taken" in place && place.taken.of === "assignment_id") {
    const organizationId = stranger.organization.organization_id;
    await assignRun(table, { organizationId, runId: own.run_id, machineId: own.machine_id });
  }
  if (operation.ends === "ended_run") {
    const body = { status: "cancelled" };
    const key = keyOf(stranger.organization, "full");
    await ask(`/v1/runs/${own.run_id}`, { method: "PATCH", key, body });
  }
  const request: IdRequest = { query: operation.query, body: await operation.body?.(worldOf(own)) };
  const { query, body } = "taken" in place ? requestWithId(request, place.taken, id) : request;
  const inPath = "parameter" in place ? { ...own, [place.parameter]: id } : own;
  return await askAgain(pathOf(operation, inPath, query), {
    method: operation.method,
    ...(operation.access === "bearer" ? { key: keyOf(stranger.organization, "full") } : {}),
    ...(body === undefined ? {} : { body }),
  });
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const text = (answer: ApiAnswer<unknown>) => new TextDecoder().decode(answer.bytes);

const comparable = (answer: ApiAnswer<unknown>, id: string) => ({
  status: answer.status,
  body: text(answer)
    .replaceAll(id, "<id>")
    .replaceAll(uuid, "<id>")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<moment>")
    .replaceAll(/"expiresAt":\d+/g, '"expiresAt":"<moment>"')
    .replaceAll(/"(desktopToken|ticket|url)":"[^"]*"/g, '"$1":"<signed>"'),
  headers: [...answer.headers.keys()].filter((name) => name !== "content-length").sort(),
  type: answer.headers.get("content-type"),
});

function unknownId(name: IdName): string {
  return name === "organization_id" ? `org_${randomUUID()}` : randomUUID();
}

/** The owner's id and an unknown one must get the same response, which reveals nothing else of the owner. */
async function expectNoDifference(
  operation: Operation,
  place: { readonly parameter: string } | { readonly taken: TakenId },
  name: IdName,
  status: number,
): Promise<void> {
  const [theirs, nobodys] = [ownersIds[name], unknownId(name)];
  const asked = await sendWith(operation, place, theirs, status);
  const askedForNone = await sendWith(operation, place, nobodys, status);
  expect([asked.status, asked.body]).toEqual([status, status === 204 ? undefined : expect.anything()]);
  expect(comparable(asked, theirs)).toEqual(comparable(askedForNone, nobodys));
  const told = text(asked).replaceAll(theirs, "");
  expect(Object.values(ownersIds).filter((id) => told.includes(id))).toEqual([]);
}

describe("an id of another organization is answered as one that nobody has", () => {
  const inPaths = operations.flatMap((operation) =>
    parametersOf(operation).map((parameter) => [operation.route, parameter, operation] as const),
  );
  it.each(inPaths)("%s with its %s", async (_route, parameter, operation) => {
    await expectNoDifference(operation, { parameter }, parameter as IdName, 404);
  });

  const inRequests = operations.flatMap((operation) =>
    (operation.takes ?? []).flatMap((taken) =>
      taken.of === null ? [] : [[operation.route, taken.at, operation, taken, taken.of] as const],
    ),
  );
  // A reservation creates a session with that id in the stranger's organization. It comes last, so that all others
  // request something that the stranger does not have.
  const mayMake = ({ status = 404 }: TakenId) => (status === 404 ? 0 : 1);
  const inOrder = inRequests.toSorted((left, right) => mayMake(left[3]) - mayMake(right[3]));
  it.each(inOrder)("%s with %s", async (_route, _at, operation, taken, name) => {
    await expectNoDifference(operation, { taken }, name, taken.status ?? 404);
  });
});

describe("what another organization was asked for", () => {
  it("is as it was", async () => {
    const key = keyOf(owner.organization, "full");
    const machine = await ask(`/v1/machines/${ownersIds.machine_id}`, { key });
    expect(machine.body).toMatchObject({ status: "connected", pools: [], reserved_session_id: null });
    for (const path of [
      ...[`/v1/pools/${ownersIds.pool_id}`, `/v1/workflows/${ownersIds.workflow_id}`],
      ...[`/v1/workflow-tags/${ownersIds.tag_id}`, `/v1/workflow-tag-groups/${ownersIds.group_id}`],
      ...[`/v1/trajectories/${ownersIds.trajectory_id}`, `/v1/run-attachments/${ownersIds.attachment_id}`],
    ]) {
      const { id, updated_at, created_at } = (await ask(path, { key })).body;
      expect([id, updated_at ?? created_at]).toEqual([path.split("/").at(-1), created_at]);
    }
    const run = await ask(`/v1/runs/${ownersIds.run_id}`, { key });
    expect(run.body).toMatchObject({ status: "running", output_data: null });
    await made(key, "/v1/runs", {
      workflow_id: ownersIds.workflow_id,
      session_id: ownersIds.session_id,
    });
  });

  it("was refused to the stranger by no role of a function", async () => {
    expect(await control("/aws/denials")).toEqual({ items: [] });
  });
});
