import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { createMcpApp } from "../../../functions/mcp/app.ts";
import { forwardedAddressHeader, readSignedAddress } from "../../../shared/http/access/forwarded-address.ts";
import type { ErrorCode } from "../../../shared/vocabulary/error-codes.ts";
import { errorStatuses } from "../../../shared/vocabulary/error-codes.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Headers;
}

let service: TestService;
let sent: Sent[];
/** The API's responses in turn; the last one stays. */
let answers: (() => Response)[];
const machine_id = randomUUID();

const json = (body: unknown) => () => Response.json(body);
const picture = () => new Response(new Uint8Array([1, 2, 3]), { headers: { "content-type": "image/png" } });
const refused =
  (error_code: ErrorCode, headers: Record<string, string> = {}) =>
  () =>
    Response.json(
      { error: "", message: "the reason", error_code, details: { until: "noon" }, timestamp: "" },
      { status: errorStatuses[error_code], headers },
    );

beforeEach(async () => {
  service = await createTestService();
  sent = [];
  answers = [];
});

function app(limits = service.deps.rateLimits) {
  return createMcpApp({
    ...service.deps,
    rateLimits: limits,
    baseUrl: "https://api.test",
    originHosts: ["api.test"],
    fetch: async (input, init) => {
      const { pathname: path, searchParams } = new URL(String(input));
      const body = init?.body == null ? undefined : JSON.parse(String(init.body));
      const query = Object.fromEntries(searchParams);
      sent.push({ method: init?.method ?? "GET", path, query, body, headers: new Headers(init?.headers) });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined) throw new TypeError("fetch failed");
      return answer();
    },
  });
}

async function post(message: object, { to = app(), authorization = service.authorize() } = {}) {
  const headers = {
    authorization,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const request = { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }) };
  return await to.request("/mcp", request, { sourceAddress: "192.0.2.7" });
}

async function call(name: string, args: Record<string, unknown>) {
  const response = await post({ method: "tools/call", params: { name, arguments: args } });
  const { result } = (await response.json()) as {
    readonly result: {
      readonly isError?: boolean;
      readonly content: readonly { readonly type: string; readonly text?: string }[];
      readonly structuredContent?: Readonly<Record<string, unknown>>;
    };
  };
  return { ...result, text: result.content[0]?.text ?? "" };
}

describe("a desktop's tools", () => {
  it("show a large screen scaled, and act at the places of its picture", async () => {
    answers = [json({ width: 2_560, height: 1_440 }), picture];
    const seen = await call("look", { machine_id });
    expect(sent.at(-1)?.query).toMatchObject({ width: "1280", height: "720" });
    expect(seen.content[1]).toEqual({ type: "image", data: "AQID", mimeType: "image/png" });
    answers = [json({ results: [] })];
    const view = seen.structuredContent?.view;
    const drag = { type: "drag", start_x: 10, start_y: 20, to_x: 30, to_y: 40 };
    await call("act", { machine_id, view, picture: false, actions: [drag, { type: "wait", seconds: 1 }] });
    const placed = { start_x: 20, start_y: 40, to_x: 60, to_y: 80 };
    expect(sent.at(-1)?.body).toMatchObject({ actions: [{ ...drag, ...placed }, { type: "wait" }] });
  });

  it("look at a small screen as it is, and take places of the screen without a view", async () => {
    answers = [json({ width: 800, height: 600 }), picture];
    await call("look", { machine_id });
    expect(sent.at(-1)?.query).not.toHaveProperty("width");
    answers = [json({ results: [{ type: "click", status: "done" }] })];
    await call("act", { machine_id, actions: [{ type: "click", x: 7, y: 8 }], picture: false });
    expect(sent.at(-1)?.body).toMatchObject({ actions: [{ x: 7, y: 8 }] });
  });

  it.each([503, 500])("never send an action twice, after %i or no response", async (status) => {
    answers = [() => new Response("", { status })];
    await call("act", { machine_id, actions: [{ type: "click" }] });
    expect(sent).toHaveLength(1);
    answers = [];
    const lost = await call("act", { machine_id, actions: [{ type: "click" }] });
    expect(sent).toHaveLength(2);
    expect(lost).toMatchObject({ isError: true, text: expect.stringContaining("look at the screen") });
  });

  it("say what to do about a refusal", async () => {
    answers = [refused("outcome_unknown")];
    const unknown = await call("act", { machine_id, actions: [{ type: "click" }] });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining("look at the screen") });
    answers = [refused("machine_held")];
    const held = await call("act", { machine_id, actions: [{ type: "click" }] });
    expect(held.text).toContain('{"until":"noon"}');
    answers = [refused("rate_limited", { "retry-after": "30" })];
    expect((await call("run_command", { machine_id, command: "ls" })).text).toContain("after 30 s");
  });

  it("tell what was done although the look afterwards failed", async () => {
    answers = [json({ results: [{ type: "click", status: "done" }] }), refused("machine_not_connected")];
    const done = await call("act", { machine_id, actions: [{ type: "click" }] });
    expect(done.isError).toBeUndefined();
    expect(done.structuredContent).toMatchObject({
      results: [{ status: "done" }],
      view: null,
      note: expect.stringContaining("machine_not_connected"),
    });
  });

  it("tell what was done although the service did not respond to the look", async () => {
    answers = [
      json({ results: [{ type: "click", status: "done" }] }),
      () => {
        throw new TypeError("fetch failed");
      },
    ];
    const done = await call("act", { machine_id, actions: [{ type: "click" }] });
    expect(done.isError).toBeUndefined();
    expect(done.structuredContent).toMatchObject({
      results: [{ status: "done" }],
      note: expect.stringMatching(/^no picture/),
    });
  });

  it("call a batch that stopped an error", async () => {
    answers = [json({ results: [{ type: "click", status: "failed", error: "locked" }] })];
    expect(await call("act", { machine_id, actions: [{ type: "click" }], picture: false })).toMatchObject({
      isError: true,
    });
  });

  it.each([
    ["notes.txt", "hello", { type: "text", text: "hello" }],
    ["a.png", "\u0001", { type: "image", data: "AQ==", mimeType: "image/png" }],
    [
      "a b.bin",
      "\0",
      {
        type: "resource",
        resource: { uri: "file:///a%20b.bin", blob: "AA==", mimeType: "application/octet-stream" },
      },
    ],
  ])("show the file %s by what it is", async (path, text, block) => {
    answers = [json({ path, size: text.length, content: btoa(text) })];
    const read = await call("read_file", { machine_id, path });
    expect(read.content[1]).toEqual(block);
    expect(read.structuredContent).toEqual({ path, size: text.length, is_whole: true });
  });

  it("show no more of a file than a model can read", async () => {
    const path = "large.txt";
    answers = [json({ path, size: 300_000, content: btoa("x".repeat(300_000)) })];
    const read = await call("read_file", { machine_id, path });
    expect(read.content[1]?.text).toHaveLength(262_144);
    expect(read.structuredContent).toMatchObject({ is_whole: false });
  });
});

