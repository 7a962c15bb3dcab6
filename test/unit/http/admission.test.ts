import { expect, it } from "vitest";
import { addressOf } from "../../../shared/client/build-request.ts";
import type { RouteGroup } from "../../../shared/contract/operations/all-operations.ts";
import { apps, putResources } from "../../support/shared/every-operation.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { createTestService } from "../../support/shared/test-service.ts";

async function setUp() {
  const service = await createTestService();
  const connection = { id: "c", websocketId: "w=", host: "h" };
  const ids = { ...(await putResources(service)), machine_id: (await service.putMachine({ connection })).id };
  const deps = { ...service.deps, rateLimits: { perApiKey: 1, perOrganization: 0 } };
  const authorization = service.authorize({ scopes: ["read", "write"] });
  const built = new Map<RouteGroup, ReturnType<(typeof apps)[RouteGroup]>>();
  const ask = async (group: RouteGroup, method: string, path: string, body?: unknown) => {
    const app = built.get(group) ?? apps[group](deps);
    built.set(group, app);
    const headers = { authorization, "content-type": "application/json" };
    const url = addressOf("", path, { path: ids, query: {} });
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return await app.request(url, request);
  };
  return { ...service, deps, ids, ask };
}

const machine = "/v1/machines/{machine_id}";
const scroll = "/v1/computer/{machine_id}/input/mouse/scroll";

it("what only reads runs beside the count of the rate limit", async () => {
  const { ask, deps } = await setUp();
  const { find } = deps.machines;
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  deps.machines.find = async (...named) => {
    resolve();
    return await find.apply(deps.machines, named);
  };
  const { take } = deps.rateLimiter;
  deps.rateLimiter.take = async (bucket) => {
    await isRead;
    return await take.call(deps.rateLimiter, bucket);
  };
  const response = await ask("machines", "GET", machine);
  expect([response.status, response.headers.get("x-ratelimit-remaining")]).toEqual([200, "0"]);
});

it("a caller that was refused reads nothing more until its window ends", async () => {
  const { ask, deps, stores } = await setUp();
  const { find } = deps.machines;
  let reads = 0;
  deps.machines.find = async (...named) => {
    reads += 1;
    return await find.apply(deps.machines, named);
  };
  const statuses = async (count: number) => {
    const found: number[] = [];
    for (let at = 0; at < count; at += 1) found.push((await ask("machines", "GET", machine)).status);
    return found;
  };
  expect(await statuses(5)).toEqual([200, 429, 429, 429, 429]);
  expect(reads).toBe(2);
  stores.clock.advance(60_000);
  expect(await statuses(2)).toEqual([200, 429]);
});

it("a refused request changes nothing, and sends nothing to a desktop", async () => {
  const { ask, channel, ids, stores, organizationId } = await setUp();
  channel.willAnswer(answered(200, {}), answered(200, {}));
  const scrolled = async () =>
    (await ask("computer", "POST", scroll, { direction: "down", amount: 1 })).status;
  expect([await scrolled(), await scrolled(), await scrolled()]).toEqual([200, 429, 429]);
  expect(channel.requests).toHaveLength(1);
  const renamed = await ask("machines", "PATCH", machine, { name: "another" });
  expect([renamed.status, renamed.headers.get("x-ratelimit-remaining")]).toEqual([429, "0"]);
  expect((await stores.machines.find(organizationId, ids.machine_id ?? ""))?.name).not.toBe("another");
});

it("a refusal comes before what a read would have come to", async () => {
  const { ask } = await setUp();
  await ask("machines", "GET", machine);
  const missing = await ask("pools", "GET", "/v1/pools/01890000-0000-7000-8000-000000000000");
  expect(await missing.json()).toMatchObject({ error_code: "rate_limited" });
});
