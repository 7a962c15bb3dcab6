import { beforeAll, describe, expect, it } from "vitest";
import type { Action } from "../../../shared/domain/action/action.ts";
import type { JsonObject } from "../../../shared/domain/json.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { demoRecording } from "../../support/execution/demo-recording.ts";
import { executionWorld } from "../../support/execution/execution-world.ts";
import { replyWith } from "../../support/execution/fake-models.ts";
import { giveFiles } from "../../support/execution/input-files.ts";
import { plainRecording, scroll, scrolls, smallDesk } from "../../support/execution/plain-recording.ts";
import type { Recording } from "../../support/execution/record-demo.ts";

const small = { desk: smallDesk, secrets: {} } as const;

async function runOf(
  recording: Recording,
  options: { readonly workflow?: Partial<Workflow>; readonly inputs?: JsonObject } = {},
) {
  const world = await executionWorld({ recording, ...small, ...options });
  await world.executeAll();
  return { world, run: await world.find() };
}

describe("the limits of a run", () => {
  it("ends it after max_steps", async () => {
    const { world, run } = await runOf(scrolls(4), { workflow: { maxSteps: 3 } });
    expect(run).toMatchObject({ status: "error", errorCode: "limit_reached" });
    expect(world.driver.done).toHaveLength(3);
  });

  it("are never passed by its progress, whatever files it has", async () => {
    const world = await executionWorld({
      recording: scrolls(2),
      ...small,
      workflow: { maxSteps: 3 },
      between: async (request, driver) => {
        if (!request.path.startsWith("/computer/fs")) return await driver.request(request);
        const headers = { "content-type": "application/json" };
        return { kind: "answered", status: 200, headers, body: new TextEncoder().encode("{}") };
      },
    });
    const file = { content: "", isRemoved: true };
    await giveFiles(world, [
      { filename: "a.csv", ...file },
      { filename: "b.csv", ...file },
    ]);
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const steps = await world.steps();
    expect(steps.map(({ action, inAttempt }) => [action.type, inAttempt?.step, inAttempt?.of])).toEqual([
      ...[
        ["write_file", 1, 2],
        ["write_file", 1, 2],
        ["scroll", 1, 2],
        ["scroll", 2, 2],
        ["finish", 2, 2],
      ],
      ...[
        ["remove_file", 2, 2],
        ["remove_file", 2, 2],
      ],
    ]);
  });

  it("are what its progress counts to while a model acts alone", async () => {
    const world = await executionWorld({
      recording: scrolls(1),
      ...small,
      workflow: { maxSteps: 7 },
      model: { decide: (_request, nth) => replyWith([nth < 3 ? scroll : { type: "finish" }]) },
    });
    await world.execute();
    const acted = (await world.steps()).filter(({ source }) => source === "model");
    expect(acted.map(({ inAttempt }) => inAttempt?.of)).toEqual([7, 7, 7]);
  });

  it("ends it after max_duration_seconds", async () => {
    const waits = plainRecording([scroll, { type: "wait", seconds: 60 }, scroll]);
    const { world, run } = await runOf(waits, { workflow: { maxDurationSeconds: 60 } });
    expect(run).toMatchObject({ status: "error", errorCode: "limit_reached" });
    expect(world.driver.done).toHaveLength(1);
  });

  it("hands one of 500 steps on, part by part, each action once and its saved values kept", async () => {
    const actions: readonly Action[] = [
      { type: "copy_to_clipboard", save_as: "copied" },
      ...Array.from({ length: 498 }, () => scroll),
      { type: "finish", output: { copied: "{copied}" } },
    ];
    const world = await executionWorld({
      recording: plainRecording(actions),
      secrets: {},
      workflow: { maxSteps: 500 },
      desk: { size: { width: 64, height: 40 } },
    });
    expect(await world.executeAll()).toEqual({ kind: "ended", status: "success" });
    expect(await world.find()).toMatchObject({
      status: "success",
      outputData: { value: { copied: "" } },
      usageMetadata: { replayed_steps: 499 },
    });
    expect(world.driver.done).toHaveLength(499);
    const { assignmentId } = world.job;
    expect(world.started.map(({ name, payload }) => [name, payload.part])).toEqual(
      [2, 3, 4, 5].map((part) => [`${assignmentId}-${part}`, part]),
    );
  });
});

