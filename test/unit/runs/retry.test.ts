import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { Run as WireRun } from "../../../shared/contract/run/run.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { noOverrides } from "../../../shared/domain/run/run-overrides.ts";
import { runSecretKey } from "../../../shared/storage/table/keys.ts";
import { anAttachment } from "../../support/builders/entities.ts";
import { secretRows, setUpRuns } from "./run-service.ts";

const spilled = (key: string) => ({ kind: "object", key, bytes: 9_000, head: "[" }) as const;

const setUp = async () => {
  const service = await setUpRuns();
  const { ask, workflow, organizationId, stores } = service;
  return {
    ...service,
    putEnded: (fields: Partial<Run> = {}) =>
      service.putRun({
        workflowId: workflow.id,
        status: "error",
        error: ["it fell over"],
        outputData: { kind: "inline", value: { half: true } },
        usageMetadata: { tokens: 3 },
        assignmentId: randomUUID(),
        outputAttachmentIds: [v7()],
        startedAt: "2026-01-01T00:00:01.000Z",
        endedAt: "2026-01-01T00:00:02.000Z",
        ...fields,
      }),
    retry: (id: string, body: object = {}, headers: Record<string, string> = {}) =>
      ask("POST", `/v1/runs/${id}/retry`, body, headers),
    stored: async (id: string) => {
      const run = await stores.runs.find(organizationId, id);
      if (run === undefined) throw new Error("it is there");
      return run;
    },
    putSession: async (fields: { status: "pending" | "active" | "ended"; machineId?: string }) =>
      (await stores.put.session({ organizationId, ...fields })).id,
  };
};

const wire = async (response: Response) => {
  expect(response.status).toBe(200);
  return WireRun.parse(await response.json());
};
const code = async (response: Response) => [
  response.status,
  ErrorBody.parse(await response.json()).error_code,
];

