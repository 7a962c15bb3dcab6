import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { Machine } from "../../../shared/contract/machine.ts";
import { leaseMs } from "../../../shared/domain/idempotency/idempotency.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { asking, createTestService, type TestService } from "../../support/shared/test-service.ts";

async function setUp() {
  const service = await createTestService();
  const app = createMachinesApp(service.deps);
  const authorization = service.authorize();
  const send = asking(app, authorization);
  const ask = async (method: string, path: string, body: unknown, key: string, as = authorization) => {
    const sent = await send(method, path, body, { authorization: as, "idempotency-key": key });
    return {
      status: sent.status,
      text: sent.text,
      code: sent.json?.error_code,
      idempotency: sent.headers.get("idempotency-status"),
      retryAfter: sent.headers.get("retry-after"),
    };
  };
  return { ...service, app, ask };
}

async function machineCount({ stores, organizationId }: Pick<TestService, "stores" | "organizationId">) {
  return (await stores.machines.list(organizationId, {}, { skip: 0, limit: 100 })).total;
}

describe("a write under an Idempotency-Key", () => {
  it("is done once, and its repeat is answered with the same status and body", async () => {
    const service = await setUp();
    const body = { fingerprint: randomUUID(), name: "till" };
    const first = await service.ask("POST", "/v1/machines", body, "k");
    const repeat = await service.ask("POST", "/v1/machines", body, "k");
    expect([first.status, first.idempotency]).toEqual([201, null]);
    expect([repeat.status, repeat.idempotency]).toEqual([201, "replayed"]);
    expect(repeat.text).toBe(first.text);
    expect(await machineCount(service)).toBe(1);
  });

  it("is answered as it was, whatever has happened to the machine since", async () => {
    const { ask, putMachine } = await setUp();
    const path = `/v1/machines/${(await putMachine({ name: "a" })).id}`;
    await ask("PATCH", path, { name: "b" }, "first");
    await ask("PATCH", path, { name: "c" }, "second");
    const repeat = await ask("PATCH", path, { name: "b" }, "first");
    expect(JSON.parse(repeat.text).name).toBe("b");
    const now = await ask("GET", path, undefined, "third");
    expect(JSON.parse(now.text).name).toBe("c");
  });

  it("answers 204 again to a repeated DELETE, and 404 under a new key", async () => {
    const { ask, putMachine } = await setUp();
    const path = `/v1/machines/${(await putMachine()).id}`;
    expect(await ask("DELETE", path, undefined, "k")).toMatchObject({ status: 204, idempotency: null });
    expect(await ask("DELETE", path, undefined, "k")).toMatchObject({ status: 204, idempotency: "replayed" });
    expect(await ask("DELETE", path, undefined, "l")).toMatchObject({ status: 404 });
  });

  it("answers 422 to the key of another body, also when that body cannot be done", async () => {
    const service = await setUp();
    const path = `/v1/machines/${(await service.putMachine()).id}`;
    await service.ask("PATCH", path, { name: "b" }, "k");
    expect(await service.ask("PATCH", path, { name: "c" }, "k")).toMatchObject({
      status: 422,
      code: "idempotency_key_reused",
    });
    const impossible = { reserved_session_id: null, is_available: false };
    expect(await service.ask("PATCH", path, impossible, "k")).toMatchObject({
      status: 422,
      code: "idempotency_key_reused",
    });
  });

  it("keeps keys of different principals, methods and paths apart", async () => {
    const { ask, putMachine, authorize } = await setUp();
    const paths = [await putMachine(), await putMachine()].map(({ id }) => `/v1/machines/${id}`);
    for (const path of paths) {
      expect(await ask("PATCH", path, { name: "b" }, "k")).toMatchObject({ status: 200, idempotency: null });
    }
    const other = await ask("PATCH", paths[0] ?? "", { name: "b" }, "k", authorize());
    expect(other).toMatchObject({ status: 200, idempotency: null });
  });

  it("forgets what failed: the same key works once the reason is gone", async () => {
    const { ask, putMachine } = await setUp();
    const { id, fingerprint } = await putMachine();
    const body = { fingerprint };
    expect(await ask("POST", "/v1/machines", body, "k")).toMatchObject({
      status: 409,
      code: "fingerprint_taken",
    });
    await ask("DELETE", `/v1/machines/${id}`, undefined, "l");
    expect(await ask("POST", "/v1/machines", body, "k")).toMatchObject({ status: 201, idempotency: null });
  });

  it("does not answer from the record to a key that has lost its scope", async () => {
    const { ask, putMachine, authorize, changeKey } = await setUp();
    const path = `/v1/machines/${(await putMachine()).id}`;
    const authorization = authorize();
    await ask("PATCH", path, { name: "b" }, "k", authorization);
    changeKey(authorization, { scopes: ["read"] });
    const repeat = await ask("PATCH", path, { name: "b" }, "k", authorization);
    expect(repeat).toMatchObject({ status: 403, code: "insufficient_scope" });
  });

  it("keeps neither the body nor a secret in its record", async () => {
    const { ask, stores, log } = await setUp();
    const body = { fingerprint: randomUUID(), machine_sensitive_parameters: { pin: "hunter2-hunter2" } };
    expect((await ask("POST", "/v1/machines", body, "k")).status).toBe(201);
    const rows = JSON.stringify([...stores.model.items.all()]);
    expect(rows).toContain('"kind":{"S":"idempotency_record"}');
    expect(rows + log.text()).not.toContain("hunter2");
  });
});

