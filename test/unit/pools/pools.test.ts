import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { createPoolsApp } from "../../../functions/pools/app.ts";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { Machine, MachineList, Pool } from "../../../shared/contract/machine.ts";
import { PoolDetail, PoolList } from "../../../shared/contract/pool.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

async function setUp() {
  const service = await createTestService();
  const [pools, machines] = [createPoolsApp(service.deps), createMachinesApp(service.deps)];
  const authorization = service.authorize();
  const ask = asking((path) => (path.startsWith("/v1/pools") ? pools : machines), authorization);
  const memberOf = async (poolId: string, count = 1) => {
    const ids = await Promise.all(Array.from({ length: count }, async () => (await service.putMachine()).id));
    const answer = await ask("POST", `/v1/pools/${poolId}/machines`, { machine_ids: ids });
    expect(answer.status).toBe(200);
    return ids;
  };
  return { ...service, ask, memberOf };
}

function problemsOf(answer: { readonly status: number; readonly json: unknown }) {
  expect(answer.status).toBe(422);
  return ValidationErrorBody.parse(answer.json).detail.map(({ loc, type }) => [loc, type]);
}

describe("POST /v1/pools", () => {
  it("makes a pool without machines, whose description is empty unless given", async () => {
    const { ask, organizationId } = await setUp();
    const made = await ask("POST", "/v1/pools", { name: "front desks" });
    expect(made.status).toBe(201);
    const pool = Pool.parse(made.json);
    expect(pool).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: "front desks",
      organization_id: organizationId,
      created_at: expect.any(String),
      updated_at: pool.created_at,
      description: "",
      pool_parameters: {},
      pool_sensitive_parameters: {},
      machine_count: 0,
    });
    expect((await ask("GET", `/v1/pools/${pool.id}`)).json).toEqual(pool);
  });

  it("keeps values of sensitive parameters in the secret store, and answers and logs their aliases only", async () => {
    const { ask, stores, log, organizationId } = await setUp();
    const made = await ask("POST", "/v1/pools", {
      name: "vault",
      pool_parameters: { url: "https://intranet", nested: { a: [1, null] } },
      pool_sensitive_parameters: { password: "hunter2-hunter2", __proto__x: "y" },
    });
    const pool = Pool.parse(made.json);
    expect(pool.pool_parameters).toEqual({ url: "https://intranet", nested: { a: [1, null] } });
    expect(pool.pool_sensitive_parameters).toEqual({ password: "password", __proto__x: "__proto__x" });
    expect(made.text + log.text()).not.toContain("hunter2");
    const [name = ""] = stores.secrets.names();
    expect(name).toMatch(new RegExp(`^das/test/${organizationId}/pool/${pool.id}/`));
    expect(stores.secrets.values(name)).toEqual({ password: "hunter2-hunter2", __proto__x: "y" });
  });

  it("lets an organization write five secrets a second, whatever others write", async () => {
    const { ask, authorize, stores } = await setUp();
    const make = (name: string, headers = {}) =>
      ask("POST", "/v1/pools", { name, pool_sensitive_parameters: { pin: "0" } }, headers);
    for (const name of ["1", "2", "3", "4", "5"]) expect((await make(name)).status).toBe(201);
    const refused = await make("6");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(ErrorBody.parse(refused.json)).toMatchObject({ error_code: "rate_limited" });
    expect(stores.secrets.names()).toHaveLength(5);
    expect((await ask("GET", "/v1/pools")).json).toMatchObject({ total: 5 });
    const other = authorize({ organizationId: anOrganization() });
    expect((await make("6", { authorization: other })).status).toBe(201);
    stores.clock.advance(1_000);
    expect((await make("6")).status).toBe(201);
  });

  it("answers 409 to a name that the organization has, names who has it, and leaves no secret behind", async () => {
    const { ask, stores, putPool } = await setUp();
    const { id, name } = await putPool();
    const answer = await ask("POST", "/v1/pools", { name, pool_sensitive_parameters: { pin: "0" } });
    expect(answer.status).toBe(409);
    expect(ErrorBody.parse(answer.json)).toMatchObject({
      error_code: "name_taken",
      details: { pool_id: id },
    });
    expect(stores.secrets.names()).toEqual([]);
    await putPool({ name: "elsewhere", organizationId: anOrganization() });
    expect((await ask("POST", "/v1/pools", { name: "elsewhere" })).status).toBe(201);
  });
});