describe("an output", () => {
  it("that does not fit the workflow's schema ends the run as output_invalid", async () => {
    const outputSchema = { type: "object", properties: { count: { type: "number" } } };
    const recording = plainRecording([scroll, { type: "finish", output: { count: "{count}" } }]);
    const { run } = await runOf(recording, { workflow: { outputSchema }, inputs: { count: "many" } });
    expect(run).toMatchObject({ status: "error", errorCode: "output_invalid" });
    expect(run?.error[0]).toContain("output_data.count");
  });
});

describe("a run that cannot be carried out", () => {
  const model = {
    ...scrolls(1),
    elements: scrolls(1).elements.map((each) => ({ ...each, by: "model" as const })),
  };

  it.each<[string, string, Recording, Partial<Workflow>]>([
    ["input_missing", "an input that nobody gave", plainRecording([{ type: "type", text: "{nobody}" }]), {}],
    ["input_missing", "a secret that nobody gave", plainRecording([{ type: "type", text: "{$pin}" }]), {}],
    ["input_missing", "a prototype's name", plainRecording([{ type: "type", text: "{__proto__}" }]), {}],
    [
      "input_missing",
      "a path into nothing",
      plainRecording([{ type: "type", text: "{item.constructor}" }]),
      {},
    ],
    ["trajectory_needs_model", "an element for a model", model, {}],
    ["trajectory_needs_model", "a workflow that never replays", scrolls(1), { replay: "never" }],
    ["trajectory_invalid", "no elements", scrolls(0), {}],
  ])("ends as %s for %s, before its desktop is touched", async (errorCode, _, recording, workflow) => {
    const world = await executionWorld({ recording, ...small, workflow });
    await world.execute();
    expect(await world.find()).toMatchObject({ status: "error", errorCode });
    expect(world.kills.points.filter(({ name }) => name.startsWith("desktop"))).toEqual([]);
  });

  it("names the element, counted from 1, that nobody gave a value for", async () => {
    const typing = plainRecording([scroll, { type: "type", text: "{nobody}" }]);
    const { run } = await runOf(typing);
    expect(run?.error).toEqual([
      "element 2 names {nobody}, which nobody gave: it belongs in the run's input_values, or to its machine or pools",
    ]);
  });

  it.each([
    ["auto", /^there is nothing to replay and no model .*: approve a trajectory .* or name a model/],
    ["only", /^there is nothing to replay \(replay is only\): approve a trajectory [^,]*$/],
  ] as const)(
    "ends as trajectory_missing without a main trajectory, and says what to do (replay %s)",
    async (replay, sentence) => {
      const world = await executionWorld({ recording: scrolls(1), workflow: { replay }, ...small });
      const { organizationId, trajectory, clock, stores } = world;
      await stores.trajectories.markDeleted(
        organizationId,
        trajectory.id,
        new Date(clock.now()).toISOString(),
      );
      await world.execute();
      const run = await world.find();
      expect(run).toMatchObject({
        errorCode: "trajectory_missing",
        error: [expect.stringMatching(sentence)],
      });
      expect(world.kills.points.filter(({ name }) => name.startsWith("desktop"))).toEqual([]);
    },
  );
});

describe("what is written", () => {
  it("is at most 64 KB with its values", async () => {
    const actions = [{ type: "write_file", path: "~/Transfers/a", content: "{item}{item}" } as const];
    const { run } = await runOf(plainRecording(actions), { inputs: { item: "x".repeat(40_000) } });
    expect(run).toMatchObject({ status: "error", errorCode: "step_failed" });
    expect(run?.error[0]).toContain("more than 65536 bytes");
  });
});

describe("what is typed", () => {
  let recording: Recording;

  beforeAll(async () => {
    const demo = await demoRecording();
    recording = { ...demo, elements: demo.elements.slice(0, 4), expect: [] };
  });

  it.each([
    [
      "a text above 5,000 characters, in pieces that split no character",
      `x${"😀".repeat(3_000)}`,
      [4_999, 1_002],
    ],
    ["nothing for an empty input", "", []],
  ])("is %s", async (_, item, lengths) => {
    const world = await executionWorld({ recording, inputs: { item } });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const typed = world.driver.screen.events.flatMap((event) => ("text" in event ? [event.text] : []));
    expect(typed.map((text) => text.length)).toEqual(lengths);
    expect(typed.join("")).toBe(item);
    expect((await world.steps()).at(3)?.status).toBe(item === "" ? "skipped" : "done");
  });
});
