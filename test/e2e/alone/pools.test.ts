import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type * as z from "zod";
import { Machine, MachineList, Pool } from "../../../shared/contract/machine.ts";
import { PoolDetail, PoolList } from "../../../shared/contract/pool.ts";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import { clearFaults, injectFault } from "../../support/stack/faults.ts";
import {
  type ApiAnswer,
  ask,
  control,
  createOrganization,
  keyOf,
  type Organization,
} from "../../support/stack/stack-client.ts";
import { secretsOf } from "../../support/stack/storage.ts";
import { until } from "../../support/stack/until.ts";

let organization: Organization;
let key: string;

beforeEach(async () => {
  organization = await createOrganization();
  key = keyOf(organization, "full");
});
afterEach(clearFaults);

type Fields = Readonly<Record<string, unknown>>;

async function newPool(fields: Fields = {}): Promise<z.infer<typeof Pool>> {
  const answer = await ask("/v1/pools", { key, body: { name: randomUUID(), ...fields } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return Pool.parse(answer.body);
}

async function newMachine(): Promise<string> {
  const answer = await ask("/v1/machines", { key, body: { fingerprint: randomUUID() } });
  expect(answer.status).toBe(201);
  return String(answer.body.id);
}

async function newMachines(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const next = Math.min(10, count - ids.length);
    ids.push(...(await Promise.all(Array.from({ length: next }, newMachine))));
  }
  return ids;
}

function members(
  method: "POST" | "DELETE",
  poolId: string,
  machineIds: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer<Record<string, unknown>>> {
  return ask(`/v1/pools/${poolId}/machines`, { method, key, headers, body: { machine_ids: machineIds } });
}

async function get(poolId: string): Promise<PoolDetail> {
  return PoolDetail.parse((await ask(`/v1/pools/${poolId}?include=machines`, { key })).body);
}

async function poolsOf(machineId: string): Promise<string[]> {
  const machine = Machine.parse((await ask(`/v1/machines/${machineId}`, { key })).body);
  return machine.pools.map(({ id }) => id);
}

describe("50 additions to one pool, ten at a time", () => {
  it("leave its number of machines right, whatever transactions meet on the way", async () => {
    const { id } = await newPool();
    const ids = await newMachines(50);
    await injectFault({
      service: "dynamodb",
      operation: "TransactWriteItems",
      error: "TransactionConflict",
      count: 60,
      probability: 0.4,
    });
    // Ten at a time: fifty functions that start at once would time this machine, not the pool. All fifty at once are
    // added in `test/integration/storage/membership-conflicts.test.ts`.
    const queue = ids.values();
    const answers: ApiAnswer<Record<string, unknown>>[] = [];
    const addNext = async () => {
      for (const machineId of queue) answers.push(await members("POST", id, [machineId]));
    };
    await Promise.all(Array.from({ length: 10 }, addNext));
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body);
    expect(refused).toEqual([]);
    const pool = await get(id);
    expect(pool.machine_count).toBe(50);
    expect(pool.included?.map((machine) => machine.id)).toEqual([...ids].sort().reverse());
    expect(pool.included?.every((machine) => machine.pools[0]?.id === id)).toBe(true);
  });
});

describe("two creations of one name at once", () => {
  it("leave one pool, and a total of one", async () => {
    const name = "front desks";
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask("/v1/pools", { key, body: { name } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect((await ask("/v1/pools", { key })).body.total).toBe(1);
  });
});

describe("a pool", () => {
  it("is listed, searched, renamed and gone, its name free at once", async () => {
    const pool = await newPool({ name: "till", description: "by the door" });
    const list = async (query: string) => PoolList.parse((await ask(`/v1/pools${query}`, { key })).body);
    await until(async () => (await list("")).items.length === 1);
    expect(await list("")).toEqual({ items: [pool], total: 1, skip: 0, limit: 100 });
    expect((await list("?search=DOOR")).items).toEqual([pool]);
    expect((await list("?search=window")).total).toBe(0);
    const path = `/v1/pools/${pool.id}`;
    const renamed = await ask(path, { method: "PATCH", key, body: { name: "tills" } });
    expect(Pool.parse(renamed.body)).toEqual({
      ...pool,
      name: "tills",
      updated_at: renamed.body.updated_at,
    });
    await newPool({ name: "till" });
    const taken = await ask(path, { method: "PATCH", key, body: { name: "till" } });
    expect([taken.status, taken.body.error_code]).toEqual([409, "name_taken"]);
    expect((await ask(path, { method: "DELETE", key })).status).toBe(204);
    expect((await ask(path, { key })).status).toBe(404);
    expect((await list("")).total).toBe(1);
    await newPool({ name: "tills" });
  });

  it("keeps its secrets in the secret store, one at a time, and takes them with it", async () => {
    const pool = await newPool({ pool_sensitive_parameters: { pin: "a-secret-value" } });
    expect(pool.pool_sensitive_parameters).toEqual({ pin: "pin" });
    const secrets = () => secretsOf(organization.organization_id);
    const [first = ""] = await secrets();
    expect(first).toContain(`/pool/${pool.id}/`);
    const path = `/v1/pools/${pool.id}`;
    const body = { pool_sensitive_parameters: { pin: "another-secret-value" } };
    const changed = await ask(path, { method: "PATCH", key, body });
    expect([changed.status, JSON.stringify(changed.body).includes("another")]).toEqual([200, false]);
    expect(await secrets()).toHaveLength(1);
    expect(await secrets()).not.toContain(first);
    await ask(path, { method: "DELETE", key });
    await until(async () => (await secrets()).length === 0);
    expect(await secrets()).toEqual([]);
  });

  it("that is deleted leaves its machines as they were, in their other pools", async () => {
    const [pool, other] = [await newPool(), await newPool()];
    const ids = await newMachines(3);
    for (const { id } of [pool, other]) expect((await members("POST", id, ids)).status).toBe(200);
    expect((await ask(`/v1/pools/${pool.id}`, { method: "DELETE", key })).status).toBe(204);
    for (const id of ids) expect(await poolsOf(id)).toEqual([other.id]);
    expect((await get(other.id)).machine_count).toBe(3);
  });
});

describe("a membership", () => {
  it("is known from both sides, set from both, and done once under an Idempotency-Key", async () => {
    const [one, other] = [await newPool(), await newPool()];
    const machineId = await newMachine();
    const headers = { "idempotency-key": randomUUID() };
    const added = PoolDetail.parse((await members("POST", one.id, [machineId], headers)).body);
    expect([added.machine_count, added.included?.map(({ id }) => id)]).toEqual([1, [machineId]]);
    const path = `/v1/machines/${machineId}/pools`;
    const set = await ask<{ pools: unknown }>(path, { method: "PUT", key, body: { pool_ids: [other.id] } });
    expect(Pool.array().parse(set.body.pools)).toEqual([{ ...other, machine_count: 1 }]);
    expect((await get(one.id)).included).toEqual([]);
    const repeat = await members("POST", one.id, [machineId], headers);
    expect([repeat.status, repeat.headers.get("idempotency-status")]).toEqual([200, "replayed"]);
    expect(await poolsOf(machineId)).toEqual([other.id]);
    expect((await members("DELETE", other.id, [machineId, randomUUID()])).status).toBe(204);
    expect((await get(other.id)).machine_count).toBe(0);
  });

  it("takes 49 machines in one transaction, and none of them when one is another organization's", async () => {
    const { id } = await newPool();
    const ids = await newMachines(49);
    const stranger = await createOrganization();
    const foreign = await ask("/v1/machines", {
      key: keyOf(stranger, "full"),
      body: { fingerprint: randomUUID() },
    });
    const refused = await members("POST", id, [...ids.slice(1), String(foreign.body.id)]);
    expect([refused.status, refused.body.error_code]).toEqual([404, "not_found"]);
    expect((await get(id)).machine_count).toBe(0);
    const headers = { "idempotency-key": randomUUID() };
    expect((await members("POST", id, ids, headers)).body.machine_count).toBe(49);
    expect((await members("DELETE", id, ids, headers)).status).toBe(204);
    expect((await get(id)).machine_count).toBe(0);
  });

  it("ends with its machine", async () => {
    const { id } = await newPool();
    const [gone = "", stays = ""] = await newMachines(2);
    await members("POST", id, [gone, stays]);
    expect((await ask(`/v1/machines/${gone}`, { method: "DELETE", key })).status).toBe(204);
    expect((await get(id)).included?.map((machine) => machine.id)).toEqual([stays]);
    await until(async () => (await get(id)).machine_count === 1);
    expect((await get(id)).machine_count).toBe(1);
  });
});

describe("a warm instance calls DynamoDB for", () => {
  const cost = async (functionName: string, path: string, request: Parameters<typeof ask>[1] = {}) => {
    const { counts } = await callsDuring(async () => {
      const answer = await ask(path, { key, ...request });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    });
    return counts[functionName] ?? {};
  };

  it("a machine in pools twice, a page of them four times, and their pools' members as often as they are many", async () => {
    const [one, other] = [await newPool(), await newPool()];
    const ids = await newMachines(3);
    for (const { id } of [one, other]) await members("POST", id, ids);
    await ask("/v1/machines", { key });
    expect(await cost("machines", `/v1/machines/${ids[0]}`)).toEqual({
      "dynamodb GetItem": 1,
      "dynamodb BatchGetItem": 1,
    });
    await until(async () => MachineList.parse((await ask("/v1/machines", { key })).body).items.length === 3);
    expect(await cost("machines", "/v1/machines?include=pools")).toEqual({
      "dynamodb Query": 2,
      "dynamodb BatchGetItem": 2,
    });
    await get(one.id);
    expect(await cost("pools", `/v1/pools/${one.id}`)).toEqual({ "dynamodb GetItem": 1 });
    expect(await cost("pools", `/v1/pools/${one.id}?include=machines`)).toEqual({
      "dynamodb GetItem": 1,
      "dynamodb Query": 1,
      "dynamodb BatchGetItem": 2,
    });
  });

  it("each write of a pool one transaction or conditional write, and a read before where the answer needs it", async () => {
    const { id } = await newPool();
    const [machineId = ""] = await newMachines(1);
    const once = () => ({ headers: { "idempotency-key": randomUUID() } });
    const create = (more = {}) => cost("pools", "/v1/pools", { body: { name: randomUUID() }, ...more });
    await create();
    expect(await create()).toEqual({ "dynamodb TransactWriteItems": 1 });
    expect(await create(once())).toEqual({ "dynamodb TransactWriteItems": 1 });
    const change = (body: unknown, more = {}) =>
      cost("pools", `/v1/pools/${id}`, { method: "PATCH", body, ...more });
    expect(await change({ description: "a" })).toEqual({ "dynamodb UpdateItem": 1 });
    const asRead = { "dynamodb GetItem": 1, "dynamodb TransactWriteItems": 1 };
    expect(await change({ description: "b" }, once())).toEqual(asRead);
    expect(await change({ name: randomUUID() })).toEqual(asRead);
    const leave = { method: "DELETE", body: { machine_ids: [machineId] } };
    expect(await cost("pools", `/v1/pools/${id}/machines`, leave)).toEqual({
      "dynamodb BatchGetItem": 1,
      "dynamodb TransactWriteItems": 1,
    });
    const replace = { method: "PUT", body: { pool_ids: [id] } };
    await cost("machines", `/v1/machines/${machineId}/pools`, replace);
    expect(await cost("machines", `/v1/machines/${machineId}/pools`, replace)).toEqual({
      "dynamodb GetItem": 2,
      "dynamodb BatchGetItem": 2,
      "dynamodb TransactWriteItems": 1,
    });
    expect(await cost("pools", `/v1/pools/${id}`, { method: "DELETE" })).toEqual({
      "dynamodb TransactWriteItems": 1,
    });
  });
});

describe("the functions' roles", () => {
  it("allowed every call that was made for pools", async () => {
    expect(await control("/aws/denials")).toEqual({ items: [] });
  });
});
