import { describe, expect, expectTypeOf, it } from "vitest";
import type * as z from "zod";
import { createApiClient } from "../../../shared/client/api-client.ts";
import { ApiError, ApiUnreachable } from "../../../shared/client/api-error.ts";
import type { Machine, MachineList } from "../../../shared/contract/machine.ts";

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

type Reply = Response | Error;

const machineId = "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f";
const list = { items: [], total: 0, skip: 0, limit: 100 };

function refusal(status: number, error_code: string, headers: Record<string, string> = {}): Response {
  const body = {
    error: "No",
    message: "no",
    error_code,
    details: { why: 1 },
    timestamp: "2026-01-01T00:00:00.000Z",
  };
  return Response.json(body, { status, headers: { "x-request-id": "r1", ...headers } });
}

function clientOf(replies: readonly Reply[], totalMs = 60_000) {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  let keys = 0;
  let nowMs = 0;
  const client = createApiClient({
    baseUrl: "https://api.example/",
    credentials: "das_key",
    totalMs,
    fetch: async (url, init) => {
      const body = init?.body;
      sent.push({
        url: String(url),
        method: init?.method ?? "GET",
        headers: new Headers(init?.headers),
        body: typeof body === "string" ? body : undefined,
      });
      const reply = replies[sent.length - 1];
      if (reply === undefined) throw new Error("no more replies");
      if (reply instanceof Error) throw reply;
      return reply;
    },
    pause: async (ms) => {
      pauses.push(ms);
      nowMs += ms;
    },
    random: () => 1,
    now: () => nowMs,
    newIdempotencyKey: () => {
      keys += 1;
      return `key-${keys}`;
    },
  });
  return { client, sent, pauses };
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("a call", () => {
  it("fills in path, query and body, and sends the credentials", async () => {
    const { client, sent } = clientOf([Response.json(list), Response.json({})]);
    await client.call("listMachines", { query: { skip: 10, include: ["pools"], search: "a&b" } });
    await client.call("updateMachine", { path: { machine_id: machineId }, body: { name: "b" } });
    expect(sent[0]?.url).toBe("https://api.example/v1/machines?skip=10&include=pools&search=a%26b");
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer das_key");
    expect(sent[0]?.headers.has("idempotency-key")).toBe(false);
    expect(sent[1]).toMatchObject({
      url: `https://api.example/v1/machines/${machineId}`,
      method: "PATCH",
      body: '{"name":"b"}',
    });
    expect(sent[1]?.headers.get("content-type")).toBe("application/json");
  });

  it("goes nowhere but to its own path, whatever its parameters are", async () => {
    const { client, sent } = clientOf([]);
    const removing = client.call("unassignTag", { path: { workflow_id: machineId, tag_id: ".." } });
    await expect(removing).rejects.toThrow('".." cannot be part of a path');
    await expect(client.call("deletePool", { path: { pool_id: "." } })).rejects.toThrow("part of a path");
    await expect(client.request("GET", ".evil.example/v1/caller")).rejects.toThrow("begins with /");
    expect(sent).toEqual([]);
  });

  it("answers JSON as what it is, other bodies as bytes, and undefined for none", async () => {
    const { client } = clientOf([
      Response.json(list),
      new Response(new Uint8Array([137, 80]), { headers: { "content-type": "image/png" } }),
      new Response(null, { status: 204 }),
    ]);
    expect(await client.call("listMachines")).toEqual(list);
    expect(await client.call("takeScreenshot", { path: { machine_id: machineId } })).toEqual(
      new Uint8Array([137, 80]),
    );
    expect(await client.call("deleteMachine", { path: { machine_id: machineId } })).toBeUndefined();
  });

  it("shows the ETag of what it reads or writes, and sends the one that a write requires", async () => {
    const tagged = () => Response.json({ id: machineId }, { headers: { etag: '"7"' } });
    const lost = refusal(412, "changed_meanwhile");
    const { client, sent } = clientOf([tagged(), tagged(), lost]);
    const path = { machine_id: machineId };
    const { body, etag } = await client.callTagged("getMachine", { path });
    expect([body.id, etag]).toEqual([machineId, '"7"']);
    await client.callTagged("updateMachine", { path, body: { name: "b" }, ifMatch: etag });
    const refused = client.call("deleteMachine", { path, ifMatch: etag });
    expect(await failureOf(refused)).toMatchObject({ status: 412, errorCode: "changed_meanwhile" });
    expect(sent.map(({ headers }) => headers.get("if-match"))).toEqual([null, '"7"', '"7"']);
  });

  it("has no body where nothing differs from what the caller has, and says how long to pause", async () => {
    const png = new Uint8Array([137, 80]);
    const { client, sent } = clientOf([
      new Response(png, { headers: { "content-type": "image/png", etag: '"a"' } }),
      new Response(null, { status: 304, headers: { etag: '"a"' } }),
      new Response(null, { status: 304, headers: { "retry-after": "2" } }),
      new Response(null, { status: 304 }),
    ]);
    const look = { path: { machine_id: machineId }, query: { wait_ms: 10_000 } };
    const first = await client.callIfChanged("takeScreenshot", look);
    expect(first).toEqual({ body: png, etag: '"a"', retryAfterSeconds: undefined });
    const again = { ...look, ifNoneMatch: first.etag };
    const same = { body: undefined, etag: '"a"' };
    expect(await client.callIfChanged("takeScreenshot", again)).toMatchObject(same);
    expect(await client.callIfChanged("takeScreenshot", again)).toEqual({ ...same, retryAfterSeconds: 2 });
    expect(sent.map(({ headers }) => headers.get("if-none-match"))).toEqual([null, '"a"', '"a"']);
    expect(await failureOf(client.call("takeScreenshot", look))).toMatchObject({ status: 304 });
  });

  it("has the types of the schemas", () => {
    const { client } = clientOf([]);
    const calls = {
      list: () => client.call("listMachines", { query: { limit: 5, status: "connected" } }),
      listOfTwo: () => client.call("listMachines", { query: { status: ["connected", "error"] } }),
      // @ts-expect-error no such status
      noStatus: () => client.call("listMachines", { query: { status: ["connected", "off"] } }),
      get: () => client.call("getMachine", { path: { machine_id: machineId } }),
      remove: () => client.call("deleteMachine", { path: { machine_id: machineId } }),
      screenshot: () => client.call("takeScreenshot", { path: { machine_id: machineId } }),
      // @ts-expect-error a path parameter is missing
      noPath: () => client.call("getMachine"),
      // @ts-expect-error no such field
      noField: () => client.call("updateMachine", { path: { machine_id: machineId }, body: { nam: "" } }),
      // @ts-expect-error a read takes no key
      noKey: () => client.call("listMachines", { idempotencyKey: "k" }),
      // @ts-expect-error no such operation
      noOperation: () => client.call("makeCoffee"),
      // @ts-expect-error no such value to include
      noInclude: () => client.call("listMachines", { query: { include: ["runs"] } }),
    };
    expectTypeOf(calls.list).returns.resolves.toEqualTypeOf<z.output<typeof MachineList>>();
    expectTypeOf(calls.get).returns.resolves.toEqualTypeOf<z.output<typeof Machine>>();
    expectTypeOf(calls.remove).returns.resolves.toEqualTypeOf<undefined>();
    expectTypeOf(calls.screenshot).returns.resolves.toEqualTypeOf<Uint8Array>();
  });
});

describe("a refusal", () => {
  it("becomes an error with its status, code, details and request id", async () => {
    const { client, sent } = clientOf([refusal(404, "not_found")]);
    const error = await failureOf(client.call("getMachine", { path: { machine_id: machineId } }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 404,
      errorCode: "not_found",
      details: { why: 1 },
      requestId: "r1",
      message: "no",
    });
    expect(sent).toHaveLength(1);
  });

  it("names what a validation error is about", async () => {
    const detail = [{ loc: ["body", "name"], msg: "too short", type: "string_too_short" }];
    const { client } = clientOf([Response.json({ detail }, { status: 422 })]);
    const error = await failureOf(
      client.call("updateMachine", { path: { machine_id: machineId }, body: {} }),
    );
    expect(error).toMatchObject({
      status: 422,
      errorCode: undefined,
      message: "body.name: too short",
      details: detail,
    });
  });

  it("may be the gateway's own, or no JSON at all", async () => {
    const { client } = clientOf([
      Response.json({ message: "Request Entity Too Large" }, { status: 413 }),
      new Response("<html>", { status: 500 }),
    ]);
    expect(await failureOf(client.call("listMachines"))).toMatchObject({ status: 413, errorCode: undefined });
    expect(await failureOf(client.call("listMachines"))).toMatchObject({ status: 500, details: undefined });
  });
});

describe("what is sent again", () => {
  it.each([
    ["429", refusal(429, "rate_limited", { "retry-after": "7" }), 7_200],
    ["502", refusal(502, "driver_connection_lost"), 400],
    ["503", new Response("{}", { status: 503 }), 400],
    ["504", refusal(504, "driver_timeout"), 400],
    ["a failed connection", new TypeError("fetch failed"), 400],
    ["a request in progress", refusal(409, "request_in_progress", { "retry-after": "1" }), 1_200],
  ])("a write under one and the same key after %s", async (_, failure, pauseMs) => {
    const { client, sent, pauses } = clientOf([failure, Response.json({})]);
    await client.call("clickMouse", { path: { machine_id: machineId }, body: {} });
    expect(pauses).toEqual([pauseMs]);
    expect(sent.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["key-1", "key-1"]);
    expect(sent[1]?.body).toBe(sent[0]?.body);
  });

  it("a write whose first request is being processed, as often as the time allows", async () => {
    const refused = Array.from({ length: 12 }, () =>
      refusal(409, "request_in_progress", { "retry-after": "1" }),
    );
    const { client, pauses } = clientOf([refusal(503, "service_unavailable"), ...refused, Response.json({})]);
    await client.call("clickMouse", { path: { machine_id: machineId }, body: {} });
    expect(pauses).toEqual([400, ...refused.map(() => 1_200)]);
  });

  it("a read, without a key", async () => {
    const { client, sent } = clientOf([refusal(503, "service_unavailable"), Response.json(list)]);
    await client.call("listMachines");
    expect(sent.map(({ headers }) => headers.has("idempotency-key"))).toEqual([false, false]);
  });

  it("under the caller's own key, when there is one", async () => {
    const { client, sent } = clientOf([new TypeError("fetch failed"), Response.json({})]);
    await client.call("clickMouse", { path: { machine_id: machineId }, body: {}, idempotencyKey: "mine" });
    expect(sent.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["mine", "mine"]);
  });
});

describe("what is never sent again", () => {
  it.each([
    ["429", refusal(429, "rate_limited", { "retry-after": "1" })],
    ["503", refusal(503, "service_unavailable")],
    ["a failed connection", new TypeError("fetch failed")],
  ])("a write without a key, after %s", async (_, failure) => {
    const { client, sent } = clientOf([failure]);
    const call = client.call("clickMouse", {
      path: { machine_id: machineId },
      body: {},
      idempotencyKey: false,
    });
    expect(await failureOf(call)).toBeInstanceOf(Error);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.headers.has("idempotency-key")).toBe(false);
  });

  it.each([
    ["an outcome that is unknown", refusal(504, "outcome_unknown")],
    ["a failure of the service's own", refusal(500, "internal_error")],
    ["a conflict", refusal(409, "machine_not_connected")],
    ["what the driver does not do", refusal(409, "not_supported_by_driver")],
    ["a key used for another request", refusal(422, "idempotency_key_reused")],
    ["bad credentials", refusal(401, "invalid_credentials")],
  ])("anything after %s", async (_, failure) => {
    const { client, sent } = clientOf([failure]);
    const call = client.call("clickMouse", { path: { machine_id: machineId }, body: {} });
    expect(await failureOf(call)).toBeInstanceOf(ApiError);
    expect(sent).toHaveLength(1);
  });
});

describe("the end of trying", () => {
  it("comes after four attempts, with the last failure", async () => {
    const lost = () => new TypeError("fetch failed");
    const { client, sent, pauses } = clientOf([lost(), lost(), lost(), refusal(503, "service_unavailable")]);
    expect(await failureOf(client.call("listMachines"))).toMatchObject({ status: 503 });
    expect(sent).toHaveLength(4);
    expect(pauses).toEqual([400, 800, 1_600]);
  });

  it("comes at once when the pause asked for goes beyond the time there is", async () => {
    const { client, sent, pauses } = clientOf(
      [refusal(429, "rate_limited", { "retry-after": "60" })],
      30_000,
    );
    expect(await failureOf(client.call("listMachines"))).toMatchObject({
      status: 429,
      retryAfterSeconds: 60,
    });
    expect([sent.length, pauses]).toEqual([1, []]);
  });

  it("comes with the caller's signal", async () => {
    const { client, sent } = clientOf([new TypeError("aborted"), Response.json(list)]);
    const error = await failureOf(client.call("listMachines", { signal: AbortSignal.abort() }));
    expect(error).toBeInstanceOf(ApiUnreachable);
    expect(sent).toHaveLength(1);
  });
});
