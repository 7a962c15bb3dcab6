import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { Run } from "../../../shared/contract/run/run.ts";
import { Schedule, ScheduleList } from "../../../shared/contract/schedule.ts";
import { limitKey } from "../../../shared/storage/table/keys.ts";
import { schedulesMax } from "../../../shared/vocabulary/schedules.ts";
import { asking } from "../../support/shared/test-service.ts";
import { setUpSchedules } from "./schedule-service.ts";

function problemsOf(answer: { readonly status: number; readonly json: unknown }) {
  expect(answer.status).toBe(422);
  return ValidationErrorBody.parse(answer.json).detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`);
}

const day = 86_400_000;

describe("POST /v1/schedules", () => {
  it("makes a schedule with its defaults and its next five times, which GET returns too", async () => {
    const { ask, daily, workflow, organizationId, stores } = await setUpSchedules();
    const made = await ask("POST", "/v1/schedules", daily);
    expect([made.status, made.headers.get("etag")]).toEqual([201, '"0"']);
    const schedule = Schedule.parse(made.json);
    const first = new Date(stores.clock.now());
    first.setUTCHours(6, 0, 0, 0);
    if (first.getTime() <= stores.clock.now()) first.setTime(first.getTime() + day);
    expect(schedule).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: "",
      cron: "0 6 * * *",
      every_minutes: null,
      time_zone: "UTC",
      workflow_id: workflow.id,
      machine_id: null,
      pool_ids: [],
      input_values: {},
      files: [],
      metadata: {},
      is_enabled: true,
      disabled_reason: null,
      overlap: "skip",
      starts_at: null,
      ends_at: null,
      next_at: [0, 1, 2, 3, 4].map((days) => new Date(first.getTime() + days * day).toISOString()),
      last_due_at: null,
      last_fired_at: null,
      last_outcome: null,
      last_run_id: null,
      user_id: expect.any(String),
      organization_id: organizationId,
      created_at: expect.any(String),
      updated_at: schedule.created_at,
    });
    expect((await ask("GET", `/v1/schedules/${schedule.id}`)).json).toEqual(schedule);
  });

  it("has no next times while it is switched off", async () => {
    const { create } = await setUpSchedules();
    expect((await create({ is_enabled: false })).next_at).toEqual([]);
  });

  const at = (field: string, sentence: string) => [`body.${field}: Value error, ${sentence}`];
  it.each([
    [
      "two kinds of times",
      { every_minutes: 5 },
      at("every_minutes", "cron and every_minutes exclude each other; send one of the two"),
    ],
    ["no times", { cron: null }, at("cron", "a schedule has times: send cron or every_minutes")],
    [
      "a time zone that there is not",
      { time_zone: "Europe/Nowhere" },
      at("time_zone", "there is no time zone Europe/Nowhere: IANA's names are known, such as Europe/Lisbon"),
    ],
    [
      "a nickname of times",
      { cron: "@daily" },
      ["body.cron: String should be five fields, minute to day of the week, such as 0 6 * * 1-5"],
    ],
    [
      "a date that never comes",
      { cron: "0 0 30 2 *" },
      at("cron", "the cron pattern has no time: no date fits it"),
    ],
    [
      "an end before the start",
      { starts_at: "2027-01-02T00:00:00Z", ends_at: "2027-01-01T00:00:00Z" },
      at("ends_at", "ends_at is later than starts_at"),
    ],
    [
      "a machine and pools",
      { machine_id: v7(), pool_ids: [v7()] },
      at("pool_ids", "machine_id and pool_ids exclude each other; send one of the two"),
    ],
  ])("refuses %s", async (_, fields, problems) => {
    const { ask, daily } = await setUpSchedules();
    expect(problemsOf(await ask("POST", "/v1/schedules", { ...daily, ...fields }))).toEqual(problems);
  });

  it.each(["* * * *", "0 0 6 * * *", "61 * * * *", "0 6 * * 8x", "2027-01-01T00:00:00"])(
    "refuses the pattern %j",
    async (cron) => {
      const { ask, daily } = await setUpSchedules();
      const [problem, ...others] = problemsOf(await ask("POST", "/v1/schedules", { ...daily, cron }));
      expect([problem?.split(":")[0], others]).toEqual(["body.cron", []]);
    },
  );

  it("refuses a secret of the workflow by its name, and fields of secrets altogether", async () => {
    const { ask, stores, organizationId } = await setUpSchedules();
    const workflow = await stores.put.workflow({ organizationId, mainPrompt: "As {user} with {$pin}." });
    const body = { workflow_id: workflow.id, every_minutes: 5 };
    const secret = await ask("POST", "/v1/schedules", {
      ...body,
      input_values: { user: "Ada", pin: "1234" },
    });
    expect(problemsOf(secret)).toEqual([
      "body.input_values.pin: Value error, pin is a secret of the workflow, {$pin}, and a schedule keeps none: give it to the machine or a pool",
    ]);
    expect(secret.text).not.toContain("1234");
    const sensitive = await ask("POST", "/v1/schedules", {
      ...body,
      sensitive_input_values: { pin: "1234" },
    });
    expect(sensitive.status).toBe(422);
    expect((await ask("POST", "/v1/schedules", { ...body, input_values: { user: "Ada" } })).status).toBe(201);
  });

  it("names the workflow, machine or pool that is not there, also one of another organization", async () => {
    const { ask, daily, stores, putPool } = await setUpSchedules();
    const elsewhere = await stores.put.machine();
    const pool = await putPool();
    const id = randomUUID();
    for (const [fields, details] of [
      [{ workflow_id: id }, { workflow_id: id }],
      [{ machine_id: elsewhere.id }, { machine_id: elsewhere.id }],
      [{ pool_ids: [pool.id, id] }, { pool_id: id }],
    ] as const) {
      const { status, json } = await ask("POST", "/v1/schedules", { ...daily, ...fields });
      expect([status, ErrorBody.parse(json).details]).toEqual([404, details]);
    }
  });

  it("checks inputs as a run's: with a machine all of them, else each by itself", async () => {
    const { ask, stores, organizationId, putMachine } = await setUpSchedules();
    const inputSchema = { type: "object", required: ["total"], properties: { total: { type: "integer" } } };
    const { id: workflow_id } = await stores.put.workflow({ organizationId, inputSchema });
    const machine = await putMachine();
    const body = { workflow_id, cron: "0 6 * * *" };
    expect(
      problemsOf(await ask("POST", "/v1/schedules", { ...body, input_values: { total: "x" } })),
    ).toHaveLength(1);
    expect((await ask("POST", "/v1/schedules", body)).status).toBe(201);
    expect(problemsOf(await ask("POST", "/v1/schedules", { ...body, machine_id: machine.id }))).toEqual([
      "body.input_values.total: Field required",
    ]);
  });

  it("refuses the 501st, and creates one again under the same Idempotency-Key only once", async () => {
    const { ask, daily, stores, organizationId } = await setUpSchedules();
    const limit = { ...limitKey(organizationId, "SCHEDULE"), kind: "limit" };
    await stores.table.put({ ...limit, count: schedulesMax - 1 });
    const headers = { "idempotency-key": "a-key" };
    const first = await ask("POST", "/v1/schedules", daily, headers);
    const again = await ask("POST", "/v1/schedules", daily, headers);
    expect([first.status, again.status, again.json.id]).toEqual([201, 201, first.json.id]);
    const refused = await ask("POST", "/v1/schedules", daily);
    expect([refused.status, ErrorBody.parse(refused.json)]).toMatchObject([
      409,
      { error_code: "limit_reached", details: { max: 500 } },
    ]);
  });

  it("keeps files, returns what they are called, and removes them when others take their place", async () => {
    const { ask, create, stores } = await setUpSchedules();
    const content = Buffer.from("x".repeat(9_000)).toString("base64");
    const { id, files } = await create({ files: [{ filename: "a.txt", content, target_path: "in/" }] });
    expect(files).toEqual([
      { filename: "a.txt", size_bytes: 9_000, target_path: "in/", cleanup_imports_after_run: false },
    ]);
    const kept = stores.files.keys();
    expect(kept).toHaveLength(1);
    const changed = await ask("PATCH", `/v1/schedules/${id}`, { files: [{ filename: "b.txt", content }] });
    expect(Schedule.parse(changed.json).files.map(({ filename }) => filename)).toEqual(["b.txt"]);
    expect(stores.files.keys()).toHaveLength(1);
    expect(stores.files.keys()).not.toEqual(kept);
    await ask("PATCH", `/v1/schedules/${id}`, { files: [] });
    expect(stores.files.keys()).toEqual([]);
  });

  it("leaves no file of a schedule that is refused", async () => {
    const { ask, daily, stores } = await setUpSchedules();
    const content = Buffer.from("x".repeat(9_000)).toString("base64");
    const files = [{ filename: "a.txt", content }];
    const body = { ...daily, files, workflow_id: randomUUID() };
    expect((await ask("POST", "/v1/schedules", body)).status).toBe(404);
    expect(stores.files.keys()).toEqual([]);
  });
});

describe("PATCH /v1/schedules/{id}", () => {
  it("takes cron for every_minutes, and pools for a machine, only beside null for the other", async () => {
    const { ask, create, putMachine, putPool } = await setUpSchedules();
    const [machine, pool] = [await putMachine(), await putPool()];
    const { id } = await create({ cron: null, every_minutes: 5, machine_id: machine.id });
    const path = `/v1/schedules/${id}`;
    expect(problemsOf(await ask("PATCH", path, { cron: "0 6 * * *" }))).toEqual([
      "body.every_minutes: Value error, cron and every_minutes exclude each other; send null for one of the two",
    ]);
    expect(problemsOf(await ask("PATCH", path, { every_minutes: null }))).toEqual([
      "body.cron: Value error, a schedule has times: send cron or every_minutes",
    ]);
    expect(problemsOf(await ask("PATCH", path, { pool_ids: [pool.id] }))).toEqual([
      "body.pool_ids: Value error, machine_id and pool_ids exclude each other; send null or [] for one of the two",
    ]);
    const change = { cron: "0 6 * * *", every_minutes: null, machine_id: null, pool_ids: [pool.id] };
    expect(Schedule.parse((await ask("PATCH", path, change)).json)).toMatchObject(change);
  });

  it("checks a stored start against a new end", async () => {
    const { ask, create } = await setUpSchedules();
    const { id } = await create({ starts_at: "2030-01-01T00:00:00Z" });
    expect(
      problemsOf(await ask("PATCH", `/v1/schedules/${id}`, { ends_at: "2029-01-01T00:00:00Z" })),
    ).toEqual(["body.ends_at: Value error, ends_at is later than starts_at"]);
  });

  it("changes metadata pair by pair, and leaves the rest", async () => {
    const { ask, create } = await setUpSchedules();
    const before = await create({ name: "Invoices", metadata: { a: "1", b: "2" } });
    const { json } = await ask("PATCH", `/v1/schedules/${before.id}`, { metadata: { a: null, c: "3" } });
    expect(json).toEqual({ ...before, metadata: { b: "2", c: "3" }, updated_at: expect.any(String) });
  });

  it("does not check what its run names while that stays, and does when it is switched on", async () => {
    const { ask, create, workflow, stores, organizationId } = await setUpSchedules();
    const { id } = await create();
    const path = `/v1/schedules/${id}`;
    await stores.workflows.markDeleted(organizationId, workflow.id, new Date().toISOString());
    expect((await ask("PATCH", path, { name: "still" })).status).toBe(200);
    expect((await ask("PATCH", path, { is_enabled: true })).status).toBe(404);
  });

  it("gives one that stopped with its key to the one who switches it on, and no other", async () => {
    const { ask, appOf, authorize, create, stores, organizationId } = await setUpSchedules();
    const other = asking(appOf, authorize({ userId: randomUUID() }));
    const read = async (id: string) => {
      const found = await stores.schedules.find(organizationId, id);
      if (found === undefined) throw new Error("it is gone");
      return found;
    };
    for (const [reason, isTaken] of [
      ["key_revoked", true],
      ["workflow_deleted", false],
    ] as const) {
      const { id, user_id } = await create();
      await stores.schedules.switchOff(await read(id), reason, new Date().toISOString());
      expect((await ask("GET", `/v1/schedules/${id}`)).json).toMatchObject({
        is_enabled: false,
        disabled_reason: reason,
        next_at: [],
      });
      const { json } = await other("PATCH", `/v1/schedules/${id}`, { is_enabled: true });
      expect(json).toMatchObject({ is_enabled: true, disabled_reason: null });
      expect(json.user_id !== user_id).toBe(isTaken);
    }
  });
});

describe("GET /v1/schedules", () => {
  it("lists newest first, filters, and goes on behind an id", async () => {
    const { ask, create } = await setUpSchedules();
    const first = await create({ name: "Invoices", metadata: { order: "7" } });
    const second = await create({ is_enabled: false });
    const idsOf = async (query: string) => {
      const page = ScheduleList.parse((await ask("GET", `/v1/schedules?${query}`)).json);
      return { ids: page.items.map(({ id }) => id), total: page.total };
    };
    expect(await idsOf("")).toEqual({ ids: [second.id, first.id], total: 2 });
    expect(await idsOf(`after=${second.id}`)).toEqual({ ids: [first.id], total: 2 });
    expect(await idsOf("is_enabled=false")).toEqual({ ids: [second.id], total: 1 });
    expect(await idsOf("search=voic")).toEqual({ ids: [first.id], total: 1 });
    expect(await idsOf("metadata[order]=7")).toEqual({ ids: [first.id], total: 1 });
    expect(await idsOf(`workflow_id=${randomUUID()}`)).toEqual({ ids: [], total: 0 });
  });
});

describe("DELETE /v1/schedules/{id}", () => {
  it("hides it at once, and makes room for another", async () => {
    const { ask, create, stores, organizationId } = await setUpSchedules();
    const { id } = await create();
    expect((await ask("DELETE", `/v1/schedules/${id}`)).status).toBe(204);
    expect((await ask("GET", `/v1/schedules/${id}`)).status).toBe(404);
    expect((await ask("DELETE", `/v1/schedules/${id}`)).status).toBe(404);
    expect(await stores.table.get(limitKey(organizationId, "SCHEDULE"))).toMatchObject({ count: 0 });
  });
});

describe("POST /v1/schedules/{id}/run-now", () => {
  it("creates a run of the caller's own, with the schedule's inputs and files, and leaves its times", async () => {
    const { ask, appOf, authorize, create, stores, organizationId, putPool } = await setUpSchedules();
    const pool = await putPool();
    const schedule = await create({
      is_enabled: false,
      pool_ids: [pool.id],
      input_values: { customer: "Ada" },
      files: [{ filename: "a.txt", content: "YWJj", cleanup_imports_after_run: true }],
    });
    const userId = randomUUID();
    const other = asking(appOf, authorize({ userId }));
    const made = await other("POST", `/v1/schedules/${schedule.id}/run-now`, undefined, {
      "idempotency-key": "a-key",
    });
    expect(made.status).toBe(201);
    const run = Run.parse(made.json);
    expect(run).toMatchObject({
      workflow_id: schedule.workflow_id,
      pool_ids: [pool.id],
      input_values: { customer: "Ada" },
      user_id: userId,
      status: "scheduling",
    });
    const [attachmentId = ""] = run.input_attachment_ids;
    expect(await stores.attachments.find(organizationId, attachmentId)).toMatchObject({
      filename: "a.txt",
      sizeBytes: 3,
      cleanupImportsAfterRun: true,
    });
    expect((await ask("GET", `/v1/schedules/${schedule.id}`)).json).toEqual(schedule);
    const again = await other("POST", `/v1/schedules/${schedule.id}/run-now`, undefined, {
      "idempotency-key": "a-key",
    });
    expect([again.status, again.json.id]).toEqual([201, run.id]);
  });

  it("is refused as a run's creation is", async () => {
    const { ask, create, workflow, stores, organizationId } = await setUpSchedules();
    const { id } = await create();
    await stores.workflows.markDeleted(organizationId, workflow.id, new Date().toISOString());
    const { status, json } = await ask("POST", `/v1/schedules/${id}/run-now`);
    expect([status, ErrorBody.parse(json).details]).toEqual([404, { workflow_id: workflow.id }]);
    expect((await ask("POST", `/v1/schedules/${randomUUID()}/run-now`)).status).toBe(404);
  });
});
