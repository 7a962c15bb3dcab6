import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { createRunsApp } from "../../../functions/runs/app.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { executionKey } from "../../../shared/storage/table/keys.ts";
import { aStep } from "../../support/builders/steps.ts";
import { aPng } from "../../support/pictures/a-png.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const png = aPng({ width: 3, height: 2, bytes: Array.from({ length: 18 }, () => 7) });
const picture = {
  kind: "answered",
  status: 200,
  headers: { "content-type": "image/png" },
  body: png,
} as const;

async function setUp(fields: Partial<Run> = {}) {
  const service = await createTestService();
  const { stores, organizationId, deps } = service;
  const run = await stores.put.run({ organizationId, executor: "service", status: "running", ...fields });
  const { machineId, assignmentId } = run;
  const computer = createComputerApp(deps);
  const runs = createRunsApp(deps);
  const machines = createMachinesApp(deps);
  const app = (path: string) =>
    path.startsWith("/v1/computer") ? computer : path.startsWith("/v1/machines") ? machines : runs;
  const keyId = v7();
  const as = (authorization: string) => {
    const ask = asking(app, authorization);
    return {
      ask,
      hold: async (body: object = {}) => await ask("POST", `/v1/runs/${run.id}/hold`, body),
      resume: async (body: object = {}) => await ask("POST", `/v1/runs/${run.id}/resume`, body),
      click: async () => await ask("POST", `/v1/computer/${machineId}/input/mouse/click`, { x: 1, y: 1 }),
    };
  };
  const mine = service.authorize({ id: keyId, scopes: ["read", "write"] });
  const steps = async () =>
    (await stores.executions.listSteps(organizationId, run.id, { skip: 0, limit: 10 })).items;
  return {
    ...service,
    run,
    assignmentId: assignmentId ?? "",
    steps,
    as,
    me: as(mine),
    colleague: as(service.authorize({ scopes: ["read", "write"] })),
    admin: as(service.authorize({ scopes: ["read", "write", "admin"] })),
  };
}

describe("POST /v1/runs/{run_id}/hold", () => {
  it("holds the run and its machine for the caller, and the run stays running", async () => {
    const { me, run } = await setUp();
    const { status, json } = await me.hold({ reason: "the code", seconds: 60 });
    expect(status).toBe(200);
    const held = {
      by: { kind: "key", id: expect.any(String) },
      reason: "the code",
      since: "2026-01-15T12:00:00.000Z",
      until: "2026-01-15T12:01:00.000Z",
    };
    expect(json).toMatchObject({ status: "running", held, revision: run.revision + 1 });
    const machine = await me.ask("GET", `/v1/machines/${run.machineId}`);
    expect(machine.json.held).toEqual({ ...held, run_id: run.id, recording_id: null });
  });

  it("extends by the holder, and never shortens", async () => {
    const { me, stores } = await setUp();
    await me.hold({ seconds: 600, reason: "the code" });
    stores.clock.advance(60_000);
    const shorter = await me.hold({ seconds: 30 });
    expect(shorter.json.held).toMatchObject({ reason: "the code", until: "2026-01-15T12:10:00.000Z" });
    const longer = await me.hold({ seconds: 3_600 });
    expect(longer.json.held).toMatchObject({
      since: "2026-01-15T12:00:00.000Z",
      until: "2026-01-15T13:01:00.000Z",
    });
  });

  it("is 409 with who and until when for anybody else, but for a key with admin", async () => {
    const { me, colleague, admin, identity, as, organizationId } = await setUp();
    const mine = await me.hold();
    const refused = await colleague.hold();
    expect(refused.status).toBe(409);
    expect(refused.json).toMatchObject({
      error_code: "machine_held",
      details: { by: mine.json.held.by, until: mine.json.held.until },
    });
    const session = `Bearer ${await identity.token({ sub: v7(), org_id: organizationId })}`;
    expect((await as(session).hold()).json.error_code).toBe("machine_held");
    expect((await admin.hold()).json.held.by).not.toEqual(mine.json.held.by);
    expect((await me.resume()).json.error_code).toBe("machine_held");
  });

  it("is anybody's once it has expired", async () => {
    const { me, colleague, stores } = await setUp();
    await me.hold({ seconds: 30 });
    stores.clock.advance(30_000);
    expect((await colleague.hold()).status).toBe(200);
  });

  it.each([
    ["a run that waits", { status: "scheduling", machineId: null }, "illegal_transition"],
    ["a run that has ended", { status: "success" }, "illegal_transition"],
    ["a worker's run", { executor: "worker" }, "not_a_service_run"],
  ] as const)("is 409 for %s", async (_, fields, code) => {
    const { me } = await setUp(fields);
    const { status, json } = await me.hold();
    expect([status, json.error_code]).toEqual([409, code]);
    expect((await me.resume()).json.error_code).toBe(code);
  });

  it.each([[{ seconds: 29 }], [{ seconds: 3_601 }], [{ reason: "x".repeat(501) }], [{ reason: "" }]])(
    "is 422 for %j",
    async (body) => {
      const { me } = await setUp();
      expect((await me.hold(body)).status).toBe(422);
    },
  );

  it("responds when the action in flight is over", async () => {
    const { me, run, stores, assignmentId } = await setUp();
    const step = aStep({ ...run, assignmentId }, { status: "sending", durationMs: null });
    await stores.executions.begin({ ...step, part: 1 }, "arn");
    await stores.executions.recordSending(step, "arn", 0);
    const { sleep } = stores.clock;
    let slept = 0;
    stores.clock.sleep = async (ms) => {
      slept += ms;
      if (slept >= 400)
        await stores.executions.recordOutcome(step, { ...step, durationMs: 1, status: "done" });
      await sleep.call(stores.clock, ms);
    };
    await me.hold();
    expect(slept).toBe(400);
  });
});