describe("a list of pools with include=machines", () => {
  it("has the machines of all of them, each once", async () => {
    const { ask, putPool, memberOf, putMachine } = await setUp();
    const [one, other] = [await putPool(), await putPool()];
    const ids = await memberOf(one.id, 2);
    const { id } = await putMachine();
    await ask("PUT", `/v1/machines/${id}/pools`, { pool_ids: [one.id, other.id] });
    const list = PoolList.parse((await ask("GET", "/v1/pools?include=machines")).json);
    expect(list.included?.map((machine) => machine.id).sort()).toEqual([...ids, id].sort());
    expect(PoolList.parse((await ask("GET", "/v1/pools")).json)).not.toHaveProperty("included");
  });
});

describe("GET /v1/pools/{pool_id}", () => {
  it("includes its machines when they are asked for, each with all its pools", async () => {
    const { ask, putPool, memberOf } = await setUp();
    const [pool, other] = [await putPool(), await putPool()];
    const [first = "", second = ""] = await memberOf(pool.id, 2);
    await ask("POST", `/v1/pools/${other.id}/machines`, { machine_ids: [first] });
    const plain = PoolDetail.parse((await ask("GET", `/v1/pools/${pool.id}`)).json);
    expect(plain).not.toHaveProperty("included");
    const answer = await ask("GET", `/v1/pools/${pool.id}?include=machines`);
    const { included = [], ...detail } = PoolDetail.parse(answer.json);
    expect(detail).toEqual(plain);
    expect(included.map(({ id, type }) => [id, type])).toEqual(
      [first, second]
        .sort()
        .reverse()
        .map((id) => [id, "machine"]),
    );
    const pools = new Map(included.map((machine) => [machine.id, machine.pools.map(({ id }) => id)]));
    expect(pools).toEqual(
      new Map([
        [first, [pool.id, other.id]],
        [second, [pool.id]],
      ]),
    );
    const empty = await putPool();
    const none = await ask("GET", `/v1/pools/${empty.id}?include=machines`);
    expect(PoolDetail.parse(none.json).included).toEqual([]);
  });

  it("has its machines in itself when they are asked for, newest first", async () => {
    const { ask, putPool, memberOf } = await setUp();
    const pool = await putPool();
    const ids = await memberOf(pool.id, 3);
    const get = async (query: string) =>
      PoolDetail.parse((await ask("GET", `/v1/pools/${pool.id}?${query}`)).json);
    const { machines = [], included } = await get("include_machines=true");
    expect(new Set(machines.map(({ id }) => id))).toEqual(new Set(ids));
    const moments = machines.map((machine) => machine.created_at);
    expect(moments).toEqual(moments.toSorted().reverse());
    expect(included).toBeUndefined();
    expect(await get("include_machines=false")).not.toHaveProperty("machines");
    const both = await get("include_machines=true&include=machines");
    expect(both.included?.map(({ type: _type, ...machine }) => machine)).toEqual(both.machines);
  });
});