describe("wait_for_run", () => {
  const run_id = randomUUID();
  const run = { id: run_id, status: "running", held: null, progress: null, output_data: null };
  const page = (fields: object = {}) => json({ items: [], run: null, ...fields });

  it("waits in turns until there are steps", async () => {
    const step = { index: 4, source: "model", action: { type: "click" }, status: "done" };
    answers = [page(), json(run), page({ items: [{ ...step, text: null, error: null }] }), json(run)];
    const { structuredContent } = await call("wait_for_run", { run_id, after_index: 3 });
    expect(structuredContent).toMatchObject({ has_ended: false, next_after_index: 4, steps: [{ index: 4 }] });
    expect(sent.filter(({ path }) => path.endsWith("/steps"))).toMatchObject([
      { query: { after_index: "3", wait_seconds: "5" } },
      { query: { after_index: "3", wait_seconds: "5" } },
    ]);
  });

  it("returns at once when the run is held, has ended, or the time is over", async () => {
    answers = [page(), json({ ...run, held: { reason: "a code" } })];
    expect((await call("wait_for_run", { run_id })).structuredContent).toMatchObject({ has_ended: false });
    answers = [page({ run: { ...run, status: "success", output_data: 7 } })];
    expect((await call("wait_for_run", { run_id })).structuredContent).toMatchObject({
      has_ended: true,
      run: { status: "success", output_data: 7 },
    });
    answers = [page(), json(run)];
    sent = [];
    await call("wait_for_run", { run_id, wait_seconds: 3 });
    expect(sent.map(({ query }) => query.wait_seconds)).toEqual(["3", undefined]);
  });
});

describe("a message", () => {
  it("is counted apart from the requests of its tools, with the same limit", async () => {
    const authorization = service.authorize();
    const to = app({ perApiKey: 2, perOrganization: 0 });
    const ping = { method: "ping" };
    for (const left of ["1", "0"]) {
      const response = await post(ping, { to, authorization });
      expect(response.headers.get("x-ratelimit-remaining")).toBe(left);
    }
    const response = await post(ping, { to, authorization });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await response.json()).toMatchObject({ error_code: "rate_limited" });
  });

  it("brings the caller's own credentials and address to the API", async () => {
    answers = [json({ items: [], total: 0 })];
    const authorization = service.authorize();
    await post({ method: "tools/call", params: { name: "list_machines" } }, { authorization });
    const { headers } = sent[0] as Sent;
    expect(headers.get("authorization")).toBe(authorization);
    const { idempotencySigner, clock } = service.deps;
    const signed = headers.get(forwardedAddressHeader) ?? "";
    expect(await readSignedAddress(idempotencySigner, clock, signed)).toBe("192.0.2.7");
    expect(await readSignedAddress(idempotencySigner, clock, signed.replace("192", "198"))).toBeUndefined();
    service.stores.clock.advance(60_000);
    expect(await readSignedAddress(idempotencySigner, clock, signed)).toBeUndefined();
  });

  async function modern(method: string, fields: object = {}) {
    const version = "2026-07-28";
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const headers = {
      authorization: service.authorize({ scopes: ["read"] }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": method,
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta, ...fields } });
    return await (await app().request("/mcp", { method: "POST", headers, body })).json();
  }

  it("of a subscription is refused, since no stream stays open", async () => {
    const refused = await modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
    expect(refused).toMatchObject({ error: { message: expect.any(String) } });
  });

  it("lists tools for whoever asked alone, since another key may have others", async () => {
    expect(await modern("tools/list")).toMatchObject({ result: { cacheScope: "private", ttlMs: 300_000 } });
  });
});
