import { describe, expect, it } from "vitest";
import { overlap } from "../../shared/domain/picture/picture.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { type ExecutionWorldOptions, executionWorld } from "../support/execution/execution-world.ts";
import { byLooking, replyWith } from "../support/execution/fake-models.ts";
import { KillSwitch } from "../support/execution/kill-switch.ts";
import { scrolls, smallDesk } from "../support/execution/plain-recording.ts";
import { recordedByModel, recordingByModel } from "../support/execution/recorded-by-model.ts";

const mainPrompt =
  "Make an order for Daniel Weiß: {quantity} of {item}, with the PIN {$pin}. Put out the order's number.";

describe("what a model did", () => {
  it("becomes a trajectory that the next run replays with other inputs, without a model", async () => {
    const inputs = { item: "Desk lamp", quantity: 3 };
    const workflow = { mainPrompt };
    const world = await executionWorld({
      recording: demoRecording(),
      workflow,
      inputs,
      model: { decide: byLooking },
    });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const trajectory = await recordedByModel(world);
    expect(trajectory).toMatchObject({
      isGenerated: true,
      isApproved: false,
      isMain: false,
      runId: world.run.id,
      originalInputValues: inputs,
      dimensions: { width: 1280, height: 800 },
    });
    const recording = await recordingByModel(world);
    const { elements } = recording;
    expect(elements.map(({ by, action }) => [by, action.type, "text" in action ? action.text : ""])).toEqual([
      ...[["replay", "click", ""]],
      ...[["replay", "click", ""]],
      ...["{item}", "{quantity}", "{$pin}"].flatMap((text) => [
        ["replay", "click", ""],
        ["replay", "type", text],
      ]),
      ...["click", "click", "copy_to_clipboard"].map((type) => ["replay", type, ""]),
      ["replay", "finish", ""],
    ]);
    expect(elements.at(-1)?.action).toMatchObject({
      output: { order_number: "{order_number}", item: "{item}", quantity: "{quantity}" },
    });
    // What says that the order was saved, but neither its number, which was copied, nor its item in the list below.
    const { expect: shown } = recording;
    expect(shown.length).toBeGreaterThan(1);
    const own = [
      { x: 944, y: 474, width: 120, height: 32 },
      { x: 532, y: 553, width: 31, height: 12 },
      { x: 754, y: 553, width: 66, height: 12 },
      { x: 249, y: 690, width: 32, height: 12 },
    ];
    expect(shown.filter((piece) => own.some((part) => overlap(part, piece)))).toEqual([]);
    expect(shown.filter((piece) => overlap(piece, { x: 522, y: 474, width: 300, height: 32 }))).toHaveLength(
      1,
    );
    const again = await executionWorld({
      recording,
      inputs: { item: "Chair", quantity: 2 },
      desk: { seed: 7 },
    });
    await again.execute();
    expect(await again.find()).toMatchObject({ error: [], status: "success" });
    expect(again.driver.screen.desk.orders).toMatchObject([{ item: "Chair", quantity: 2 }]);
    expect(await again.find()).toMatchObject({ usageMetadata: { agentic_steps: 0, replayed_steps: 11 } });
  });

  const small: ExecutionWorldOptions = {
    recording: scrolls(1),
    desk: smallDesk,
    secrets: {},
    workflow: { mainPrompt: "Scroll." },
    model: {
      decide: (_, nth) =>
        replyWith([nth === 1 ? { type: "scroll", direction: "down", amount: 1 } : { type: "finish" }]),
    },
  };

  it("is recorded once, by an execution that is killed around its end, too", async () => {
    const whole = new KillSwitch();
    await (await executionWorld({ ...small, kills: whole })).execute();
    for (const { number, when } of whole.points.slice(-30)) {
      const world = await executionWorld({ ...small, kills: KillSwitch.at({ number, when }) });
      await world.execute();
      expect(await recordedByModel(world)).toMatchObject({ runId: world.run.id });
      expect(await world.find()).toMatchObject({ status: "success" });
    }
  });

  it("changes nothing of the run where it cannot be recorded, and is not recorded where it failed", async () => {
    const world = await executionWorld(small);
    world.deps.trajectories.create = async () => {
      throw new Error("the table is away");
    };
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const failing = await executionWorld({
      ...small,
      model: { decide: () => replyWith([{ type: "fail", reason: "no" }]) },
    });
    expect(await failing.execute()).toEqual({ kind: "ended", status: "task_failed" });
    expect(await recordedByModel(failing)).toBeUndefined();
  });
});
