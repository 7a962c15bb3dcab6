import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import { type SpawnedDriver, spawnDriver } from "../../support/stack/spawn-driver.ts";
import {
  type ApiRequest,
  ask,
  createOrganization,
  keyOf,
  type Organization,
} from "../../support/stack/stack-client.ts";

/**
 * The calls of design's budget, on warm instances: what an operation costs, whatever the size of the table.
 * An idempotency record's own transaction is the operation's transaction, so an Idempotency-Key adds at most one call.
 */
let organization: Organization;
let key: string;
let driver: SpawnedDriver;

beforeAll(async () => {
  organization = await createOrganization();
  key = keyOf(organization, "full");
  driver = await spawnDriver({
    websocketUrl: inject("stack").websocketUrl,
    key: keyOf(organization, "driver"),
  });
});
afterAll(async () => {
  await driver?.stop();
});

interface Asked {
  readonly path: string;
  readonly status: number;
  readonly request?: ApiRequest;
}

async function send({ path, status, request }: Asked): Promise<void> {
  const answer = await ask(path, { key, ...request });
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
}

async function costs(functionName: string, warm: Asked, counted: Asked) {
  await send(warm);
  const { counts } = await callsDuring(() => send(counted));
  return counts[functionName] ?? {};
}

async function newMachine(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const made = await ask("/v1/machines", { key, body: { fingerprint: randomUUID(), ...fields } });
  expect(made.status).toBe(201);
  return String(made.body.id);
}

const creation = (fields: Readonly<Record<string, unknown>> = {}, headers = {}): Asked => ({
  path: "/v1/machines",
  status: 201,
  request: { body: { fingerprint: randomUUID(), ...fields }, headers },
});
const change = (machineId: string, body: unknown, headers = {}): Asked => ({
  path: `/v1/machines/${machineId}`,
  status: 200,
  request: { method: "PATCH", body, headers },
});
const deletion = (machineId: string, headers = {}): Asked => ({
  path: `/v1/machines/${machineId}`,
  status: 204,
  request: { method: "DELETE", headers },
});
/** An organization writes five secrets a second. */
const nextSecond = () => pause(1_000 - (Date.now() % 1_000));
const once = () => ({ "idempotency-key": randomUUID() });
const secret = { machine_sensitive_parameters: { pin: "a-secret-value" } };

