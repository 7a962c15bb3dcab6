import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import { DriverShutdown, Machine, MachineList } from "../../../shared/contract/machine.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { createTestService, sending } from "../../support/shared/test-service.ts";

async function setUp() {
  const service = await createTestService();
  const app = createMachinesApp(service.deps);
  return { ...service, ask: sending(app, service.authorize()) };
}

describe("POST /v1/machines", () => {
  it("makes a machine whose plain strings are empty when unknown, and nothing else", async () => {
    const { ask, organizationId } = await setUp();
    const fingerprint = randomUUID();
    const response = await ask("POST", "/v1/machines", { fingerprint });
    expect(response.status).toBe(201);
    const machine = Machine.parse(await response.json());
    expect(machine).toMatchObject({
      fingerprint,
      organization_id: organizationId,
      key_service_key_id: "",
      name: "",
      version: "",
      hostname: "",
      os_info: "",
      programs: [],
      status: "disconnected",
      is_available: true,
      pools: [],
      reserved_session_id: null,
      linked_keepalive_machine_id: null,
      physical_server_id: null,
    });
    expect(machine.last_seen).toBe(machine.created_at);
    expect(await (await ask("GET", `/v1/machines/${machine.id}`)).json()).toEqual(machine);
  });

  it("keeps values of sensitive parameters in the secret store, and answers and logs their aliases only", async () => {
    const { ask, stores, log } = await setUp();
    const body = {
      fingerprint: randomUUID(),
      machine_parameters: { url: "https://intranet", retries: 3, nested: { a: [1, null] } },
      machine_sensitive_parameters: { password: "hunter2-hunter2" },
    };
    const response = await ask("POST", "/v1/machines", body);
    const text = await response.text();
    expect(response.status).toBe(201);
    const machine = Machine.parse(JSON.parse(text));
    expect(machine.machine_parameters).toEqual(body.machine_parameters);
    expect(machine.machine_sensitive_parameters).toEqual({ password: "password" });
    expect(text + log.text()).not.toContain("hunter2");
    expect(stores.secrets.names().map((name) => stores.secrets.values(name))).toEqual([
      { password: "hunter2-hunter2" },
    ]);
  });

  it("answers 409 to a fingerprint that the organization has, and leaves no secret behind", async () => {
    const { ask, stores, putMachine } = await setUp();
    const { fingerprint, id } = await putMachine();
    const response = await ask("POST", "/v1/machines", {
      fingerprint,
      machine_sensitive_parameters: { password: "x" },
    });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      error_code: "fingerprint_taken",
      details: { machine_id: id },
    });
    expect(stores.secrets.names()).toEqual([]);
  });
});

describe("GET /v1/machines/{machine_id}", () => {
  it("derives the status: out of service before connected", async () => {
    const { ask, putMachine } = await setUp();
    const connection = { id: randomUUID(), websocketId: "w=", host: "api/live/us-east-1" };
    const connected = await putMachine({ connection });
    const broken = await putMachine({ connection, outOfService: true });
    expect(await (await ask("GET", `/v1/machines/${connected.id}`)).json()).toMatchObject({
      status: "connected",
      physical_server_id: "api/live/us-east-1",
    });
    expect(await (await ask("GET", `/v1/machines/${broken.id}`)).json()).toMatchObject({ status: "error" });
  });

  it("carries `included` when pools are asked for, and refuses other values", async () => {
    const { ask, putMachine } = await setUp();
    const { id } = await putMachine();
    const response = await ask("GET", `/v1/machines/${id}?include=pools`);
    expect(Machine.parse(await response.json()).included).toEqual([]);
    const refused = await ask("GET", `/v1/machines/${id}?include=pools,runs`);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      detail: [{ loc: ["query", "include", 1], type: "literal_error" }],
    });
  });
});

describe("GET /v1/machines", () => {
  it("hands every filter on, moments in UTC", async () => {
    const { ask, putMachine } = await setUp();
    const wanted = await putMachine({ name: "till-7", createdAt: "2026-01-01T10:00:00.000Z" });
    await putMachine({ name: "till-8", createdAt: "2026-01-01T10:00:00.000Z" });
    await putMachine({ name: "till-7", createdAt: "2026-01-03T10:00:00.000Z" });
    const to = encodeURIComponent("2026-01-02T02:00:00+02:00");
    const query = `search=TILL&name=till-7&status=disconnected&created_at_from=2026-01-01T00:00:00Z&created_at_to=${to}`;
    const list = MachineList.parse(await (await ask("GET", `/v1/machines?${query}`)).json());
    expect(list.items.map((item) => item.id)).toEqual([wanted.id]);
  });
});