describe("POST /v1/runs/{run_id}/retry", () => {
  it("puts a run that has ended back to the start under its id, without what it left", async () => {
    const { putEnded, retry, stored, clock } = await setUp().then((all) => ({
      ...all,
      clock: all.stores.clock,
    }));
    for (const status of ["success", "error", "task_failed", "cancelled"] as const) {
      const before = await putEnded({ status, inputValues: { a: 1 } });
      clock.advance(1_000);
      const run = await wire(await retry(before.id));
      expect(run).toMatchObject({
        id: before.id,
        status: "scheduling",
        machine_id: null,
        input_values: { a: 1 },
        created_at: before.createdAt,
      });
      expect(run).toMatchObject({
        output_data: null,
        run_message_history: null,
        error: [],
        usage_metadata: null,
      });
      expect(run).toMatchObject({ assignment_id: null, started_at: null, ended_at: null });
      expect(run.output_attachment_ids).toEqual([]);
      const { queuedAt, revision } = await stored(before.id);
      expect([queuedAt, revision]).toEqual([new Date(clock.now()).toISOString(), before.revision + 1]);
    }
  });

  it("takes no body for an empty one", async () => {
    const { putEnded, ask } = await setUp();
    expect((await ask("POST", `/v1/runs/${(await putEnded()).id}/retry`)).status).toBe(200);
  });

  it("answers 409 for a run that has not ended, with what it can become", async () => {
    const { putRun, retry } = await setUp();
    const { id } = await putRun();
    const waiting = await retry(id);
    expect(waiting.status).toBe(409);
    expect(await waiting.json()).toMatchObject({
      error_code: "illegal_transition",
      details: { status: "scheduling", allowed: ["cancelled", "error"] },
    });
    const running = await putRun({ status: "running", assignmentId: randomUUID() });
    expect(await code(await retry(running.id))).toEqual([409, "illegal_transition"]);
  });

  it("waits for what it waited for at first, unless the request names a machine or pools", async () => {
    const { putEnded, retry, stored, putMachine, putPool } = await setUp();
    const [named, other, pool] = [(await putMachine()).id, (await putMachine()).id, (await putPool()).id];
    const fields = { namedMachineId: named, poolIds: [pool] };
    const target = async (body: object) => {
      const { id } = await putEnded(fields);
      await wire(await retry(id, body));
      const { machineId, namedMachineId, poolIds } = await stored(id);
      return [machineId, namedMachineId, poolIds];
    };
    expect(await target({})).toEqual([named, named, [pool]]);
    expect(await target({ machine_id: other })).toEqual([other, other, []]);
    expect(await target({ pool_ids: [pool] })).toEqual([null, null, [pool]]);
    const both = await retry((await putEnded()).id, { machine_id: other, pool_ids: [pool] });
    const { detail } = ValidationErrorBody.parse(await both.json());
    expect(detail.map(({ loc }) => loc)).toEqual([["body", "pool_ids"]]);
  });

  it("answers 404 for a machine, pool or session that is not there, and leaves nothing behind", async () => {
    const { putEnded, retry, stores, stored } = await setUp();
    const before = await putEnded();
    const brings = {
      sensitive_input_values: { pin: "1" },
      file_inputs: [{ filename: "a", content: "YQ==" }],
    };
    for (const target of [{ machine_id: v7() }, { pool_ids: [v7()] }, { session_id: v7() }]) {
      expect(await code(await retry(before.id, { ...brings, ...target }))).toEqual([404, "not_found"]);
    }
    expect(secretRows(stores)).toEqual([]);
    expect(stores.files.keys()).toEqual([]);
    expect(await stored(before.id)).toEqual(before);
  });

  it("stays in its session, leaves it, or joins another one", async () => {
    const { putEnded, retry, putSession, putMachine } = await setUp();
    const machineId = (await putMachine()).id;
    const [own, other] = [
      await putSession({ status: "active", machineId }),
      await putSession({ status: "pending" }),
    ];
    const session = async (body: object) =>
      (await wire(await retry((await putEnded({ sessionId: own })).id, body))).session_id;
    expect(await session({})).toBe(own);
    expect(await session({ reuse_session: false })).toBeNull();
    expect(await session({ session_id: other })).toBe(other);
    const elsewhere = await retry((await putEnded({ sessionId: own })).id, {
      machine_id: (await putMachine()).id,
    });
    expect(await code(elsewhere)).toEqual([409, "conflict"]);
  });

  it("begins a session, where it waited before or where the request says", async () => {
    const { putEnded, retry, putSession, putMachine, putPool, stored, stores, organizationId } =
      await setUp();
    const [named, other, pool] = [(await putMachine()).id, (await putMachine()).id, (await putPool()).id];
    const own = await putSession({ status: "active" });
    const sessionAfter = async (body: object, before: Partial<Run>) => {
      const { id } = await putEnded({ sessionId: own, ...before });
      const { session_id } = await wire(await retry(id, { start_session: true, ...body }));
      expect((await stored(id)).sessionId).toBe(session_id);
      const session = await stores.sessions.find(organizationId, session_id ?? "");
      return [session?.status, session?.machineId, session?.poolIds, session?.isPriority];
    };
    const [onMachine, inPool] = [{ namedMachineId: named }, { poolIds: [pool] }];
    expect(await sessionAfter({}, onMachine)).toEqual(["pending", named, [], false]);
    expect(await sessionAfter({}, { ...inPool, isPriority: true })).toEqual(["pending", null, [pool], true]);
    expect(await sessionAfter({ machine_id: other }, inPool)).toEqual(["pending", other, [], false]);
    const urgent = { pool_ids: [pool], is_priority: true };
    expect(await sessionAfter(urgent, onMachine)).toEqual(["pending", null, [pool], true]);
    const both = await retry((await putEnded()).id, { start_session: true, session_id: own });
    expect(both.status).toBe(422);
  });

  it("keeps its alias, priority, release and what it has instead of its workflow's, unless the request says", async () => {
    const { putEnded, retry, stored } = await setUp();
    const had = { sessionAlias: "desk", isPriority: true, releaseSessionAfter: true };
    const overrides = {
      ...noOverrides,
      maxSteps: 7,
      mainPrompt: { kind: "inline", value: "Other." },
    } as const;
    const { id } = await putEnded({ ...had, overrides });
    const [same, other] = [{ ...had, overrides }, await putEnded({ ...had, overrides })];
    expect(await wire(await retry(id))).toMatchObject({ is_priority: true, session_alias: "desk" });
    expect(await stored(id)).toMatchObject(same);
    const body = { session_alias: "till", is_priority: false, release_session_after: false };
    expect(await wire(await retry(other.id, body))).toMatchObject(body);
    expect(await stored(other.id)).toMatchObject({ overrides });
  });

  it("answers 409 for a session that has ended, unless it leaves it", async () => {
    const { putEnded, retry, putSession, stores, organizationId } = await setUp();
    const [sessionId, live] = [
      await putSession({ status: "active" }),
      await putSession({ status: "active" }),
    ];
    const { id } = await putEnded({ sessionId });
    const { id: other } = await putEnded({ sessionId });
    await stores.sessions.end(organizationId, sessionId, "2026-01-15T12:00:00.000Z");
    expect(await code(await retry(id))).toEqual([409, "session_ended"]);
    expect((await retry(id, { session_id: live })).status).toBe(200);
    expect((await retry(other, { reuse_session: false })).status).toBe(200);
  });

  it("keeps its secret, or takes the one sent and removes the old", async () => {
    const { create, retry, ask, stored, stores } = await setUp();
    const made = WireRun.parse(await (await create({ sensitive_input_values: { pin: "old" } })).json());
    const cancel = () => ask("PATCH", `/v1/runs/${made.id}`, { status: "cancelled" });
    await cancel();
    const valuesNow = async () => await stores.runs.readSecret(await stored(made.id));
    const old = await stored(made.id);
    expect(await wire(await retry(made.id))).toMatchObject({ sensitive_input_aliases: { pin: "pin" } });
    expect(await valuesNow()).toEqual({ pin: "old" });
    await cancel();
    const run = await wire(await retry(made.id, { sensitive_input_values: { code: "new" } }));
    expect(run.sensitive_input_aliases).toEqual({ code: "code" });
    expect(await valuesNow()).toEqual({ code: "new" });
    expect(await stores.runs.readSecret(old)).toBeUndefined();
    await cancel();
    expect(await wire(await retry(made.id, { sensitive_input_values: {} }))).toMatchObject({
      sensitive_input_aliases: {},
    });
    expect(await valuesNow()).toBeUndefined();
  });

  it("leaves a secret that other runs of the request use", async () => {
    const { putEnded, putRun, retry, stores } = await setUp();
    const secretId = v7();
    const other = await putRun({ secretId, sensitiveAliases: ["pin"] });
    const { id } = await putEnded({ secretId, sensitiveAliases: ["pin"] });
    await wire(await retry(id, { sensitive_input_values: { pin: "new" } }));
    expect(await stores.runs.readSecret(other)).toEqual({ pin: "the pin" });
  });

  it("answers 409 that names the sensitive inputs when their values are gone and none are sent", async () => {
    const { putEnded, retry, stored, stores, log } = await setUp();
    const sensitiveAliases = ["pin", "code"];
    const released = await putEnded({ secretId: v7(), sensitiveAliases });
    await stores.runs.releaseSecret(released.organizationId, released.id, released.secretId ?? "");
    const unreadable = await putEnded({ secretId: v7(), sensitiveAliases });
    const key = runSecretKey(unreadable.organizationId, unreadable.secretId ?? "");
    await stores.table.update(key, { set: { values: new Uint8Array(100) } });
    for (const { id } of [released, unreadable]) {
      const response = await retry(id);
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({
        error_code: "secrets_gone",
        details: { aliases: ["pin", "code"] },
      });
      expect((await stored(id)).status).toBe("error");
      expect((await retry(id, { sensitive_input_values: { pin: "1" } })).status).toBe(200);
    }
    expect(log.text()).toContain("cannot be decrypted");
  });

  it("replaces the files that it came with by those sent, and leaves another run's", async () => {
    const { create, retry, ask, putRun, stores, organizationId } = await setUp();
    const file = (content: string) => ({ filename: "a.txt", content });
    const made = WireRun.parse(await (await create({ file_inputs: [file("YQ=="), file("Yg==")] })).json());
    const foreign = anAttachment({ organizationId, runId: (await putRun()).id });
    await stores.attachments.create(foreign);
    await ask("PATCH", `/v1/runs/${made.id}`, { status: "cancelled" });
    const run = await wire(await retry(made.id, { file_inputs: [file("Yw==")] }));
    expect(run.input_attachment_ids).toHaveLength(1);
    const download = await ask("GET", `/v1/run-attachments/${run.input_attachment_ids[0]}/download`);
    expect(await download.text()).toBe("c");
    for (const id of made.input_attachment_ids) {
      expect((await ask("GET", `/v1/run-attachments/${id}`)).status).toBe(404);
    }
    expect((await ask("GET", `/v1/run-attachments/${foreign.id}`)).status).toBe(200);
  });

  it("removes the objects of output and history once the run names them no more", async () => {
    const { putEnded, retry, stores } = await setUp();
    const keys = ["spill/o/run/x/output", "spill/o/run/x/history"] as const;
    for (const key of keys) await stores.files.put(key, new Uint8Array(3), "application/json");
    const { id } = await putEnded({ outputData: spilled(keys[0]), runMessageHistory: spilled(keys[1]) });
    await wire(await retry(id));
    expect(stores.files.keys()).toEqual([]);
  });

  it("happens once under one Idempotency-Key, and once of two at the same time", async () => {
    const { putEnded, retry, stored, stores } = await setUp();
    const before = await putEnded();
    const headers = { "idempotency-key": "once" };
    const body = { sensitive_input_values: { pin: "1" }, file_inputs: [{ filename: "a", content: "YQ==" }] };
    const first = await wire(await retry(before.id, body, headers));
    const again = await retry(before.id, body, headers);
    expect(again.headers.get("idempotency-status")).toBe("replayed");
    expect(await wire(again)).toEqual(first);
    expect(await stores.runs.readSecret(await stored(before.id))).toEqual({ pin: "1" });
    const { id } = await putEnded();
    const both = await Promise.all([retry(id), retry(id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