describe("a write with secrets under an Idempotency-Key", () => {
  const body = { fingerprint: randomUUID(), machine_sensitive_parameters: { pin: "1234" } };

  it("is answered with 409 while another attempt is at work", async () => {
    const service = await setUp();
    const { secrets } = service.stores;
    const create = secrets.create.bind(secrets);
    let during: Awaited<ReturnType<typeof service.ask>> | undefined;
    secrets.create = async (name, values) => {
      secrets.create = create;
      during = await service.ask("POST", "/v1/machines", body, "k");
      await create(name, values);
    };
    expect((await service.ask("POST", "/v1/machines", body, "k")).status).toBe(201);
    expect(during).toMatchObject({
      status: 409,
      code: "request_in_progress",
      idempotency: "in_progress",
      retryAfter: "1",
    });
  });

  it("makes the same machine and the same secret when it takes over after a crash", async () => {
    const service = await setUp();
    const { machines, secrets, idempotencyRecords } = service.stores;
    const crash = new Error("the process is gone");
    const create = machines.create.bind(machines);
    const release = idempotencyRecords.release.bind(idempotencyRecords);
    machines.create = async () => {
      throw crash;
    };
    idempotencyRecords.release = async () => {
      throw crash;
    };
    expect((await service.ask("POST", "/v1/machines", body, "k")).status).toBe(500);
    machines.create = create;
    idempotencyRecords.release = release;
    const [secretName] = secrets.names();
    expect((await service.ask("POST", "/v1/machines", body, "k")).status).toBe(409);
    service.stores.clock.advance(leaseMs + 1);
    const after = await service.ask("POST", "/v1/machines", body, "k");
    expect(after.status).toBe(201);
    expect(secrets.names()).toEqual([secretName]);
    expect(secretName).toContain(Machine.parse(JSON.parse(after.text)).id);
    expect(await machineCount(service)).toBe(1);
  });

  it("leaves the secret when nobody can tell whether the machine was written", async () => {
    const service = await setUp();
    const { machines, secrets } = service.stores;
    const create = machines.create.bind(machines);
    machines.create = async (machine, idempotency) => {
      await create(machine, idempotency);
      throw new Error("the answer was lost");
    };
    expect((await service.ask("POST", "/v1/machines", body, "k")).status).toBe(500);
    expect(secrets.names()).toHaveLength(1);
    expect(await service.ask("POST", "/v1/machines", body, "k")).toMatchObject({
      status: 201,
      idempotency: "replayed",
    });
  });

  it("replaces the secret that is there when another PATCH comes between, and leaves no other", async () => {
    const service = await setUp();
    const { id } = Machine.parse(JSON.parse((await service.ask("POST", "/v1/machines", body, "k")).text));
    const { machines, secrets } = service.stores;
    const update = machines.update.bind(machines);
    machines.update = async (...given) => {
      machines.update = update;
      const between = { machine_sensitive_parameters: { pin: "between" } };
      await service.ask("PATCH", `/v1/machines/${id}`, between, "between");
      return update(...given);
    };
    const last = { machine_sensitive_parameters: { pin: "last" } };
    expect((await service.ask("PATCH", `/v1/machines/${id}`, last, "last")).status).toBe(200);
    expect(secrets.names().map((name) => secrets.values(name))).toEqual([{ pin: "last" }]);
  });

  it("does its work although the old secret cannot be removed", async () => {
    const service = await setUp();
    const { id } = Machine.parse(JSON.parse((await service.ask("POST", "/v1/machines", body, "k")).text));
    service.stores.secrets.remove = async () => {
      throw new Error("throttled");
    };
    const change = { machine_sensitive_parameters: { pin: "new" } };
    expect((await service.ask("PATCH", `/v1/machines/${id}`, change, "l")).status).toBe(200);
    // A warning: the sweeper comes to it, so that no alarm has to.
    const loud = service.log.lines().filter((line) => line.level === "warn" || line.level === "error");
    expect(loud.map(({ level, message }) => [level, message])).toEqual([
      ["warn", "a secret that nothing names is left to the sweeper"],
    ]);
  });
});