describe("PATCH /v1/machines/{machine_id}", () => {
  it("changes the fields given and leaves the others", async () => {
    const { ask, putMachine } = await setUp();
    const { id } = await putMachine({ name: "old", hostname: "host", parameters: { a: 1, b: 2 } });
    const response = await ask("PATCH", `/v1/machines/${id}`, {
      name: "new",
      is_available: false,
      alerts_enabled: true,
      last_seen: "2026-02-03T04:05:06+01:00",
      machine_parameters: { c: 3 },
    });
    expect(response.status).toBe(200);
    expect(Machine.parse(await response.json())).toMatchObject({
      name: "new",
      hostname: "host",
      is_available: false,
      alerts_enabled: true,
      last_seen: "2026-02-03T03:05:06.000Z",
      machine_parameters: { c: 3 },
    });
  });

  it("clears both kinds of parameters by {}, and the secret with them", async () => {
    const { ask, stores } = await setUp();
    const made = await ask("POST", "/v1/machines", {
      fingerprint: randomUUID(),
      machine_parameters: { a: 1 },
      machine_sensitive_parameters: { pin: "0000" },
    });
    const { id } = Machine.parse(await made.json());
    const body = { machine_parameters: {}, machine_sensitive_parameters: {} };
    const response = await ask("PATCH", `/v1/machines/${id}`, body);
    expect(Machine.parse(await response.json())).toMatchObject(body);
    expect(stores.secrets.names()).toEqual([]);
  });

  it("replaces secrets as a whole: the new one is there before the old one goes", async () => {
    const { ask, stores } = await setUp();
    const made = await ask("POST", "/v1/machines", {
      fingerprint: randomUUID(),
      machine_sensitive_parameters: { pin: "0000", user: "u" },
    });
    const { id } = Machine.parse(await made.json());
    const response = await ask("PATCH", `/v1/machines/${id}`, {
      machine_sensitive_parameters: { pin: "1111" },
    });
    expect(Machine.parse(await response.json()).machine_sensitive_parameters).toEqual({ pin: "pin" });
    expect(stores.secrets.names().map((name) => stores.secrets.values(name))).toEqual([{ pin: "1111" }]);
  });

  it("answers 422 to a reservation cleared together with is_available false", async () => {
    const { ask, putMachine } = await setUp();
    const { id } = await putMachine();
    const body = { reserved_session_id: null, is_available: false };
    const response = await ask("PATCH", `/v1/machines/${id}`, body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ loc: ["body", "is_available"], type: "value_error" }],
    });
  });

  it("takes a machine out of service by status error, and gives it back with its true status", async () => {
    const { ask, putMachine } = await setUp();
    const { id } = await putMachine();
    const statusAfter = async (status: string) =>
      Machine.parse(await (await ask("PATCH", `/v1/machines/${id}`, { status })).json()).status;
    expect(await statusAfter("error")).toBe("error");
    expect(await statusAfter("connected")).toBe("disconnected");
  });
});

describe("the pools of a machine", () => {
  it("are none, and can be set to none", async () => {
    const { ask, putMachine } = await setUp();
    const { id } = await putMachine();
    expect(await (await ask("GET", `/v1/machines/${id}/pools`)).json()).toEqual([]);
    const answer = await ask("PUT", `/v1/machines/${id}/pools`, { pool_ids: [] });
    expect([answer.status, Machine.parse(await answer.json())]).toMatchObject([200, { id, pools: [] }]);
  });
});

describe("POST /v1/machines/{machine_id}/driver/shutdown", () => {
  const connection = { id: randomUUID(), websocketId: "w=", host: "h" };

  it("asks the driver through the tunnel and answers what it said", async () => {
    const { ask, putMachine, channel } = await setUp();
    const { id } = await putMachine({ connection });
    const said = { status: "shutting_down", pid: 4711, reason: "maintenance", source: "cloud-api" };
    channel.willAnswer(answered(200, said));
    const response = await ask("POST", `/v1/machines/${id}/driver/shutdown`, { reason: "maintenance" });
    expect(response.status).toBe(200);
    expect(DriverShutdown.parse(await response.json())).toEqual(said);
    const [request] = channel.requests;
    expect(request).toMatchObject({ method: "POST", path: "/internal/shutdown", isUrgent: true });
    expect(JSON.parse(new TextDecoder().decode(request?.body))).toEqual({
      source: "cloud-api",
      reason: "maintenance",
    });
  });

  it("takes its defaults from a request without a body", async () => {
    const { ask, putMachine, channel } = await setUp();
    const { id } = await putMachine({ connection });
    channel.willAnswer(answered(200, { status: "shutting_down", pid: 1, reason: "r", source: "s" }));
    await ask("POST", `/v1/machines/${id}/driver/shutdown`);
    expect(JSON.parse(new TextDecoder().decode(channel.requests[0]?.body))).toEqual({
      source: "cloud-api",
      reason: "user_disabled_machine",
    });
  });

  it.each([
    ["machine_not_connected", 409, { kind: "not_delivered" }],
    ["driver_timeout", 504, { kind: "timeout" }],
    ["driver_connection_lost", 502, { kind: "connection_lost" }],
    ["driver_failed", 502, answered(200, { status: "shutting_down" })],
    ["driver_failed", 502, answered(500, {})],
    ["not_supported_by_driver", 409, answered(501, {})],
    ["driver_rejected", 422, answered(422, { error: "no" })],
    ["driver_busy", 429, answered(429, {})],
  ] as const)("answers %s with %i", async (code, status, answer) => {
    const { ask, putMachine, channel } = await setUp();
    const { id } = await putMachine({ connection });
    channel.willAnswer(answer);
    const response = await ask("POST", `/v1/machines/${id}/driver/shutdown`, {});
    expect([response.status, ErrorBody.parse(await response.json()).error_code]).toEqual([status, code]);
  });

  it("says once and for ever that an outcome is unknown", async () => {
    const { ask, putMachine, channel } = await setUp();
    const { id } = await putMachine({ connection });
    const path = `/v1/machines/${id}/driver/shutdown`;
    const key = { "idempotency-key": "shutdown-1" };
    // Lost on the way; then the driver does not remember; the third is answered from the record.
    channel.willAnswer({ kind: "connection_lost" }, answered(409, {}));
    const statuses = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const response = await ask("POST", path, {}, key);
      statuses.push([response.status, ErrorBody.parse(await response.json()).error_code]);
    }
    expect(statuses).toEqual([
      [502, "driver_connection_lost"],
      [504, "outcome_unknown"],
      [504, "outcome_unknown"],
    ]);
    expect(channel.requests.map((request) => request.repeat)).toEqual([false, true]);
    expect(new Set(channel.requests.map((request) => request.actionId)).size).toBe(1);
  });
});
