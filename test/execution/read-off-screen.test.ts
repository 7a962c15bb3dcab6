import { describe, expect, it } from "vitest";
import type { DeskInput } from "../../infra/demo-desk/desk-options.ts";
import type { Action } from "../../shared/domain/action/action.ts";
import type { TrajectoryElement } from "../../shared/domain/trajectory/trajectory-element.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import type { ExecutionWorldOptions } from "../support/execution/execution-world.ts";
import { byLooking, type Decide, FakeKeys, replyWith, sentIn } from "../support/execution/fake-models.ts";
import { eachKind, KillSwitch } from "../support/execution/kill-switch.ts";
import { recordingByModel } from "../support/execution/recorded-by-model.ts";
import { byRepairing } from "../support/execution/repair-brain.ts";
import { repairPrompt, repairWorld } from "../support/execution/repair-world.ts";

const success = { kind: "ended", status: "success" };
const demo = demoRecording();
const inputs = { item: "Chair", quantity: 3 };
const timeoutMs = 300;

/** The demo, as if its item had stood on the recorded screen. */
function recordedWith(change: (action: Action) => Action = (action) => action) {
  const elements = demo.elements.map((each): TrajectoryElement => {
    const isItem = each.action.type === "type" && each.action.text === "{item}";
    return isItem
      ? { ...each, action: { ...each.action, text: "Desk lamp" }, isFromScreen: true }
      : { ...each, action: change(each.action) };
  });
  return { ...demo, elements };
}

const replayOf = async (options: Partial<ExecutionWorldOptions> = {}) =>
  await repairWorld({ recording: recordedWith(), timeoutMs, inputs, original: inputs, ...options });

describe("a text that stood on the recorded screen", () => {
  it.each<[string, DeskInput, number]>([
    ["on a screen like the recorded one", {}, 0],
    ["on a screen that was repaired", { dialog: "open" }, 1],
  ])("is a model's, with the same inputs, too: one call %s", async (_, desk, repaired) => {
    const world = await replayOf({ desk });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Daniel Weiß", item: "Chair" }]);
    expect(sentIn(world.requests)).not.toContain("Desk lamp");
    expect(world.requests).toHaveLength(1 + repaired);
    expect((await world.find())?.usageMetadata).toMatchObject({
      agentic_steps: 1,
      repaired_steps: repaired,
    });
  });

  it("is a model's where there are no inputs at all", async () => {
    const withoutInputs = (action: Action): Action => {
      if (action.type === "finish") return { ...action, output: { order_number: "{order_number}" } };
      return action.type === "type" && action.text === "{quantity}" ? { ...action, text: "3" } : action;
    };
    const world = await replayOf({
      recording: recordedWith(withoutInputs),
      workflow: { mainPrompt: "Make an order for Daniel Weiß: 3 of Chair, with the PIN {$pin}." },
      inputs: {},
      original: {},
    });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Daniel Weiß", item: "Chair" }]);
    expect(world.requests).toHaveLength(1);
  });

  it("is typed into a field that is seen only", async () => {
    const elements = recordedWith().elements.map((each) =>
      each.isFromScreen && each.guard ? { ...each, guard: { ...each.guard, y: each.guard.y + 200 } } : each,
    );
    const world = await replayOf({ recording: { ...demo, elements } });
    await world.execute();
    const asked = (await world.steps()).filter(({ source }) => source === "replay");
    expect(asked.at(-1)).toMatchObject({ status: "failed", action: { type: "type" } });
    expect(sentIn(world.requests.slice(0, 1))).toContain("The next step, as it was recorded");
  });

  it("is looked for by the model, which goes on alone, where the screen does not show it", async () => {
    const decide: Decide = (request, nth) =>
      nth === 1
        ? replyWith([{ type: "fail", reason: "the item is not shown here" }])
        : byLooking(request, nth);
    const world = await replayOf({ model: { decide, hasTrajectory: true } });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Daniel Weiß", item: "Chair" }]);
    expect(world.requests[0]?.tools).toMatchObject({ types: ["type", "wait", "fail"] });
    const { elements } = await recordingByModel(world);
    expect(elements.some(({ isFromScreen, action }) => isFromScreen || action.type === "fail")).toBe(false);
  });

  it("is what the recording has with `only` and the same inputs", async () => {
    const workflow = { mainPrompt: repairPrompt, replay: "only" } as const;
    const world = await replayOf({ workflow });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ item: "Desk lamp" }]);
    expect(world.requests).toEqual([]);
  });

  it("ends a run with `only` and other inputs before its desktop is touched, in words without it", async () => {
    const workflow = { mainPrompt: repairPrompt, replay: "only" } as const;
    const world = await replayOf({ workflow, inputs: { ...inputs, quantity: 2 } });
    await world.execute();
    const run = await world.find();
    expect(run).toMatchObject({ status: "error", errorCode: "input_not_recorded" });
    expect(run?.error[0]).toContain("element 4 types what stood on the recorded screen");
    expect(run?.error[0]).not.toContain("Desk lamp");
    expect([world.driver.done, await world.steps()]).toEqual([[], []]);
  });

  it("leaves a run with other inputs to a model from its start", async () => {
    const world = await replayOf({ inputs: { ...inputs, quantity: 2 } });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ item: "Chair", quantity: 2 }]);
    expect((await world.find())?.usageMetadata).toMatchObject({ replayed_steps: 0 });
    expect((await world.steps())[0]?.text).toContain("element 4 types what stood on the recorded screen");
  });

  it("needs the model's key before the desktop is touched", async () => {
    const keys = new FakeKeys();
    keys.states.set("anthropic", "provider_key_missing");
    const world = await replayOf({ model: { decide: byRepairing, hasTrajectory: true, keys } });
    await world.execute();
    expect(await world.find()).toMatchObject({ errorCode: "provider_key_missing" });
    expect(world.driver.done).toEqual([]);
  });

  it("is typed once when the run is killed at each kind of call", async () => {
    const { elements } = recordedWith();
    const options: Partial<ExecutionWorldOptions> = {
      recording: { ...demo, elements: elements.slice(0, 4), expect: [] },
    };
    const whole = new KillSwitch();
    await (await replayOf({ ...options, kills: whole })).execute();
    const seen = whole.points.findIndex(({ name }) => name === "checkpoint step 3");
    for (const { number, when, name } of eachKind(whole.points.slice(seen))) {
      const world = await replayOf({ ...options, kills: KillSwitch.at({ number, when }) });
      await world.execute();
      const run = await world.find();
      expect([when, name, run?.status, world.driver.done.length]).toEqual([when, name, "success", 4]);
    }
  });
});
