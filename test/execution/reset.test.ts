import { describe, expect, it } from "vitest";
import type { DeskInput } from "../../infra/demo-desk/desk-options.ts";
import type { Point } from "../../shared/domain/picture/picture.ts";
import type { TrajectoryElement } from "../../shared/domain/trajectory/trajectory-element.ts";
import { returningRecording } from "../support/execution/demo-recording.ts";
import type { DeskProcess } from "../support/execution/driver-process.ts";
import {
  type ExecutionWorld,
  type ExecutionWorldOptions,
  executionWorld,
} from "../support/execution/execution-world.ts";
import { byLooking, failedWith, replyWith } from "../support/execution/fake-models.ts";
import { eachKind, KillSwitch } from "../support/execution/kill-switch.ts";
import type { Recording } from "../support/execution/record-demo.ts";
import { recordingByModel } from "../support/execution/recorded-by-model.ts";
import { FakeClock } from "../support/fakes/fake-clock.ts";

const recording = returningRecording();
const { reset = [] } = recording;
const [close, taskBar] = reset;

const left: DeskInput = { open: true };

const resetSteps = async (world: ExecutionWorld) =>
  (await world.steps()).filter(({ source }) => source === "reset");

/** A single click selects it, and it looks different then. */
const icon = { x: 68, y: 66 };

function press({ screen }: DeskProcess, at: Point): void {
  screen.desk.move(at);
  screen.desk.button("left", true);
  screen.desk.button("left", false);
}

describe("a replay whose first screen is not seen", () => {
  it("does the elements of its reset whose screens are seen until it is, and counts none of them", async () => {
    const workflow = { maxSteps: recording.elements.length };
    const world = await executionWorld({ recording, desk: left, workflow });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(world.driver.screen.desk.orders).toHaveLength(1);
    const [first, ...others] = await world.steps();
    expect(first).toMatchObject({
      index: 1,
      source: "reset",
      status: "done",
      action: close?.action,
      match: { reason: null, waitedMs: expect.any(Number) },
    });
    expect(others.map(({ source }) => source)).not.toContain("reset");
    expect((await world.find())?.usageMetadata).toMatchObject({ replayed_steps: 12, repaired_steps: 0 });
  });

  it("closes what somebody opened after the demo, whose last click left the pointer on the button", async () => {
    const world = await executionWorld({ recording, desk: left });
    world.driver.screen.desk.move({ x: 1_057, y: 87 });
    await world.execute();
    expect((await world.find())?.error).toEqual([]);
    expect((await resetSteps(world)).map(({ action }) => action.target)).toEqual([close?.action.target]);
  });

  it("leaves out what is not needed", async () => {
    const world = await executionWorld({ recording });
    press(world.driver, icon);
    await world.execute();
    expect((await world.find())?.error).toEqual([]);
    expect((await resetSteps(world)).map(({ action }) => action.target)).toEqual([taskBar?.action.target]);
  });

  it("does nothing where it is there", async () => {
    const world = await executionWorld({ recording });
    await world.execute();
    expect(await resetSteps(world)).toEqual([]);
  });

  it.each([
    ["1.5 s", 1_500, []],
    ["4 s", 4_000, [taskBar?.action.target]],
  ])("waits 2 s for it: it is there after %s", async (_, afterMs, targets) => {
    const clock = new FakeClock(Date.now());
    const fromMs = clock.now();
    let isThere = false;
    const world = await executionWorld({
      recording,
      clock,
      between: async (request, driver) => {
        if (!isThere && clock.now() - fromMs >= afterMs) {
          isThere = true;
          press(driver, { x: 640, y: 782 });
        }
        return await driver.request(request);
      },
    });
    press(world.driver, icon);
    await world.execute();
    expect((await world.find())?.error).toEqual([]);
    expect((await resetSteps(world)).map(({ action }) => action.target)).toEqual(targets);
    const [first] = await world.steps();
    const waitedMs = Date.parse(first?.startedAt ?? "") - fromMs;
    expect(waitedMs).toBeGreaterThan(targets.length === 0 ? 1_400 : 1_900);
    expect(waitedMs).toBeLessThan(targets.length === 0 ? 2_100 : 3_400);
  });

  it("ends as ever where none of them helps", async () => {
    const world = await executionWorld({ recording, desk: { theme: "dark" } });
    const beganMs = world.clock.now();
    await world.execute();
    // It is known that nothing comes, whatever is waited for.
    expect(world.clock.now() - beganMs).toBeLessThan(4_500);
    expect(await world.find()).toMatchObject({
      status: "error",
      errorCode: "start_not_reached",
      error: [
        expect.stringMatching(/^the first recorded screen was not reached, and nothing was done: step 1 /),
        expect.anything(),
      ],
    });
    expect(world.driver.done).toEqual([]);
  });

  it("goes on where the desktop refuses one of them, which no model repairs", async () => {
    const outside = { type: "click", x: 30_000, y: 782, target: "nothing" } as const;
    const refused = { ...recording, reset: [{ ...close, action: outside }, close] } as Recording;
    const model = { decide: () => failedWith("unavailable"), hasTrajectory: true } as const;
    const world = await executionWorld({ recording: refused, desk: left, model });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(await resetSteps(world)).toMatchObject([
      { status: "failed", action: outside },
      { status: "done" },
    ]);
    expect(world.requests).toEqual([]);
  });

  it("does each of them once, wherever it is killed", async () => {
    const counted = new KillSwitch();
    const whole = await executionWorld({ recording, desk: left, kills: counted });
    await whole.execute();
    const from = counted.points.findIndex(({ name }) => name === "desktop /computer/batch");
    for (const { number, when } of eachKind(counted.points.slice(from - 2, from + 14))) {
      const world = await executionWorld({ recording, desk: left, kills: KillSwitch.at({ number, when }) });
      expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
      expect(world.driver.done.map(({ body }) => body)).toEqual(whole.driver.done.map(({ body }) => body));
    }
  });

  it("goes by what is seen where nobody knows whether one of them was done", async () => {
    const counted = new KillSwitch();
    await (await executionWorld({ recording, desk: left, kills: counted })).execute();
    const sent = counted.points.filter(({ name }) => name === "desktop /computer/batch").slice(0, 4);
    for (const { number, when } of sent) {
      const world = await executionWorld({ recording, desk: left, kills: KillSwitch.at({ number, when }) });
      const onKill = () => world.driver.restart();
      expect(await world.execute({ resumeAfterMs: 660_000, onKill })).toEqual({
        kind: "ended",
        status: "success",
      });
      expect(world.driver.screen.desk.orders).toHaveLength(1);
    }
  });
});