describe("PATCH /v1/pools/{pool_id}", () => {
  it("changes the fields given, leaves the others, and dates the change", async () => {
    const { ask, putPool, stores } = await setUp();
    const { id, name } = await putPool({ description: "old", parameters: { a: 1, b: 2 } });
    stores.clock.advance(1_000);
    const answer = await ask("PATCH", `/v1/pools/${id}`, { description: "new", pool_parameters: { c: 3 } });
    expect(answer.status).toBe(200);
    expect(Pool.parse(answer.json)).toMatchObject({
      name,
      description: "new",
      pool_parameters: { c: 3 },
      updated_at: new Date(stores.clock.now()).toISOString(),
    });
  });

  it("replaces secrets as a whole, the new one there before the old one goes, and clears both kinds by {}", async () => {
    const { ask, stores } = await setUp();
    const made = await ask("POST", "/v1/pools", {
      name: "vault",
      pool_parameters: { a: 1 },
      pool_sensitive_parameters: { pin: "0000", user: "u" },
    });
    const path = `/v1/pools/${made.json.id}`;
    const changed = await ask("PATCH", path, { pool_sensitive_parameters: { pin: "1111" } });
    expect(Pool.parse(changed.json).pool_sensitive_parameters).toEqual({ pin: "pin" });
    expect(stores.secrets.names().map((name) => stores.secrets.values(name))).toEqual([{ pin: "1111" }]);
    const cleared = { pool_parameters: {}, pool_sensitive_parameters: {} };
    expect(Pool.parse((await ask("PATCH", path, cleared)).json)).toMatchObject(cleared);
    expect(stores.secrets.names()).toEqual([]);
  });

  it("answers 409 to another pool's name, changes nothing, and leaves no secret of the attempt behind", async () => {
    const { ask, putPool, stores } = await setUp();
    const [one, other] = [await putPool(), await putPool()];
    const body = { name: other.name, pool_sensitive_parameters: { pin: "0" } };
    const answer = await ask("PATCH", `/v1/pools/${one.id}`, body);
    expect([answer.status, answer.json.error_code, answer.json.details]).toEqual([
      409,
      "name_taken",
      { pool_id: other.id },
    ]);
    expect(stores.secrets.names()).toEqual([]);
    expect((await ask("GET", `/v1/pools/${one.id}`)).json.name).toBe(one.name);
    expect((await ask("PATCH", `/v1/pools/${one.id}`, { name: one.name })).status).toBe(200);
  });
});

describe("POST /v1/pools/{pool_id}/machines", () => {
  it("answers the pool with its machines, also those that were in it", async () => {
    const { ask, putPool, putMachine, memberOf } = await setUp();
    const { id } = await putPool();
    const [before = ""] = await memberOf(id);
    const machine = await putMachine();
    const answer = await ask("POST", `/v1/pools/${id}/machines`, { machine_ids: [machine.id, before] });
    expect(answer.status).toBe(200);
    const pool = PoolDetail.parse(answer.json);
    expect(pool.machine_count).toBe(2);
    expect(new Set(pool.included?.map((each) => each.id))).toEqual(new Set([before, machine.id]));
  });

  it("takes 1 to 49 machines, each once", async () => {
    const { ask, putPool, putMachine } = await setUp();
    const { id } = await putPool();
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await putMachine()).id));
    const add = (machineIds: readonly string[]) =>
      ask("POST", `/v1/pools/${id}/machines`, { machine_ids: machineIds });
    const [first = ""] = ids;
    expect(problemsOf(await add([]))).toEqual([[["body", "machine_ids"], "too_short"]]);
    expect(problemsOf(await add(ids))).toEqual([[["body", "machine_ids"], "too_long"]]);
    const twice = await add([first, ids[1] ?? "", first.toUpperCase()]);
    expect(problemsOf(twice)).toEqual([[["body", "machine_ids", 2], "value_error"]]);
    expect(problemsOf(await add(["7"]))).toEqual([[["body", "machine_ids", 0], "uuid_parsing"]]);
    expect((await add([first])).json.machine_count).toBe(1);
    expect((await add(ids.slice(1))).json.machine_count).toBe(50);
  });

  it("answers 409 for a machine that is in 20 pools", async () => {
    const { ask, putPool, putMachine } = await setUp();
    const machine = await putMachine();
    const pools = await Promise.all(Array.from({ length: 21 }, async () => (await putPool()).id));
    const [last = "", ...twenty] = pools;
    await ask("PUT", `/v1/machines/${machine.id}/pools`, { pool_ids: twenty });
    const answer = await ask("POST", `/v1/pools/${last}/machines`, { machine_ids: [machine.id] });
    expect(answer.status).toBe(409);
    expect(ErrorBody.parse(answer.json)).toMatchObject({
      error_code: "too_many_pools",
      details: { machine_id: machine.id, pools_max: 20 },
    });
  });
});