describe("GET /v1/runs?waiting_for_person", () => {
  it("lists held runs, or all others", async () => {
    const { me, run, stores, organizationId } = await setUp();
    const other = await stores.put.run({ organizationId, executor: "service", status: "running" });
    const waiting = await stores.put.run({ organizationId });
    await me.hold();
    const ids = async (query: string) => {
      const { json } = await me.ask("GET", `/v1/runs?${query}`);
      expect(json.total).toBe(json.items.length);
      return json.items.map(({ id }: { readonly id: string }) => id).sort();
    };
    expect(await ids("waiting_for_person=true")).toEqual([run.id]);
    expect(await ids("waiting_for_person=false")).toEqual([other.id, waiting.id].sort());
    expect(await ids(`waiting_for_person=true&workflow_id=${run.workflowId}`)).toEqual([run.id]);
    expect(await ids("waiting_for_person=true&status=success")).toEqual([]);
    expect(await ids("waiting_for_person=true&sort_mode=active_first")).toEqual([run.id]);
    await me.resume();
    expect(await ids("waiting_for_person=true")).toEqual([]);
  });
});

describe("a held machine", () => {
  it("takes what acts from its holder alone, and lets everybody look", async () => {
    const { me, colleague, admin, channel, run, steps } = await setUp();
    await me.hold();
    for (const other of [colleague, admin]) {
      const refused = await other.click();
      expect([refused.status, refused.json.error_code]).toEqual([409, "machine_held"]);
    }
    expect(channel.requests).toEqual([]);
    channel.willAnswer(answered(200, { width: 3, height: 2 }));
    expect((await colleague.ask("GET", `/v1/computer/${run.machineId}/display/dimensions`)).status).toBe(200);
    const listed = await colleague.ask("GET", `/v1/computer/${run.machineId}/fs/list?path=.`);
    expect(listed.json.error_code).toBe("machine_held");
    channel.willAnswer(picture, answered(200, {}), picture);
    expect((await me.click()).status).toBe(200);
    expect(await steps()).toMatchObject([
      { source: "person", index: 1, action: { type: "click", x: 1, y: 1 }, status: "done" },
    ]);
  });

  it("is anybody's after the hold has expired, and after the run has ended", async () => {
    const { me, colleague, channel, stores, run } = await setUp();
    await me.hold({ seconds: 30 });
    stores.clock.advance(30_000);
    channel.willAnswer(answered(200, {}));
    expect((await colleague.click()).status).toBe(200);
    await me.hold();
    await me.ask("POST", `/v1/runs/${run.id}/cancel`, {});
    channel.willAnswer(answered(200, {}));
    expect((await colleague.click()).status).toBe(200);
    const { json } = await me.ask("GET", `/v1/machines/${run.machineId}`);
    expect(json.held).toBeNull();
    expect((await me.ask("GET", `/v1/runs?workflow_id=${run.workflowId}`)).json.items[0].held).toBeNull();
  });
});

