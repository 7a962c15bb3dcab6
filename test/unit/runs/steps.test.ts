import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import { RunResponse } from "../../../shared/contract/run/run.ts";
import { RunStepList } from "../../../shared/contract/run/run-step.ts";
import { downloadBytesMax } from "../../../shared/domain/download-file.ts";
import { noTrail } from "../../../shared/domain/execution/step/trail.ts";
import type { RunStep } from "../../../shared/domain/run-step/run-step.ts";
import { stepItem } from "../../../shared/storage/execution/execution-item.ts";
import { aStep } from "../../support/builders/steps.ts";
import { setUpRuns } from "./run-service.ts";

async function setUp() {
  const service = await setUpRuns();
  const { ask, stores, organizationId } = service;
  const machine = await service.putMachine();
  const run = await service.putRun({ executor: "service", machineId: machine.id, status: "running" });
  const record = async (fields: Partial<RunStep> = {}) => {
    expect(await stores.executions.recordStep(aStep(run, fields))).toBe(true);
  };
  const list = async (query = "") => {
    const response = await ask("GET", `/v1/runs/${run.id}/steps${query}`);
    expect(response.status).toBe(200);
    return RunStepList.parse(await response.json());
  };
  const expected = (index: number, runId = run.id) => ask("GET", `/v1/runs/${runId}/steps/${index}/expected`);
  const picture = (index: number | string, runId = run.id) =>
    ask("GET", `/v1/runs/${runId}/steps/${index}/screenshot`);
  const get = async (id = run.id) => RunResponse.parse(await (await ask("GET", `/v1/runs/${id}`)).json());
  /** @returns its key. */
  const keep = async (bytes: Uint8Array) => {
    const key = stores.files.stepKey(organizationId, run.id, v7());
    await stores.files.put(key, bytes, "image/png");
    return key;
  };
  return { ...service, run, record, list, picture, expected, get, keep };
}

const refusal = async (response: Response) => {
  const { error_code: code, message } = ErrorBody.parse(await response.json());
  return [response.status, code, message];
};

it("lists a run's steps with every field, oldest first", async () => {
  const { record, list } = await setUp();
  await record();
  await record({
    index: 2,
    source: "service",
    action: { type: "screenshot" },
    match: null,
    durationMs: null,
    status: "failed",
    error: "refused",
    screenshot: { width: 4, height: 3 },
    pictureKey: "a",
  });
  const nothing = {
    text: null,
    error: null,
    match: null,
    expected: null,
    screenshot: null,
    model: null,
    usage: null,
  };
  const at = "2026-01-15T12:00:01.000Z";
  expect(await list()).toEqual({
    items: [
      {
        ...nothing,
        index: 1,
        attempt: 1,
        source: "replay",
        status: "done",
        started_at: at,
        duration_ms: 240,
        action: { type: "click", x: 10, y: 20, target: "the button Save" },
        match: {
          score: 0.99,
          second_best: 0.4,
          moved_by: { dx: 3, dy: -2 },
          waited_ms: 120,
          reason: null,
        },
      },
      {
        ...nothing,
        index: 2,
        attempt: 1,
        source: "service",
        status: "failed",
        started_at: at,
        duration_ms: null,
        action: { type: "screenshot" },
        error: "refused",
        screenshot: { width: 4, height: 3 },
      },
    ],
    total: 2,
    skip: 0,
    limit: 100,
    summary: "1 step done",
    is_safe_to_retry: null,
    run: null,
  });
  expect(await list("?skip=1&limit=1")).toMatchObject({ items: [{ index: 2 }], total: 2, skip: 1 });
});

it("answers a step's picture as it was kept, or a link to a large one", async () => {
  const { record, picture, keep } = await setUp();
  const screenshot = { width: 2, height: 2 };
  const [small, large] = [Uint8Array.from([1, 2, 3]), new Uint8Array(downloadBytesMax + 1)];
  await record({ screenshot, pictureKey: await keep(small) });
  await record({ index: 2, screenshot, pictureKey: await keep(large) });
  const answer = await picture(1);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(small);
  const link = await picture(2);
  expect([link.status, link.headers.get("location")]).toEqual([307, expect.stringContaining("/steps/")]);
});

it("says why there is no picture", async () => {
  const { record, picture, keep } = await setUp();
  const pictureKey = await keep(Uint8Array.from([1]));
  await record({ status: "sending", pictureKey });
  await record({ index: 2, pictureKey });
  await record({ index: 3, screenshot: { width: 1, height: 1 }, pictureKey: `${pictureKey}-gone` });
  expect(await refusal(await picture(1))).toEqual([404, "not_found", expect.stringContaining("yet")]);
  expect(await refusal(await picture(2))).toEqual([404, "not_found", expect.stringContaining("keeps none")]);
  expect(await refusal(await picture(3))).toEqual([404, "not_found", expect.stringContaining("expired")]);
  expect(await refusal(await picture(4))).toEqual([404, "not_found", expect.stringContaining("no step 4")]);
  expect((await picture(0)).status).toBe(422);
  expect((await picture("first")).status).toBe(422);
});