describe("DELETE /v1/pools/{pool_id}/machines", () => {
  it("takes 1 to 49 machines, each once", async () => {
    const { ask, putPool } = await setUp();
    const path = `/v1/pools/${(await putPool()).id}/machines`;
    const ids = Array.from({ length: 50 }, () => randomUUID());
    const remove = (machineIds: readonly string[]) => ask("DELETE", path, { machine_ids: machineIds });
    expect((await remove(ids.slice(1))).status).toBe(204);
    expect(problemsOf(await remove(ids))).toEqual([[["body", "machine_ids"], "too_long"]]);
    expect(problemsOf(await remove([]))).toEqual([[["body", "machine_ids"], "too_short"]]);
    const [id = ""] = ids;
    expect(problemsOf(await remove([id, id]))).toEqual([[["body", "machine_ids", 1], "value_error"]]);
  });
});

describe("the pools of a machine", () => {
  it("are in every answer of it, in the order given, and beside it when they are asked for", async () => {
    const { ask, putPool, putMachine } = await setUp();
    const { id } = await putMachine();
    const [one, other] = [await putPool(), await putPool()];
    const path = `/v1/machines/${id}`;
    const set = await ask("PUT", `${path}/pools`, { pool_ids: [other.id, one.id] });
    expect(set.status).toBe(200);
    const { included: _none, pools, ...own } = Machine.parse(set.json);
    expect(own.id).toBe(id);
    expect(pools.map((pool) => [pool.id, pool.machine_count])).toEqual([
      [other.id, 1],
      [one.id, 1],
    ]);
    expect((await ask("GET", `${path}/pools`)).json).toEqual(pools);
    expect((await ask("PATCH", path, { name: "x" })).json.pools).toEqual(pools);
    const machine = Machine.parse((await ask("GET", `${path}?include=pools`)).json);
    expect(machine.pools).toEqual(pools);
    expect(machine.included).toEqual(pools.map((pool) => ({ type: "pool", ...pool })));
  });

  it("are included once in a list, however many machines are in them", async () => {
    const { ask, putPool, memberOf } = await setUp();
    const pool = await putPool();
    const ids = await memberOf(pool.id, 3);
    const list = MachineList.parse((await ask("GET", "/v1/machines?include=pools")).json);
    expect(new Set(list.items.map((machine) => machine.id))).toEqual(new Set(ids));
    for (const machine of list.items) expect(machine.pools.map(({ id }) => id)).toEqual([pool.id]);
    expect(list.included?.map(({ id, type }) => [id, type])).toEqual([[pool.id, "pool"]]);
  });

  it("are replaced by others, up to 20, all or none", async () => {
    const { ask, putPool, putMachine } = await setUp();
    const { id } = await putMachine();
    const ids = await Promise.all(Array.from({ length: 21 }, async () => (await putPool()).id));
    const set = (poolIds: readonly string[]) => ask("PUT", `/v1/machines/${id}/pools`, { pool_ids: poolIds });
    expect((await set(ids.slice(1))).json.pools).toHaveLength(20);
    expect(problemsOf(await set(ids))).toEqual([[["body", "pool_ids"], "too_long"]]);
    const [one = "", other = ""] = ids;
    expect(problemsOf(await set([one, one]))).toEqual([[["body", "pool_ids", 1], "value_error"]]);
    const unknown = randomUUID();
    expect((await set([one, unknown])).json.message).toBe(`there is no pool ${unknown}`);
    expect((await ask("GET", `/v1/machines/${id}/pools`)).json).toHaveLength(20);
    expect((await set([one])).json.pools.map((pool: { id: string }) => pool.id)).toEqual([one]);
    expect((await ask("GET", `/v1/pools/${other}`)).json.machine_count).toBe(0);
    expect((await set([])).json.pools).toEqual([]);
  });
});