describe("a desktop's action under an Idempotency-Key", () => {
  const connection = { id: randomUUID(), websocketId: "w=", host: "h" };
  const said = { status: "shutting_down", pid: 7, reason: "r", source: "s" };

  it("is done once, and its repeat answered from the record", async () => {
    const { ask, putMachine, channel } = await setUp();
    const path = `/v1/machines/${(await putMachine({ connection })).id}/driver/shutdown`;
    channel.willAnswer(answered(200, said));
    const first = await ask("POST", path, {}, "k");
    const repeat = await ask("POST", path, {}, "k");
    expect(repeat).toEqual({ ...first, idempotency: "replayed" });
    expect(channel.requests).toHaveLength(1);
  });

  it("asks with `repeat` after an attempt that may have reached the desktop, under the same action id", async () => {
    const { ask, putMachine, channel } = await setUp();
    const path = `/v1/machines/${(await putMachine({ connection })).id}/driver/shutdown`;
    channel.willAnswer({ kind: "timeout" }, answered(200, said));
    expect((await ask("POST", path, {}, "k")).status).toBe(504);
    expect((await ask("POST", path, {}, "k")).status).toBe(200);
    expect(channel.requests.map((request) => request.repeat)).toEqual([false, true]);
    expect(channel.requests[1]?.actionId).toBe(channel.requests[0]?.actionId);
  });

  it("asks anew after an attempt that reached nobody", async () => {
    const { ask, putMachine, channel } = await setUp();
    const path = `/v1/machines/${(await putMachine({ connection })).id}/driver/shutdown`;
    channel.willAnswer({ kind: "not_delivered" }, answered(200, said));
    expect((await ask("POST", path, {}, "k")).status).toBe(409);
    expect((await ask("POST", path, {}, "k")).status).toBe(200);
    expect(channel.requests.map((request) => request.repeat)).toEqual([false, false]);
  });

  it("does not forget an uncertain attempt because the next one reached nobody", async () => {
    const { ask, putMachine, channel } = await setUp();
    const path = `/v1/machines/${(await putMachine({ connection })).id}/driver/shutdown`;
    channel.willAnswer({ kind: "timeout" }, { kind: "not_delivered" }, answered(200, said));
    for (const status of [504, 409, 200]) {
      expect((await ask("POST", path, {}, "k")).status).toBe(status);
    }
    expect(channel.requests.map((request) => request.repeat)).toEqual([false, true, true]);
  });

  it("answers what happened although it cannot be put on record", async () => {
    const { ask, putMachine, channel, stores, log } = await setUp();
    const path = `/v1/machines/${(await putMachine({ connection })).id}/driver/shutdown`;
    channel.willAnswer(answered(200, said));
    stores.idempotencyRecords.complete = async () => {
      throw new Error("the table is away");
    };
    expect((await ask("POST", path, {}, "k")).status).toBe(200);
    expect(log.lines().some((line) => line.level === "error")).toBe(true);
  });
});