describe("a warm instance calls AWS for", () => {
  it("public health not at all", async () => {
    const health = { path: "/v1/health", status: 200 };
    expect(await costs("health", health, health)).toEqual({});
  });

  it("the database's health once", async () => {
    const health = { path: "/v1/health/db", status: 200 };
    expect(await costs("health", health, health)).toEqual({ "dynamodb GetItem": 1 });
  });

  it("one machine once", async () => {
    const read = { path: `/v1/machines/${await newMachine()}`, status: 200 };
    expect(await costs("machines", read, read)).toEqual({ "dynamodb GetItem": 1 });
  });

  it("a dashboard's read of one machine three times: two counts of its rate limit", async () => {
    const read = {
      path: `/v1/machines/${await newMachine()}`,
      status: 200,
      request: { key: organization.jwt },
    };
    expect(await costs("machines", read, read)).toEqual({
      "dynamodb UpdateItem": 2,
      "dynamodb GetItem": 1,
    });
  });

  it("the first page of a list three times", async () => {
    await Promise.all([newMachine(), newMachine(), newMachine()]);
    const list = { path: "/v1/machines", status: 200 };
    expect(await costs("machines", list, list)).toEqual({ "dynamodb Query": 2, "dynamodb BatchGetItem": 1 });
  });

  it("a page of 101 rows four times: one batch for each 100", async () => {
    await Promise.all(Array.from({ length: 10 }, () => newMachine()));
    for (let made = 10; made < 101; made += 13)
      await Promise.all(Array.from({ length: 13 }, () => newMachine()));
    const list = { path: "/v1/machines?limit=101", status: 200 };
    expect(await costs("machines", list, list)).toEqual({ "dynamodb Query": 2, "dynamodb BatchGetItem": 2 });
  });

  it("a creation once", async () => {
    expect(await costs("machines", creation(), creation())).toEqual({ "dynamodb TransactWriteItems": 1 });
  });

  it("a creation under an Idempotency-Key once as well", async () => {
    expect(await costs("machines", creation({}, once()), creation({}, once()))).toEqual({
      "dynamodb TransactWriteItems": 1,
    });
  });

  it("a creation with a secret three times, of which one counts, and once more under an Idempotency-Key", async () => {
    await nextSecond();
    expect(await costs("machines", creation(secret), creation(secret))).toEqual({
      "dynamodb UpdateItem": 1,
      "secretsmanager CreateSecret": 1,
      "dynamodb TransactWriteItems": 1,
    });
    expect(await costs("machines", creation(secret, once()), creation(secret, once()))).toEqual({
      "dynamodb PutItem": 1,
      "dynamodb UpdateItem": 1,
      "secretsmanager CreateSecret": 1,
      "dynamodb TransactWriteItems": 1,
    });
  });

  it("a change once, and twice under an Idempotency-Key", async () => {
    const machineId = await newMachine();
    const rename = change(machineId, { name: "renamed" });
    expect(await costs("machines", rename, rename)).toEqual({ "dynamodb UpdateItem": 1 });
    const renameOnce = () => change(machineId, { name: "renamed" }, once());
    expect(await costs("machines", renameOnce(), renameOnce())).toEqual({
      "dynamodb GetItem": 1,
      "dynamodb TransactWriteItems": 1,
    });
  });

  it("the first sensitive parameter four times: three of the table, one of the secret store", async () => {
    await nextSecond();
    const warm = change(await newMachine(), secret);
    expect(await costs("machines", warm, change(await newMachine(), secret))).toEqual({
      "dynamodb GetItem": 1,
      "secretsmanager CreateSecret": 1,
      "dynamodb UpdateItem": 2,
    });
  });

  it("one that takes the place of another once more: the other is removed", async () => {
    await nextSecond();
    const [warm, counted] = [await newMachine(secret), await newMachine(secret)];
    expect(await costs("machines", change(warm, secret), change(counted, secret))).toEqual({
      "dynamodb GetItem": 1,
      "secretsmanager CreateSecret": 1,
      "dynamodb UpdateItem": 2,
      "secretsmanager DeleteSecret": 1,
    });
  });

  it("the first under an Idempotency-Key once more: the lease, before the secret is written", async () => {
    await nextSecond();
    const warm = change(await newMachine(), secret, once());
    expect(await costs("machines", warm, change(await newMachine(), secret, once()))).toEqual({
      "dynamodb PutItem": 1,
      "dynamodb GetItem": 1,
      "dynamodb UpdateItem": 1,
      "secretsmanager CreateSecret": 1,
      "dynamodb TransactWriteItems": 1,
    });
  });

  it("a deletion once, with an Idempotency-Key or without", async () => {
    const [first, second, third] = [await newMachine(), await newMachine(), await newMachine()];
    const expected = { "dynamodb TransactWriteItems": 1 };
    expect(await costs("machines", deletion(first), deletion(second))).toEqual(expected);
    const { counts } = await callsDuring(() => send(deletion(third, once())));
    expect(counts.machines).toEqual(expected);
  });

  it("a tunnelled call: one read of the machine and its organization's calls, two writes of its slot, one post, the polls; and one write for the answer", async () => {
    const look = { path: `/v1/computer/${driver.machineId}/input/mouse/position`, status: 200 };
    await send(look);
    const { counts } = await callsDuring(async () => {
      await send(look);
      // The driver's answer is acknowledged after it has been stored.
      await pause(200);
    });
    const { "dynamodb Query": polls = 0, ...rest } = counts.computer ?? {};
    expect(polls).toBeGreaterThanOrEqual(1);
    expect(rest).toEqual({
      "dynamodb BatchGetItem": 1,
      "dynamodb PutItem": 1,
      "execute-api PostToConnection": 1,
      "dynamodb UpdateItem": 1,
    });
    expect(counts.tunnel).toEqual({ "dynamodb PutItem": 1, "execute-api PostToConnection": 1 });
  });

  it("a tunnelled act under an Idempotency-Key: two writes more, the lease and the answer on record", async () => {
    const scroll = (): Asked => ({
      path: `/v1/computer/${driver.machineId}/input/mouse/scroll`,
      status: 200,
      request: { body: { direction: "up", amount: 1 }, headers: once() },
    });
    const { "dynamodb Query": polls = 0, ...rest } = await costs("computer", scroll(), scroll());
    expect(polls).toBeGreaterThanOrEqual(1);
    expect(rest).toEqual({
      "dynamodb PutItem": 2,
      "dynamodb BatchGetItem": 1,
      "execute-api PostToConnection": 1,
      "dynamodb UpdateItem": 2,
    });
  });
});