/** As if its window had not been closed. */
const staysOpen: Recording = {
  ...recording,
  elements: recording.elements.filter(({ action }) => action.target !== close?.action.target),
  expect: [],
};

describe("a run whose workflow leaves the desktop as it began", () => {
  const workflow = { leave: "reset" } as const;
  const isOpen = ({ driver }: ExecutionWorld) => driver.screen.desk.boundsOf("close") !== undefined;

  it("is led back after a success, which stays what it is", async () => {
    const world = await executionWorld({ recording: staysOpen, workflow });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const [order] = world.driver.screen.desk.orders;
    expect(await world.find()).toMatchObject({
      outputData: { value: { order_number: String(order?.number) } },
      usageMetadata: { replayed_steps: 11 },
    });
    expect((await world.steps()).map(({ source }) => source).slice(-2)).toEqual(["replay", "reset"]);
    expect(isOpen(world)).toBe(false);
    const asIs = await executionWorld({ recording: staysOpen });
    await asIs.execute();
    expect(isOpen(asIs)).toBe(true);
  });

  it("is led back after an error, whose last picture is from before", async () => {
    const desk: DeskInput = { save: "disabled" };
    const end = async (given: object) => {
      const world = await executionWorld({ recording, desk, timeoutMs: 1_500, ...given });
      await world.execute();
      return { world, run: await world.find() };
    };
    const asIs = await end({});
    const led = await end({ workflow });
    expect(asIs.run?.errorCode).toBe("replay_diverged");
    expect([led.run?.errorCode, led.run?.error]).toEqual([asIs.run?.errorCode, asIs.run?.error]);
    expect([isOpen(asIs.world), isOpen(led.world)]).toEqual([true, false]);
  });

  it("is led back also once its time is over, in time of its own", async () => {
    const limits = { maxDurationSeconds: 12 };
    const world = await executionWorld({
      recording,
      desk: { save: "disabled" },
      timeoutMs: 20_000,
      workflow: { ...workflow, ...limits },
    });
    const beganMs = world.clock.now();
    await world.execute();
    expect((await world.find())?.errorCode).toBe("limit_reached");
    expect((await resetSteps(world)).map(({ status }) => status)).toEqual(["done"]);
    expect(isOpen(world)).toBe(false);
    expect(world.clock.now() - beganMs).toBeLessThan(20_000);
  });

  it("does nothing more where the first screen is there, or was never reached", async () => {
    const there = await executionWorld({ recording, workflow });
    expect(await there.execute()).toEqual({ kind: "ended", status: "success" });
    expect(await resetSteps(there)).toEqual([]);
    const never = await executionWorld({ recording, workflow, desk: { theme: "dark" } });
    await never.execute();
    expect((await never.find())?.errorCode).toBe("start_not_reached");
  });

  const mainPrompt =
    "Make an order for {customer}: {quantity} of {item}, with the PIN {$pin}. Put out the order's number.";
  const inputs = { customer: "Chloé Laurent", item: "Chair", quantity: 2 };

  it.each([
    ["because nothing is ever replayed", { replay: "never" }, inputs],
    ["because of an input", {}, { ...inputs, customer: "Daniel Weiß" }],
  ] as const)("is led back after a model did all of it %s", async (_, more, original) => {
    const options = { recording: { ...staysOpen, reset }, inputs, original };
    const model = { decide: byLooking, hasTrajectory: true } as const;
    const world = await executionWorld({ ...options, model, workflow: { ...workflow, ...more, mainPrompt } });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Chloé Laurent" }]);
    expect((await resetSteps(world)).map(({ action }) => action.target)).toEqual([close?.action.target]);
    expect(isOpen(world)).toBe(false);
    expect((await recordingByModel(world)).reset).toEqual([]);
  });

  it("ends as it would have where the reset names what a model's run was not given", async () => {
    const unknown = { ...close, action: { type: "type", text: "{nobody}" } } as TrajectoryElement;
    const model = { decide: () => replyWith([{ type: "finish" }]), hasTrajectory: true } as const;
    const world = await executionWorld({
      recording: { ...staysOpen, reset: [unknown, ...reset] },
      model,
      workflow: { ...workflow, replay: "never" },
    });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(await resetSteps(world)).toEqual([]);
  });

  it("ends as it would have where nothing leads back in time, or the desktop is gone", async () => {
    let isSlow = false;
    const between: ExecutionWorldOptions["between"] = async (request, driver) => {
      if (isSlow) return { kind: "not_delivered" };
      const response = await driver.request(request);
      isSlow = driver.screen.desk.orders.length > 0 && driver.screen.desk.clipboard !== "";
      return response;
    };
    const world = await executionWorld({ recording: staysOpen, workflow, between });
    const beganMs = world.clock.now();
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(world.clock.now() - beganMs).toBeLessThan(120_000);
  });

  it("ends as it would have wherever it is killed meanwhile, each action once", async () => {
    const counted = new KillSwitch();
    const whole = await executionWorld({ recording: staysOpen, workflow, kills: counted });
    await whole.execute();
    const from = counted.points.findIndex(({ name }) => name === "checkpoint step 12");
    for (const { number, when } of eachKind(counted.points.slice(from, from + 14))) {
      const world = await executionWorld({
        recording: staysOpen,
        workflow,
        kills: KillSwitch.at({ number, when }),
      });
      expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
      expect(world.driver.done).toHaveLength(whole.driver.done.length);
      expect(isOpen(world)).toBe(false);
    }
  });
});

describe("a verification of a trajectory that ends elsewhere than it begins", () => {
  it("is led back by its reset", async () => {
    const originalInputValues = { item: "Desk", quantity: 1 };
    const world = await executionWorld({ recording: staysOpen, verifies: { originalInputValues } });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(world.driver.screen.desk.orders).toHaveLength(2);
    expect(await resetSteps(world)).toHaveLength(1);
  });
});
