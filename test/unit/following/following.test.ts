import { describe, expect, it } from "vitest";
import { createFollowingApp } from "../../../functions/following/app.ts";
import { createApiClient } from "../../../shared/client/api-client.ts";
import { RunResponse } from "../../../shared/contract/run/run.ts";
import { RunStepList } from "../../../shared/contract/run/run-step.ts";
import type { RunStep } from "../../../shared/domain/run-step/run-step.ts";
import { aStep } from "../../support/builders/steps.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

interface Event {
  readonly atMs: number;
  readonly happen: () => Promise<unknown>;
}

/** Events happen when the service has slept until their time. */
async function setUp() {
  const service = await createTestService();
  const { stores, organizationId } = service;
  const { clock } = stores;
  const startMs = clock.now();
  const events: Event[] = [];
  const sleep = async (ms: number) => {
    await clock.sleep(ms);
    while (events[0] !== undefined && events[0].atMs <= clock.now() - startMs) await events.shift()?.happen();
  };
  const app = createFollowingApp({ ...service.deps, clock: { now: () => clock.now(), sleep } });
  const authorization = service.authorize();
  const ask = asking(app, authorization);
  const machine = await service.putMachine();
  const run = await stores.put.run({
    organizationId,
    executor: "service",
    machineId: machine.id,
    status: "running",
  });
  const step = (index: number, fields: Partial<RunStep> = {}) => aStep(run, { index, ...fields });
  const record = (index: number, fields?: Partial<RunStep>) =>
    stores.executions.recordStep(step(index, fields));
  const end = async () => {
    const { assignmentId } = run;
    await stores.runs.update(
      organizationId,
      run.id,
      { status: "success" },
      { assignmentId: assignmentId ?? "" },
    );
  };
  return {
    ...service,
    run,
    record,
    end,
    app,
    authorization,
    elapsed: () => clock.now() - startMs,
    at: (atMs: number, happen: Event["happen"]) => events.push({ atMs, happen }),
    getRun: async (query: string) => {
      const { json, status, headers } = await ask("GET", `/v1/runs/${run.id}${query}`);
      expect(status).toBe(200);
      return { run: RunResponse.parse(json), retryAfter: headers.get("retry-after") };
    },
    getSteps: async (query: string) => {
      const { json, status, headers } = await ask("GET", `/v1/runs/${run.id}/steps${query}`);
      expect(status).toBe(200);
      const page = RunStepList.parse(json);
      const indexes = page.items.map(({ index }) => index);
      return { ...page, indexes, retryAfter: headers.get("retry-after") };
    },
  };
}

describe("GET of a run with wait_seconds", () => {
  it("comes as soon as its revision is higher", async () => {
    const { getRun, at, elapsed, end } = await setUp();
    const { revision } = (await getRun("")).run;
    at(3_000, end);
    const { run } = await getRun(`?wait_seconds=20&revision=${revision}`);
    expect([run.status, run.revision, elapsed()]).toEqual(["success", revision + 1, 3_000]);
  });

  it("comes after the time when nothing has changed, without Retry-After", async () => {
    const { getRun, elapsed } = await setUp();
    const { revision } = (await getRun("")).run;
    const { run, retryAfter } = await getRun(`?wait_seconds=20&revision=${revision}`);
    expect([run.revision, retryAfter, elapsed()]).toEqual([revision, null, 20_000]);
  });

  it("comes at once without a revision, with an older one, and once the run has ended", async () => {
    const { getRun, elapsed, end } = await setUp();
    const { revision } = (await getRun("?wait_seconds=20")).run;
    await getRun(`?wait_seconds=20&revision=${revision - 1}`);
    await end();
    await getRun(`?wait_seconds=20&revision=${revision + 1}`);
    expect(elapsed()).toBe(0);
  });

  it("comes at once with Retry-After when as many requests wait as may", async () => {
    const { getRun, getSteps, elapsed, stores, organizationId } = await setUp();
    const { revision } = (await getRun("")).run;
    const leaseUntilMs = stores.clock.now() + 60_000;
    for (let number = 0; number < 50; number += 1) {
      const holder = `key-${number % 5}`;
      const wait = { organizationId, holder, id: stores.ids.uuid7(), leaseUntilMs };
      expect(await stores.waitingPlaces.take(wait)).toBeDefined();
    }
    const { run, retryAfter } = await getRun(`?wait_seconds=20&revision=${revision}`);
    expect([run.revision, retryAfter]).toEqual([revision, "2"]);
    expect((await getSteps("?wait_seconds=20")).retryAfter).toBe("2");
    expect(elapsed()).toBe(0);
  });

  it("takes at most 20 seconds", async () => {
    const { app, authorization, run } = await setUp();
    for (const path of [`/v1/runs/${run.id}`, `/v1/runs/${run.id}/steps`]) {
      const answer = await app.request(`${path}?wait_seconds=21`, { headers: { authorization } });
      expect(answer.status).toBe(422);
    }
  });
});

