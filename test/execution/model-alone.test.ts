import { describe, expect, it } from "vitest";
import { outcomeOfModel } from "../../shared/domain/plan/outcome-of-model.ts";
import { noOverrides } from "../../shared/domain/run/run-overrides.ts";
import type {
  TrajectoryCheck,
  TrajectoryElement,
} from "../../shared/domain/trajectory/trajectory-element.ts";
import { aRun } from "../support/builders/entities.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { type ExecutionWorldOptions, executionWorld } from "../support/execution/execution-world.ts";
import { byLooking, type Decide, picturesOf, replyWith, sentIn } from "../support/execution/fake-models.ts";

const demo = demoRecording();
const mainPrompt =
  "Make an order for {customer}: {quantity} of {item}, with the PIN {$pin}. Put out the order's number.";
const recorded = { customer: "Daniel Weiß", item: "Chair", quantity: 2 };
const success = { kind: "ended", status: "success" };

const finishing: Decide = () => replyWith([{ type: "finish" }]);

async function runOf(decide: Decide, options: Partial<ExecutionWorldOptions>) {
  const world = await executionWorld({
    recording: demo,
    workflow: { mainPrompt },
    original: recorded,
    inputs: recorded,
    model: { decide, hasTrajectory: true },
    ...options,
  });
  return { world, executed: await world.execute(), run: await world.find() };
}

const isNotSeen = { status: "error", errorCode: "outcome_not_seen" };

describe("a model that has the whole run, of a workflow with a main trajectory", () => {
  const inputs = { ...recorded, customer: "Chloé Laurent" };
  const checks = [{ kind: "file", path: "~/Transfers/{customer}.csv" }] as const;

  it("is held to the trajectory's checks where an input keeps it from being replayed, told once", async () => {
    const { world, run } = await runOf(finishing, { inputs, recording: { ...demo, checks } });
    expect(run).toMatchObject(isNotSeen);
    expect(run?.error[0]).toContain("the file ~/Transfers/Chloé Laurent.csv is not there");
    expect(world.driver.screen.desk.orders).toEqual([]);
    expect(world.requests).toHaveLength(2);
    const told = world.requests[1]?.turns.at(-1);
    expect(told && picturesOf(told)).toHaveLength(1);
    expect(sentIn(world.requests)).toContain("the task is not done: the file");
  });

  it("is not held to the last recorded screen there, which may show the recording's value", async () => {
    const { world, executed } = await runOf(byLooking, { inputs });
    expect(executed).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Chloé Laurent" }]);
  });

  it("is held to the last recorded screen where a text off the screen keeps it from being replayed", async () => {
    const fromScreen = (each: TrajectoryElement): TrajectoryElement =>
      each.action.type === "type" && each.action.text === "{item}"
        ? { ...each, action: { ...each.action, text: "Chair" }, isFromScreen: true }
        : each;
    const recording = { ...demo, elements: demo.elements.map(fromScreen) };
    const original = { quantity: 2 };
    const { run } = await runOf(finishing, { recording, original, inputs: { ...recorded, quantity: 3 } });
    expect(run).toMatchObject(isNotSeen);
    expect(run?.error[0]).toContain("part 1 of 2 of the last recorded screen");
  });

  it("is held to both where nothing is ever replayed", async () => {
    const workflow = { mainPrompt, replay: "never" } as const;
    const nothing = await runOf(finishing, { workflow });
    expect(nothing.run).toMatchObject(isNotSeen);
    expect(nothing.world.driver.screen.desk.orders).toEqual([]);
    const done = await runOf(byLooking, { workflow });
    expect(done.executed).toEqual(success);
    expect(done.world.driver.screen.desk.orders).toHaveLength(1);
    expect(done.run?.usageMetadata).toMatchObject({ replayed_steps: 0 });
  });

  it("is not held to a screen that was recorded on another display, nor to a trajectory that cannot be read", async () => {
    const workflow = { mainPrompt, replay: "never" } as const;
    for (const recording of [
      { ...demo, dimensions: { width: 640, height: 480 } },
      { ...demo, elements: [] },
    ]) {
      expect((await runOf(byLooking, { workflow, recording })).executed).toEqual(success);
    }
  });
});

describe("what a model's end is judged by", () => {
  const judged = (checks: readonly TrajectoryCheck[], fields: Parameters<typeof aRun>[0] = {}) => {
    const run = aRun({ inputValues: { item: "Chair" }, ...fields });
    const outcome = outcomeOfModel(
      { elements: [], expect: demo.expect, checks, dimensions: null },
      { originalInputValues: null },
      run,
      ["exports"],
    );
    return { checks: outcome.checks, pieces: outcome.expect.length };
  };

  it("are the checks that can be told with the run's values", () => {
    const held: readonly TrajectoryCheck[] = [
      { kind: "file", path: "{exports}/{item}.csv" },
      { kind: "sentence", text: "{item} is in the list" },
    ];
    const unknown: readonly TrajectoryCheck[] = [
      { kind: "file", path: "{number}.csv" },
      { kind: "sentence", text: "the order {number} is in the list" },
    ];
    expect(judged([...unknown, ...held])).toEqual({ checks: held, pieces: demo.expect.length });
  });

  it("is nothing of the trajectory where the run has a prompt of its own", () => {
    const overrides = { ...noOverrides, mainPrompt: { kind: "inline", value: "Do that." } } as const;
    expect(judged([{ kind: "file", path: "a.csv" }], { overrides })).toEqual({ checks: [], pieces: 0 });
  });
});
