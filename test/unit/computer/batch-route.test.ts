import { describe, expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import { BatchResponse } from "../../../shared/contract/computer/computer-batch.ts";
import type { DriverAnswer } from "../../../shared/domain/tunnel/driver-channel.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const connection = { id: "c", websocketId: "w=", host: "h" };
const batches = ["computer/batch"];

function pngOf(width: number, height: number, bytes = 24): Buffer {
  const png = Buffer.alloc(bytes);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

const refused = (error: string) => answered(422, { error, code: "outside_display" });
const done = answered(200, {});
const shown = (png: Uint8Array, settled?: string): DriverAnswer => ({
  kind: "answered",
  status: 200,
  headers: settled === undefined ? {} : { "x-screen-settled": settled },
  body: png,
});

interface Body {
  readonly results: readonly { readonly status: string }[];
  readonly screenshot: { readonly url: string; readonly png: string };
  readonly error_code: string;
  readonly detail: readonly { readonly loc: readonly unknown[] }[];
}

async function setUp(capabilities: readonly string[]) {
  const service = await createTestService();
  const app = createComputerApp(service.deps);
  const { id } = await service.putMachine({ connection, capabilities });
  const ask = asking(app, service.authorize());
  const batch = async (body: object, key?: string) => {
    const headers = key === undefined ? {} : { "idempotency-key": key };
    const { json, ...response } = await ask("POST", `/v1/computer/${id}/batch`, body, headers);
    return { ...response, body: json as Body };
  };
  const sent = () =>
    service.channel.requests.map(({ path, body }) => [
      path.replace("/computer/", ""),
      body && JSON.parse(Buffer.from(body).toString()),
    ]);
  return { ...service, batch, sent };
}

describe("a batch", () => {
  it("is one call to a driver that knows batches, without the words that are for people", async () => {
    const { batch, sent, channel } = await setUp(batches);
    const answer = { copied: "4711" };
    channel.willAnswer(
      answered(200, {
        results: [
          { status: "done", type: "click", later: 1 },
          { status: "done", answer },
          { status: "done" },
        ],
        screenshot: { settled: true, png: pngOf(640, 480).toString("base64") },
      }),
    );
    const actions = [
      { type: "click", x: 1, y: 2, target: "the field Number" },
      { type: "copy_to_clipboard", text: "copied" },
      { type: "wait", seconds: 0.5 },
    ];
    const { status, body } = await batch({ actions, screenshot: true, settle_ms: 250 });
    expect([status, body]).toEqual([
      200,
      {
        results: [
          { type: "click", status: "done" },
          { type: "copy_to_clipboard", status: "done", answer },
          { type: "wait", status: "done" },
        ],
        screenshot: { width: 640, height: 480, settled: true, png: pngOf(640, 480).toString("base64") },
      },
    ]);
    expect(BatchResponse.safeParse(body).success).toBe(true);
    const click = { type: "click", x: 1, y: 2, button: "left", clicks: 1 };
    const rest = { screenshot: true, settle_ms: 250, cursor: false };
    expect(sent()).toEqual([["batch", { actions: [click, ...actions.slice(1)], ...rest }]]);
    expect(channel.requests[0]).toMatchObject({ method: "POST", largeResponse: true });
  });

  it("is 200 with what failed and what was skipped, and without the screen where there is none", async () => {
    const { batch, channel } = await setUp(batches);
    const results = [{ status: "done" }, { status: "failed", error: "no" }, { status: "skipped" }];
    channel.willAnswer(answered(200, { results, screenshot: null }));
    const actions = Array(3).fill({ type: "move", x: 1, y: 2 });
    const { status, body } = await batch({ actions, screenshot: true });
    const type = "move";
    expect([status, body]).toEqual([
      200,
      { results: results.map((each) => ({ type, ...each })), screenshot: null },
    ]);
  });

  it.each([
    ["no results", {}],
    ["fewer results", { results: [] }],
    ["an unknown status", { results: [{ status: "perhaps" }] }],
    ["a copy without its text", { results: [{ status: "done", answer: { other: "x" } }] }],
    ["a copy that is no text", { results: [{ status: "done", answer: { copied: 1 } }] }],
  ])("takes an answer with %s for the driver's failure", async (_, answer) => {
    const { batch, channel } = await setUp(batches);
    channel.willAnswer(answered(200, answer));
    const { status, body } = await batch({ actions: [{ type: "copy_to_clipboard", text: "copied" }] });
    expect([status, body]).toEqual([502, expect.objectContaining({ error_code: "driver_failed" })]);
  });

  it("hands on a picture from the bucket, and a link where it does not fit a response, each time anew", async () => {
    const { batch, channel, stores } = await setUp(batches);
    const png = pngOf(3840, 2160, 4_500_000);
    const screenshot = { settled: false, png: png.toString("base64") };
    const json = Buffer.from(JSON.stringify({ results: [{ status: "done" }], screenshot }));
    const stored = {
      kind: "stored",
      status: 200,
      headers: {},
      key: "tunnel/o/1",
      sizeBytes: json.length,
    } as const;
    await stores.files.put(stored.key, json, "application/json");
    channel.willAnswer(stored);
    const body = { actions: [{ type: "wait", seconds: 0 }], screenshot: true };
    const first = await batch(body, "one");
    expect(first.body.screenshot).toEqual({
      width: 3840,
      height: 2160,
      settled: false,
      url: expect.stringContaining("tunnel/"),
      expires_in: 300,
    });
    const key = new URL(first.body.screenshot.url).pathname.slice(1);
    expect(png.equals((await stores.files.get(key, 5_000_000)) ?? Buffer.of())).toBe(true);
    const again = await batch(body, "one");
    expect([again.status, again.headers.get("idempotency-status")]).toEqual([200, "replayed"]);
    expect(again.body.screenshot.url).not.toBe(first.body.screenshot.url);
    expect(channel.requests).toHaveLength(1);

    const small = Buffer.from(
      JSON.stringify({
        results: [{ status: "done" }],
        screenshot: { png: pngOf(8, 6, 90_000).toString("base64") },
      }),
    );
    await stores.files.put(stored.key, small, "application/json");
    channel.willAnswer(stored);
    expect((await batch(body)).body.screenshot).toMatchObject({ width: 8, height: 6, settled: false });
  });

  it.each([
    [{ actions: [] }, ["actions"]],
    [{ actions: Array(21).fill({ type: "wait", seconds: 0 }) }, ["actions"]],
    [{ actions: [{ type: "screenshot" }] }, ["actions", 0, "type"]],
    [{ actions: [{ type: "click", x: 1 }] }, ["actions", 0, "y"]],
    [{ actions: [{ type: "move", x: 1, y: 40_000 }] }, ["actions", 0, "y"]],
    [{ actions: [{ type: "move", x: 1, y: 1, target: "" }] }, ["actions", 0, "target"]],
    [{ actions: [{ type: "move", x: 1, y: 1, where: 1 }] }, ["actions", 0, "where"]],
    [{ actions: [{ type: "wait", seconds: 61 }] }, ["actions", 0, "seconds"]],
    [{ actions: Array(2).fill({ type: "wait", seconds: 7.6 }) }, ["actions", 1, "seconds"]],
    [
      {
        actions: [
          { type: "wait", seconds: 11 },
          { type: "drag", start_x: 0, start_y: 0, to_x: 1, to_y: 1, duration: 5 },
        ],
      },
      ["actions", 1, "duration"],
    ],
    [{ actions: [{ type: "wait", seconds: 11 }], screenshot: true, settle_ms: 5_000 }, ["settle_ms"]],
    [{ actions: [{ type: "wait", seconds: 1 }], settle_ms: 5_001 }, ["settle_ms"]],
    [{ actions: Array(2).fill({ type: "type", text: "x".repeat(2_501) }) }, ["actions", 1, "text"]],
  ])("refuses %j", async (body, loc) => {
    const { batch, sent } = await setUp(batches);
    const { status, body: error } = await batch(body);
    expect([status, error.detail[0]?.loc, sent()]).toEqual([422, ["body", ...loc], []]);
  });

  it("takes what is just short enough", async () => {
    const { batch, channel } = await setUp(batches);
    const actions = [
      { type: "wait", seconds: 10 },
      { type: "type", text: "x".repeat(5_000) },
    ];
    channel.willAnswer(answered(200, { results: actions.map(() => ({ status: "done" })) }));
    expect((await batch({ actions, settle_ms: 5_000 })).status).toBe(200);
  });

  it("that holds a key is refused, as a whole, for a driver that cannot", async () => {
    const { batch, sent } = await setUp(batches);
    const actions = [
      { type: "move", x: 1, y: 1 },
      { type: "key", text: "ctrl", down: true },
    ];
    const { status, body } = await batch({ actions });
    expect([status, body.error_code, sent()]).toEqual([409, "not_supported_by_driver", []]);
  });
});

describe("a batch for a driver that knows none", () => {
  const actions = [
    { type: "click", x: 1, y: 2, target: "the field" },
    { type: "wait", seconds: 2 },
    { type: "copy_to_clipboard", text: "copied" },
  ];

  it("is done one by one, and looked at after", async () => {
    const { batch, sent, channel, stores } = await setUp([]);
    const startedMs = stores.clock.now();
    channel.willAnswer(done, answered(200, { copied: "4711" }), shown(pngOf(64, 48)));
    const { status, body } = await batch({ actions, screenshot: true, settle_ms: 100 });
    expect([status, body]).toEqual([
      200,
      {
        results: [
          { type: "click", status: "done" },
          { type: "wait", status: "done" },
          { type: "copy_to_clipboard", status: "done", answer: { copied: "4711" } },
        ],
        screenshot: { width: 64, height: 48, settled: false, png: pngOf(64, 48).toString("base64") },
      },
    ]);
    expect(sent()).toEqual([
      ["input/mouse/click", { x: 1, y: 2, button: "left", clicks: 1 }],
      ["copy_to_clipboard", { text: "copied" }],
      ["display/screenshot", undefined],
    ]);
    expect(stores.clock.now() - startedMs).toBeGreaterThanOrEqual(2_000);
    expect(channel.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([25_000, 23_000, 23_000]);
  });

  it("stops at the first that the desktop refuses, and shows the screen all the same", async () => {
    const { batch, channel } = await setUp(["screenshot_settle"]);
    channel.willAnswer(done, refused("(9, 9) is outside"), shown(pngOf(64, 48), "true"));
    const move = { type: "move", x: 9, y: 9 };
    const { status, body } = await batch({ actions: [move, move, move], screenshot: true, settle_ms: 100 });
    expect(status).toBe(200);
    expect(body.results).toEqual([
      { type: "move", status: "done" },
      { type: "move", status: "failed", error: "(9, 9) is outside" },
      { type: "move", status: "skipped" },
    ]);
    expect(body.screenshot).toMatchObject({ settled: true });
  });

  it("says what was done when the screen cannot be had", async () => {
    const { batch, channel } = await setUp([]);
    channel.willAnswer(done, answered(500, { error: "no display" }));
    const { body } = await batch({ actions: [{ type: "move", x: 1, y: 1 }], screenshot: true });
    expect(body).toEqual({ results: [{ type: "move", status: "done" }], screenshot: null });
  });

  it("is refused as a whole while nothing has been done, and a result after that", async () => {
    const { batch, channel } = await setUp([]);
    const move = { type: "move", x: 1, y: 1 };
    channel.willAnswer(answered(429, {}));
    expect((await batch({ actions: [move, move] })).body.error_code).toBe("driver_busy");
    channel.willAnswer(done, answered(429, {}));
    const { status, body } = await batch({ actions: [move, move] });
    expect([status, body.results[1]?.status]).toEqual([200, "failed"]);
  });

  it("says of an action that the driver does not know that it failed", async () => {
    const { batch, channel } = await setUp([]);
    channel.willAnswer(answered(404, { error: "no such path" }));
    const { status, body } = await batch({ actions: [{ type: "move", x: 1, y: 1 }] });
    expect([status, body.results]).toEqual([
      200,
      [{ type: "move", status: "failed", error: "no such path" }],
    ]);
  });

  it("asks, when it is retried in doubt, what became of each action, and does nothing", async () => {
    const { batch, channel } = await setUp([]);
    const move = { type: "move", x: 1, y: 1 };
    const body = { actions: [move, move, { type: "wait", seconds: 5 }, move] };
    channel.willAnswer(done, { kind: "timeout" });
    expect((await batch(body, "k")).body.error_code).toBe("driver_timeout");
    channel.willAnswer(done, done, answered(409, { error: "unknown", code: "unknown_action" }));
    const { status, body: found } = await batch(body, "k");
    expect([status, found.results.map(({ status }) => status)]).toEqual([
      200,
      ["done", "done", "done", "failed"],
    ]);
    const ids = channel.requests.map(({ actionId }) => actionId);
    expect(ids.slice(0, 2)).toEqual(ids.slice(2, 4));
    expect(new Set(ids).size).toBe(3);
    expect(channel.requests.map(({ repeat }) => repeat)).toEqual([false, false, true, true, true]);
    expect((await batch(body, "k")).headers.get("idempotency-status")).toBe("replayed");
    expect(channel.requests).toHaveLength(5);
  });

  it("keeps a large answer in the bucket, for a retry too", async () => {
    const { batch, channel, stores } = await setUp([]);
    channel.willAnswer(done, shown(pngOf(64, 48, 90_000)));
    const body = { actions: [{ type: "move", x: 1, y: 1 }], screenshot: true };
    const first = await batch(body, "k");
    expect(first.body.screenshot.png).toBe(pngOf(64, 48, 90_000).toString("base64"));
    expect((await batch(body, "k")).body).toEqual(first.body);
    expect([channel.requests.length, stores.files.keys().length]).toEqual([2, 1]);
  });
});