describe("the list of a run's steps with after_index", () => {
  it("has the later steps alone, and comes as soon as there is one", async () => {
    const { getSteps, record, at, elapsed } = await setUp();
    await record(1);
    await record(2);
    expect((await getSteps("?after_index=1&wait_seconds=20")).indexes).toEqual([2]);
    at(2_000, () => record(3));
    const { indexes, total, run } = await getSteps("?after_index=2&wait_seconds=20");
    expect([indexes, total, run, elapsed()]).toEqual([[3], 3, null, 2_000]);
    expect((await getSteps("?after_index=3&wait_seconds=7")).indexes).toEqual([]);
    expect(elapsed()).toBe(9_000);
  });

  it("leaves a step under way for later, so that each comes once, with its outcome", async () => {
    const { getSteps, record, at, elapsed } = await setUp();
    await record(1);
    await record(2, { status: "sending", durationMs: null });
    expect((await getSteps("?after_index=0")).indexes).toEqual([1]);
    at(1_000, () => record(2));
    const { items } = await getSteps("?after_index=1&wait_seconds=20");
    expect(items.map(({ index, status }) => [index, status])).toEqual([[2, "done"]]);
    expect(elapsed()).toBe(1_000);
    expect((await getSteps("")).indexes).toEqual([1, 2]);
  });

  it("has the run and how far it got once it has ended and every step was listed, also one left under way", async () => {
    const { getSteps, record, at, end, elapsed } = await setUp();
    await record(1, { status: "sending", durationMs: null });
    at(1_500, end);
    const left = await getSteps("?after_index=0&wait_seconds=20");
    expect([left.indexes, left.run, left.summary]).toEqual([[1], null, null]);
    const last = await getSteps("?after_index=1&wait_seconds=20");
    expect(last).toMatchObject({ items: [], total: 1, run: { status: "success" } });
    expect(last.summary).not.toBeNull();
    expect(elapsed()).toBe(1_500);
  });

  it("has a page of the limit, and the run behind the last page", async () => {
    const { getSteps, record, end } = await setUp();
    for (const index of [1, 2, 3]) await record(index);
    await end();
    expect((await getSteps("?after_index=0&limit=2")).indexes).toEqual([1, 2]);
    expect(await getSteps("?after_index=2&limit=2")).toMatchObject({ indexes: [3], run: null });
    expect(await getSteps("?after_index=3&limit=2")).toMatchObject({
      indexes: [],
      run: { status: "success" },
    });
  });
});

it("a run is followed to its end in at most as many requests as it has steps, and one more in each 20 s", async () => {
  const { app, authorization, run, record, at, end, elapsed } = await setUp();
  const times = [900, 2_100, 2_300, 9_000, 50_000, 51_000, 52_900, 53_000];
  for (const [place, atMs] of times.entries()) at(atMs, () => record(place + 1));
  at(54_000, end);
  let requests = 0;
  const client = createApiClient({
    baseUrl: "https://service.test",
    credentials: authorization.slice("Bearer ".length),
    fetch: async (url, init) => {
      requests += 1;
      return await app.request(String(url).replace("https://service.test", ""), init);
    },
  });
  const seen: number[] = [];
  const ended = await client.runs.waitUntilEnded(run.id, { onStep: ({ index }) => seen.push(index) });
  expect([ended.status, seen]).toEqual(["success", times.map((_, place) => place + 1)]);
  expect(elapsed()).toBeLessThan(60_000);
  expect(requests).toBeLessThanOrEqual(times.length + Math.ceil(54_000 / 20_000));
});
