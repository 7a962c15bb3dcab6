import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import { type ApiRequest, ask, createOrganization, keyOf } from "../../support/stack/stack-client.ts";

/**
 * The calls of what is no hot path (those have calls-budget.json), on warm instances, whatever the size of the table.
 * An idempotency record's own transaction is the operation's transaction, so an Idempotency-Key adds at most one call.
 */
let key: string;

beforeAll(async () => {
  key = keyOf(await createOrganization(), "full");
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

async function newMachine(): Promise<string> {
  const made = await ask("/v1/machines", { key, body: { fingerprint: randomUUID() } });
  expect(made.status).toBe(201);
  return String(made.body.id);
}

const creation = (): Asked => ({
  path: "/v1/machines",
  status: 201,
  request: { body: { fingerprint: randomUUID() }, headers: once() },
});
const firstSecret = async (): Promise<Asked> => ({
  path: `/v1/machines/${await newMachine()}`,
  status: 200,
  request: {
    method: "PATCH",
    body: { machine_sensitive_parameters: { pin: "a-secret-value" } },
    headers: once(),
  },
});
const deletion = (machineId: string, headers = {}): Asked => ({
  path: `/v1/machines/${machineId}`,
  status: 204,
  request: { method: "DELETE", headers },
});
/** An organization writes five secrets a second. */
const nextSecond = () => pause(1_000 - (Date.now() % 1_000));
const once = () => ({ "idempotency-key": randomUUID() });

describe("a warm instance calls AWS for", () => {
  it("public health not at all", async () => {
    const health = { path: "/v1/health", status: 200 };
    expect(await costs("health", health, health)).toEqual({});
  });

  it("the database's health once", async () => {
    const health = { path: "/v1/health/db", status: 200 };
    expect(await costs("health", health, health)).toEqual({ "dynamodb GetItem": 1 });
  });

  it("a page of 101 rows four times: one batch for each 100", async () => {
    await Promise.all(Array.from({ length: 10 }, () => newMachine()));
    for (let made = 10; made < 101; made += 13)
      await Promise.all(Array.from({ length: 13 }, () => newMachine()));
    const list = { path: "/v1/machines?limit=101", status: 200 };
    expect(await costs("machines", list, list)).toEqual({ "dynamodb Query": 2, "dynamodb BatchGetItem": 2 });
  });

  it("a creation under an Idempotency-Key once as well", async () => {
    expect(await costs("machines", creation(), creation())).toEqual({
      "dynamodb TransactWriteItems": 1,
    });
  });

  it("the first secret under an Idempotency-Key five times: the lease, before the secret is written", async () => {
    await nextSecond();
    expect(await costs("machines", await firstSecret(), await firstSecret())).toEqual({
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
});
