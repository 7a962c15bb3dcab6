import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { SecretValues } from "../../../shared/domain/secret-store.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { runSecretKey } from "../../../shared/storage/table/keys.ts";
import { aPng } from "../../support/pictures/a-png.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { createTestService, sending } from "../../support/shared/test-service.ts";

const connection = { id: v7(), websocketId: "socket", host: "host" };
const png = aPng({ width: 3, height: 2, bytes: Array.from({ length: 18 }, () => 7) });
const done = answered(200, {});

interface Options {
  readonly run?: Partial<Run>;
  readonly secrets?: SecretValues;
  readonly workflow?: Partial<Workflow>;
}

async function setUp({ run: fields = {}, secrets = {}, workflow: settings = {} }: Options = {}) {
  const service = await createTestService();
  const { stores, organizationId, channel } = service;
  const app = createComputerApp(service.deps);
  const machine = await service.putMachine({ connection, capabilities: ["computer/batch", "open_program"] });
  const workflow = await stores.put.workflow({ organizationId, ...settings });
  const sensitiveAliases = Object.keys(secrets);
  const run = await stores.put.run(
    {
      organizationId,
      workflowId: workflow.id,
      machineId: machine.id,
      status: "running",
      sensitiveAliases,
      secretId: sensitiveAliases.length === 0 ? null : v7(),
      ...fields,
    },
    secrets,
  );
  const send = sending(app, service.authorize({ scopes: ["worker"] }), `/v1/computer/${machine.id}/`);
  const act = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    await send("POST", path, body, { "assignment-id": run.assignmentId ?? "", ...headers });
  const steps = async () => {
    const { items } = await stores.executions.listSteps(organizationId, run.id, { skip: 0, limit: 100 });
    return items.map(({ index, action, status }) => [index, action, status]);
  };
  return { ...service, run, act, steps, channel };
}

describe("an action under an assignment", () => {
  it("becomes a step of its run, in the words of the vocabulary", async () => {
    const { act, steps, channel, stores, run, organizationId } = await setUp();
    channel.willAnswer(
      done,
      done,
      answered(200, { was_open: true, is_shown: true }),
      answered(200, { stdout: "", stderr: "", exit_code: 0, timeout_reached: false }),
    );
    for (const [path, body] of [
      ["input/mouse/click", { x: 1, y: 2, clicks: 2 }],
      ["input/keyboard/type", { text: "Miller" }],
      ["programs/open", { program: "Orders" }],
      ["shell/exec", { command: "ls" }],
    ] as const) {
      expect((await act(path, body)).status).toBe(200);
    }
    expect(await steps()).toEqual([
      [1, { type: "click", x: 1, y: 2, clicks: 2, button: "left" }, "done"],
      [2, { type: "type", text: "Miller" }, "done"],
      [3, { type: "open", program: "Orders", if_open: "use" }, "done"],
      [4, expect.objectContaining({ type: "shell", command: "ls" }), "done"],
    ]);
    expect(await stores.executions.findStep(organizationId, run.id, 1)).toMatchObject({
      source: "worker",
      attempt: 1,
      assignmentId: run.assignmentId,
      inAttempt: null,
      match: null,
    });
  });

  it("is refused before anything is done where the assignment is not that of the machine's run", async () => {
    const { act, steps, channel } = await setUp();
    const response = await act("input/mouse/click", {}, { "assignment-id": v7() });
    expect([response.status, ErrorBody.parse(await response.json()).error_code]).toEqual([
      ...[409, "assignment_mismatch"],
    ]);
    const service = await setUp({ run: { executor: "service" } });
    expect((await service.act("input/mouse/click", {})).status).toBe(409);
    expect([channel.requests, service.channel.requests, await steps()]).toEqual([[], [], []]);
  });

  it("is recorded as failed or unknown where the desktop refused it or nobody knows, and not where nothing was done", async () => {
    const { act, steps, channel } = await setUp();
    channel.willAnswer(answered(422, { error: "outside of the display" }), { kind: "timeout" });
    expect((await act("input/mouse/click", { x: 9, y: 9 })).status).toBe(422);
    expect((await act("input/keyboard/key", { text: "Return" })).status).toBe(504);
    expect((await steps()).map(([, , status]) => status)).toEqual(["failed", "unknown"]);
    channel.willAnswer({ kind: "not_delivered" });
    expect((await act("input/keyboard/key", { text: "Return" })).status).toBe(409);
    expect((await act("input/mouse/click", { x: "no" })).status).toBe(422);
    expect(await steps()).toHaveLength(2);
  });

  it("is recorded once under an Idempotency-Key", async () => {
    const { act, steps, channel } = await setUp();
    channel.willAnswer(done);
    const headers = { "idempotency-key": v7() };
    for (const _ of [1, 2])
      expect((await act("input/keyboard/type", { text: "a" }, headers)).status).toBe(200);
    expect(await steps()).toHaveLength(1);
  });

  it("shows a secret as its alias, whole or inside a text, and no text at all when a value is gone", async () => {
    const secrets = { password: "hunter2-hunter2", pin: "975" };
    const { act, steps, channel, run, stores, organizationId } = await setUp({ secrets });
    channel.willAnswer(done, done, done, done);
    for (const text of ["hunter2-hunter2", "975", "x hunter2-hunter2 y"])
      await act("input/keyboard/type", { text });
    expect((await steps()).map(([, action]) => action)).toEqual(
      ["{$password}", "{$pin}", "x {$password} y"].map((text) => ({ type: "type", text })),
    );
    await stores.table.delete(runSecretKey(organizationId, run.secretId ?? ""));
    await act("input/keyboard/type", { text: "hunter2-hunter2" });
    expect((await steps()).at(-1)).toEqual([4, { type: "type" }, "done"]);
  });
});

describe("a batch under an assignment", () => {
  const actions = [
    { type: "click", x: 1, y: 2, target: "the field" },
    { type: "type", text: "hunter2-hunter2" },
    { type: "key", text: "Return" },
  ];
  const results = (...statuses: readonly string[]) =>
    answered(200, {
      results: statuses.map((status, place) => ({ type: actions[place]?.type, status })),
      screenshot: { png: Buffer.from(png).toString("base64"), settled: true },
    });

  it("becomes a step for each action, with the picture at the last that was tried", async () => {
    const { act, channel, stores, run, organizationId } = await setUp();
    channel.willAnswer(results("done", "failed", "skipped"));
    expect((await act("batch", { actions, screenshot: true })).status).toBe(200);
    const { items } = await stores.executions.listSteps(organizationId, run.id, { skip: 0, limit: 9 });
    expect(items.map(({ status, screenshot }) => [status, screenshot])).toEqual([
      ["done", null],
      ["failed", { width: 3, height: 2 }],
      ["skipped", null],
    ]);
    expect(await stores.files.get(items[1]?.pictureKey ?? "", 10_000)).toEqual(new Uint8Array(png));
  });

  it.each([
    ["typed a secret", { secrets: { password: "hunter2-hunter2" } }],
    ["belongs to a workflow that keeps none", { workflow: { keepScreenshots: false } }],
  ])("keeps no picture where it %s", async (_why, options) => {
    const { act, channel, stores, steps } = await setUp(options);
    channel.willAnswer(results("done", "done", "done"));
    await act("batch", { actions, screenshot: true });
    expect(await steps()).toHaveLength(3);
    expect(stores.files.keys().filter((key) => key.startsWith("steps/"))).toEqual([]);
  });
});