it.each<[string, Partial<RunStep>, string | null]>([
  ["was done", {}, null],
  ["is on its way", { status: "sending" }, null],
  ["was refused", { status: "failed", error: "refused" }, "not_done"],
  ["typed nothing, since its input is empty", { status: "skipped" }, "not_done"],
  ["was sent by a function that ended", { status: "unknown" }, "outcome_unknown"],
])("says of a step that was found and %s why it was not done", async (_, fields, reason) => {
  const { record, list } = await setUp();
  await record(fields);
  expect((await list()).items[0]?.match).toMatchObject({ score: 0.99, reason });
});

describe("the recorded piece that a step looked for", () => {
  const piece = (png: string) => ({ x: 0, y: 0, width: 2, height: 2, png });
  const pngOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString("base64");
  const click = { action: { type: "click", x: 1, y: 1 }, anchor: piece("AAAA"), guard: piece("DDDD") };
  const key = { action: { type: "key", text: "a" } };
  const elements = [click, { ...key, guard: piece("BBBB") }, key, { action: { type: "wait", seconds: 1 } }];
  const ofElement = (element: number | null) => ({ trail: { ...noTrail, element } });

  async function withPlan() {
    const service = await setUp();
    const { run, record, stores, organizationId } = service;
    const key = stores.files.stepKey(organizationId, run.id, `${run.assignmentId}-plan`);
    const reset = [{ ...click, anchor: piece("CCCC") }];
    const plan = { trajectory: { elements, reset, expect: [piece("EEEE"), piece("FFFF")] } };
    await stores.files.put(key, new TextEncoder().encode(JSON.stringify(plan)), "application/json");
    for (const element of [0, 1, 2]) await record({ index: element + 1, ...ofElement(element) });
    await record({ index: 4, source: "reset", trail: { ...noTrail, reset: 0 } });
    await record({ index: 5, match: null, ...ofElement(3) });
    await record({ index: 6, source: "model" });
    const differs = {
      score: 1,
      secondBest: 0,
      movedBy: { dx: 0, dy: 0 },
      waitedMs: 0,
      reason: "point_differs",
    };
    for (const element of [0, 2]) {
      await record({ index: element + 7, match: differs, status: "failed", ...ofElement(element) });
    }
    await record({ index: 8, match: null, status: "failed", trail: { ...noTrail, element: 4, missed: 1 } });
    return { ...service, key };
  }

  it("is its anchor, or what keys wait for, as the run's plan has it", async () => {
    const { run, list, expected } = await withPlan();
    const paths = (await list()).items.map((item) => item.expected);
    const path = (index: number) => `/v1/runs/${run.id}/steps/${index}/expected`;
    const looked = [1, 2, 3, 4, 7, 8, 9];
    expect(paths).toEqual([...[1, 2, 3, 4].map(path), null, null, ...[7, 8, 9].map(path)]);
    const answers = await Promise.all(looked.map((index) => expected(index)));
    expect(answers.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual(
      looked.map(() => [200, "image/png"]),
    );
    const places = answers.map(({ headers }) => [headers.get("x-piece-left"), headers.get("x-piece-top")]);
    expect(new Set(places.flat())).not.toContain(null);
    const found = ["AAAA", "BBBB", "AAAA", "CCCC"];
    expect(await Promise.all(answers.map(pngOf))).toEqual([...found, "DDDD", "FFFF", "DDDD"]);
  });

  it("is 404 that says what is not there", async () => {
    const { expected, files, key } = await withPlan().then((made) => ({ ...made, files: made.stores.files }));
    for (const index of [5, 6]) {
      expect(await refusal(await expected(index))).toEqual([
        ...[404, "not_found", `step ${index} looked for no piece of a recorded screen`],
      ]);
    }
    expect(await refusal(await expected(10))).toEqual([
      404,
      "not_found",
      expect.stringContaining("no step 10"),
    ]);
    expect(await refusal(await expected(1, v7()))).toEqual([
      ...[404, "not_found"],
      expect.stringContaining("there is no run"),
    ]);
    await files.remove(key);
    expect(await refusal(await expected(1))).toEqual([404, "not_found", expect.stringContaining("expired")]);
    expect((await expected(0)).status).toBe(422);
  });
});

it("shows how far the service is with a run, from the last step of this attempt", async () => {
  const { record, run, get, putRun, putMachine, stores } = await setUp();
  expect((await get()).progress).toBeNull();
  await stores.table.put(stepItem(aStep(run, { assignmentId: v7() })));
  expect((await get()).progress).toBeNull();
  await record({ index: 2, inAttempt: { step: 1, of: 40 }, action: { type: "key", text: "Return" } });
  expect((await get()).progress).toEqual({
    step: 1,
    of: 40,
    last_action: "key",
    at: "2026-01-15T12:00:01.000Z",
  });
  await record({ index: 3, inAttempt: { step: 2, of: 40, ofElements: true }, status: "sending" });
  expect((await get()).progress).toMatchObject({ step: 2, last_action: "click the button Save" });
  const { id: machineId } = await putMachine();
  const workers = await putRun({ executor: "worker", machineId, status: "running" });
  expect((await get(workers.id)).progress).toBeNull();
});