describe("POST /v1/runs/{run_id}/resume", () => {
  it("gives the run back, and wakes its executor", async () => {
    const { me, stores, run, callbacks, assignmentId, organizationId } = await setUp();
    await me.hold();
    await stores.table.update(executionKey(organizationId, run.id), { set: { callback_id: "waits" } });
    stores.clock.advance(10_000);
    const { status, json } = await me.resume({ note: "it is in" });
    expect([status, json.held]).toEqual([200, null]);
    expect(callbacks.completed).toEqual(["waits"]);
    expect(await stores.executions.find(organizationId, run.id)).toMatchObject({
      assignmentId,
      held: null,
      heldMs: 10_000,
      resumed: { note: "it is in", heldMs: 10_000 },
    });
    expect((await me.resume()).json.error_code).toBe("illegal_transition");
  });
});

describe("a run that its model holds", () => {
  const question = "Which code was sent to your phone?";

  async function asked() {
    const service = await setUp();
    const { run, assignmentId, stores, organizationId } = service;
    const step = aStep(
      { ...run, assignmentId },
      { source: "model", action: { type: "ask_person", question }, status: "done" },
    );
    await stores.executions.begin({ ...step, part: 1 }, "arn");
    const nowMs = stores.clock.now();
    const held = {
      by: { kind: "model", id: null },
      reason: question,
      since: new Date(nowMs).toISOString(),
      until: new Date(nowMs + 3_600_000).toISOString(),
    } as const;
    const ask = async (of: Run | undefined = run) => await stores.holds.ask(of, held, { step, arn: "arn" });
    const found = async () => await stores.runs.find(organizationId, run.id);
    return { ...service, ask, step, found };
  }

  it("is listed with its question, and nobody drives until somebody holds it", async () => {
    const { ask, me, colleague, run, steps } = await asked();
    await ask();
    const listed = await me.ask("GET", "/v1/runs?waiting_for_person=true");
    expect(listed.json.items).toMatchObject([
      { id: run.id, status: "running", held: { by: { kind: "model", id: null }, reason: question } },
    ]);
    expect(await steps()).toMatchObject([{ source: "model", action: { type: "ask_person", question } }]);
    const refused = await me.click();
    expect([refused.status, refused.json.error_code]).toEqual([409, "machine_held"]);
    expect(refused.json.details).toMatchObject({ by: { kind: "model", id: null } });
    const taken = await me.hold();
    expect(taken.json.held).toMatchObject({ by: { kind: "key" }, reason: question });
    expect((await colleague.hold()).json.error_code).toBe("machine_held");
    expect((await colleague.resume()).json.error_code).toBe("machine_held");
  });

  it("is resumed by whoever answers", async () => {
    const { ask, colleague, stores, run, organizationId } = await asked();
    await ask();
    expect((await colleague.resume({ note: "it is 4711" })).json.held).toBeNull();
    expect(await stores.executions.find(organizationId, run.id)).toMatchObject({
      held: null,
      resumed: { note: "it is 4711" },
    });
  });

  it("is not held where a person holds it, or another invocation has the step", async () => {
    const { ask, me, found, steps } = await asked();
    await me.hold();
    await expect(ask()).rejects.toThrow("the run is held");
    await expect(ask(await found())).rejects.toThrow("the run is held");
    await me.resume();
    expect(await steps()).toEqual([]);
    expect(await ask(await found())).toMatchObject({ held: { by: { kind: "model" } } });
    await me.resume();
    await expect(ask(await found())).rejects.toThrow("another invocation has the step");
    expect(await found()).toMatchObject({ held: null });
  });

  it("is not held on what has been changed since it was read", async () => {
    const { ask, me, run, steps, stores, organizationId } = await asked();
    await me.ask("PATCH", `/v1/runs/${run.id}`, { metadata: { a: "b" } });
    expect(await ask()).toBeUndefined();
    await me.ask("POST", `/v1/runs/${run.id}/cancel`, {});
    expect(await ask(await stores.runs.find(organizationId, run.id))).toBeUndefined();
    expect(await steps()).toEqual([]);
  });
});
