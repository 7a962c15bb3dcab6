import { beforeAll, describe, expect, it } from "vitest";
import { luckOf } from "../../infra/demo-desk/desk-options.ts";
import type { Action } from "../../shared/domain/action/action.ts";
import { demoRecording, returningRecording } from "../support/execution/demo-recording.ts";
import { type ExecutionWorldOptions, executionWorld } from "../support/execution/execution-world.ts";
import { type Decide, picturesOf, replyWith, sentIn, usage } from "../support/execution/fake-models.ts";
import { eachKind, KillSwitch } from "../support/execution/kill-switch.ts";
import { plainRecording, scroll, smallDesk } from "../support/execution/plain-recording.ts";
import type { Recording } from "../support/execution/record-demo.ts";
import { contentOf, recordedByModel, recordingByModel } from "../support/execution/recorded-by-model.ts";
import { byRepairing } from "../support/execution/repair-brain.ts";
import {
  elsewhere,
  recordedElsewhere,
  repairPrompt,
  repairs,
  repairWorld,
} from "../support/execution/repair-world.ts";

const success = { kind: "ended", status: "success" };
const demo = demoRecording();
const timeoutMs = 300;

describe("a replay with a model", () => {
  it.each(repairs)(
    "goes on after one repair for %s; what is made of it needs none",
    async (_, desk, recording, counts) => {
      const world = await repairWorld({ desk, recording, timeoutMs });
      expect(await world.execute()).toEqual(success);
      expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Daniel Weiß", item: "Chair" }]);
      const [replayed, repaired] = counts;
      expect((await world.find())?.usageMetadata).toMatchObject({
        agentic_steps: 0,
        replayed_steps: replayed,
        repaired_steps: repaired,
      });
      const failed = (await world.steps()).filter(({ status }) => status === "failed");
      expect(failed.map(({ source }) => source)).toEqual(["replay"]);
      expect(sentIn(world.requests).includes("9753")).toBe(false);
      if (desk.rows === "reordered") expect(world.requests).toHaveLength(1);
      const again = await executionWorld({ recording: await recordingByModel(world), desk });
      expect(await again.execute()).toEqual(success);
    },
  );

  describe("in the way of which a dialog was", () => {
    const dialog = { dialog: "open", dimmed: true } as const;
    let closing: Recording;

    beforeAll(async () => {
      const world = await repairWorld({ desk: dialog, timeoutMs });
      await world.execute();
      closing = await recordingByModel(world);
    });

    it("closes it in each run where it is, and goes on without it where it is not", async () => {
      const closes = closing.elements.filter(({ optional }) => optional === true);
      expect(closes.map(({ action }) => action.type)).toEqual(["click"]);
      for (const [desk, status, replayed] of [
        [dialog, "done", closing.elements.length - 1],
        [{}, "skipped", closing.elements.length - 2],
      ] as const) {
        const world = await executionWorld({ recording: closing, desk });
        expect(await world.execute()).toEqual(success);
        expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Daniel Weiß", item: "Chair" }]);
        const at = closing.elements.findIndex(({ optional }) => optional);
        const steps = (await world.steps()).filter(({ trail }) => trail.element === at);
        expect(steps.map((step) => [step.status, step.error])).toEqual([[status, null]]);
        expect((await world.find())?.usageMetadata).toMatchObject({ replayed_steps: replayed });
      }
    });

    it("closes it also where the model did the step itself after it, only where it is", async () => {
      const rows = "reordered";
      const world = await repairWorld({ desk: { ...dialog, rows }, timeoutMs });
      expect(await world.execute()).toEqual(success);
      const recording = await recordingByModel(world);
      expect(
        recording.elements.filter(({ optional }) => optional).map(({ action }) => action.target),
      ).toEqual(["the button Later"]);
      for (const desk of [{ ...dialog, rows }, { rows }] as const) {
        const again = await executionWorld({ recording, desk });
        expect(await again.execute()).toEqual(success);
        expect(again.driver.screen.desk.orders).toMatchObject([{ customer: "Daniel Weiß", item: "Chair" }]);
      }
    });

    it("is no optional one where it names an input, which a model has to find in each run", async () => {
      const inputs = { item: "Chair", quantity: 2, when: "Later" };
      for (const desk of [dialog, { ...dialog, rows: "reordered" }] as const) {
        const world = await repairWorld({ desk, timeoutMs, inputs });
        expect(await world.execute()).toEqual(success);
        const { elements } = await recordingByModel(world);
        const named = elements.filter(({ action }) => action.target === "the button {when}");
        expect(named.map(({ by, optional }) => [by, optional])).toEqual([["model", undefined]]);
      }
    });

    it("waits for neither for ever: what comes after it says what is there", async () => {
      const world = await executionWorld({ recording: closing, desk: { rows: "identical" }, timeoutMs });
      expect(await world.execute()).toEqual({ kind: "ended", status: "error" });
      const { error, errorCode } = (await world.find()) ?? {};
      expect([errorCode, error?.[0]]).toEqual([
        "replay_diverged",
        expect.stringContaining("the customer Daniel Weiß is not to be seen"),
      ]);
    });

    it("is kept in what is recorded of a run that left it out", async () => {
      const elements = closing.elements.map((each, at) => (at === 9 ? elsewhere(each) : each));
      const world = await repairWorld({ recording: { ...closing, elements }, timeoutMs });
      expect(await world.execute()).toEqual(success);
      const again = await recordingByModel(world);
      expect(again.elements.map(({ optional }) => optional === true)).toEqual(
        closing.elements.map(({ optional }) => optional === true),
      );
    });

    it("is left out once, whatever call of it is the last", async () => {
      const counting = new KillSwitch();
      await (await executionWorld({ recording: closing, kills: counting })).execute();
      const names = counting.points.map(({ name }) => name);
      const at = closing.elements.findIndex(({ optional }) => optional);
      const [from, to] = [
        names.indexOf(`checkpoint step ${at + 1}`),
        names.indexOf(`checkpoint step ${at + 2}`),
      ];
      for (const { number, when } of eachKind(counting.points.slice(from - 8, to))) {
        const world = await executionWorld({ recording: closing, kills: KillSwitch.at({ number, when }) });
        expect(await world.execute()).toEqual(success);
        expect((await world.steps()).filter(({ status }) => status === "skipped")).toHaveLength(1);
        expect(world.driver.screen.desk.orders).toHaveLength(1);
      }
    });
  });

  it("records what a model did to reach the first screen as what leads back to it, and as none of the work", async () => {
    const recording = { ...demo, elements: demo.elements.slice(1) };
    const world = await repairWorld({ recording, timeoutMs });
    expect(await world.execute()).toEqual(success);
    const { elements, reset = [] } = await recordingByModel(world);
    expect(reset.map(({ action }) => action.target)).toEqual(["the icon Orders"]);
    expect(elements.map(({ action }) => action.type)).toEqual(
      recording.elements.map(({ action }) => action.type),
    );
  });

  it.each([
    ["that depends on an input", "the icon of {item}", 0],
    ["that is one too many", "the icon Orders", 20],
  ])("says of a step to the first screen %s that no reset has it", async (_, target, known) => {
    const icon = demo.elements[0]?.action;
    const filled = target.replace("{item}", "Chair");
    const decide: Decide = async (request, nth) =>
      nth === 1 ? replyWith([{ ...icon, target: filled } as Action]) : await byRepairing(request, nth);
    const [own] = returningRecording().reset ?? [];
    const reset = Array.from({ length: known }, () => own ?? demo.elements[1]) as Recording["reset"];
    const recording = { ...demo, elements: demo.elements.slice(1), reset } as Recording;
    const world = await repairWorld({ recording, timeoutMs, model: { decide, hasTrajectory: true } });
    expect(await world.execute()).toEqual(success);
    expect((await recordingByModel(world)).reset).toHaveLength(known);
    const kept = (await recordedByModel(world))?.screens;
    expect(await contentOf(world, kept ?? null)).toMatchObject({ resetLacks: 1 });
  });

  it("records the first step as work where a model did it itself, so that no replay leaves it out", async () => {
    const recording = { ...demo, elements: demo.elements.slice(1) };
    const desk = { open: true, rows: "reordered" } as const;
    const world = await repairWorld({ recording, desk, timeoutMs });
    expect(await world.execute()).toEqual(success);
    const made = await recordingByModel(world);
    expect(made.reset).toEqual([]);
    expect(made.elements[0]?.action).toMatchObject({ type: "click", target: "the customer Daniel Weiß" });
    const again = await executionWorld({ recording: made, desk: { ...desk, selected: 1 }, timeoutMs });
    await again.execute();
    expect((await again.find())?.errorCode).toBe("start_not_reached");
    expect(again.driver.screen.desk.orders).toEqual([]);
  });

  it("records what a model did in a moved window as if it had not been moved", async () => {
    const seed = 4;
    const { moved } = luckOf(seed);
    expect(Math.abs(moved.x) + Math.abs(moved.y)).toBeGreaterThan(20);
    const anchors = [0, seed].map(async (each) => {
      const world = await repairWorld({ desk: { seed: each }, recording: recordedElsewhere(8), timeoutMs });
      expect(await world.execute()).toEqual(success);
      return (await recordingByModel(world)).elements.map(({ anchor }) => anchor && [anchor.x, anchor.y]);
    });
    expect(await anchors[1]).toEqual(await anchors[0]);
  });

  it("records where a model typed after a replayed click, as large as a guard may be", async () => {
    const elements = demo.elements.map((each, at) =>
      at === 3 && each.guard ? { ...each, guard: { ...each.guard, y: each.guard.y + 200 } } : each,
    );
    const world = await repairWorld({ recording: { ...demo, elements }, timeoutMs });
    expect(await world.execute()).toEqual(success);
    const again = await executionWorld({ recording: await recordingByModel(world) });
    expect(await again.execute()).toEqual(success);
  });

  it.each<[string, Action, number]>([
    ["does something else first", { type: "click", x: 300, y: 190, target: "the search field" }, 2],
    ["says at once that it is done", { type: "finish" }, 2],
  ])(
    "does not leave a step out where the next one's field is to be seen and the model %s",
    async (_, first, calls) => {
      const decide: Decide = async (request, nth) =>
        nth === 1 ? replyWith([first]) : await byRepairing(request, nth);
      const model = { decide, hasTrajectory: true };
      const world = await repairWorld({ desk: { rows: "reordered" }, timeoutMs, model });
      expect(await world.execute()).toEqual(success);
      expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Daniel Weiß", item: "Chair" }]);
      expect(world.requests).toHaveLength(calls);
    },
  );

  it("makes nothing optional whose effect the screen of the step itself does not show", async () => {
    const first = { type: "click", x: 300, y: 190, target: "the search field" } as const;
    const decide: Decide = async (request, nth) =>
      nth === 1 ? replyWith([first]) : await byRepairing(request, nth);
    const model = { decide, hasTrajectory: true };
    const world = await repairWorld({ recording: recordedElsewhere(8), timeoutMs, model });
    expect(await world.execute()).toEqual(success);
    const { elements } = await recordingByModel(world);
    expect(elements.slice(8, 10).map(({ action }) => action.target)).toEqual([
      first.target,
      "the button Save",
    ]);
    expect(elements.every(({ optional }) => optional === undefined)).toBe(true);
  });

  it("goes on alone after three repairs", async () => {
    const recording = recordedElsewhere(2, 4, 6, 8);
    const world = await repairWorld({ recording, timeoutMs });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Daniel Weiß", item: "Chair" }]);
    const steps = await world.steps();
    expect(steps.filter(({ source, status }) => source === "replay" && status === "failed")).toHaveLength(4);
    expect((await world.find())?.usageMetadata).toMatchObject({ replayed_steps: 5, repaired_steps: 3 });
    expect(sentIn(world.requests)).toContain("What was done so far");
  });

  it("is judged by the trajectory's checks also where the model ends it alone", async () => {
    const checks = [{ kind: "sentence", text: "the order is there" }] as const;
    const recording = { ...recordedElsewhere(0), expect: [], checks };
    const judgedAs = async (...verdicts: readonly boolean[]) => {
      let judged = 0;
      const decide: Decide = ({ tools }) => {
        if (tools.kind === "actions") return replyWith([{ type: "finish" }]);
        const value = { holds: verdicts[judged++] ?? false, reason: "the list is empty" };
        return { kind: "answered", value, usage };
      };
      const model = { decide, hasTrajectory: true };
      const world = await repairWorld({ recording, timeoutMs, model });
      await world.execute();
      return { world, judged };
    };
    const late = await judgedAs(false, true);
    expect(await late.world.find()).toMatchObject({ status: "success" });
    expect(sentIn(late.world.requests)).toContain("the list is empty");
    const never = await judgedAs();
    expect(await never.world.find()).toMatchObject({ errorCode: "outcome_not_seen" });
    expect(never.judged).toBe(2);
  });

  it("is held to the last recorded screen also where a model ends it, which learns of it once", async () => {
    const finish = replyWith([{ type: "finish" }]);
    const world = await repairWorld({
      recording: recordedElsewhere(0),
      timeoutMs,
      model: { decide: () => finish, hasTrajectory: true },
    });
    await world.execute();
    const run = await world.find();
    expect(run).toMatchObject({ status: "error", errorCode: "outcome_not_seen" });
    expect(run?.error[0]).toMatch(
      /part 1 of 2 of the last recorded screen \(\d+ x \d+ pixels at \d+, \d+\) is not to be seen/,
    );
    expect(world.driver.screen.desk.orders).toEqual([]);
    const ends = (await world.steps()).filter(
      ({ action, trail }) => action.type === "finish" && trail.next?.kind === "end",
    );
    expect(ends.map(({ trail }) => trail.missed)).toEqual([0, 0]);
    const told = world.requests.at(-1)?.turns.at(-1);
    expect(told && picturesOf(told)).toHaveLength(1);
  });

  it("learns once, too, that what it repaired last has not done the work", async () => {
    const { elements, ...whole } = recordedElsewhere(8);
    const { action, by } = { action: { type: "finish" }, by: "replay" } as const;
    const recording = { ...whole, elements: [...elements.slice(0, 9), { action, by, timeoutMs }] };
    const model = { decide: () => replyWith([{ type: "finish" }]), hasTrajectory: true };
    const world = await repairWorld({ recording, timeoutMs, model });
    await world.execute();
    expect(await world.find()).toMatchObject({ status: "error", errorCode: "outcome_not_seen" });
    expect(world.requests).toHaveLength(2);
    const missed = (await world.steps()).flatMap(({ trail }) => trail.missed ?? []);
    expect(missed).toEqual([0, 0]);
    expect(sentIn(world.requests)).toContain("the task is not done: part 1 of 2 of the last recorded screen");
  });

  it("asks no model with `only`", async () => {
    const world = await repairWorld({
      desk: { dialog: "open" },
      workflow: { mainPrompt: repairPrompt, replay: "only" },
      timeoutMs,
    });
    await world.execute();
    expect(await world.find()).toMatchObject({ errorCode: "replay_diverged" });
    expect(world.requests).toEqual([]);
  });

  it("does each action once when it is killed at each kind of call", async () => {
    const options: Partial<ExecutionWorldOptions> = {
      desk: { dialog: "open" },
      timeoutMs: 0,
      recording: { ...demo, elements: demo.elements.slice(0, 2), expect: [] },
    };
    const whole = new KillSwitch();
    await (await repairWorld({ ...options, kills: whole })).execute();
    const asked = whole.points.findIndex(({ name }) => name === "model");
    for (const { number, when, name } of eachKind(whole.points.slice(asked))) {
      const world = await repairWorld({ ...options, kills: KillSwitch.at({ number, when }) });
      await world.execute();
      const run = await world.find();
      expect([when, name, run?.status, world.driver.done.length]).toEqual([when, name, "success", 3]);
      // One that was about to be sent is a step, too, of which nobody knows.
      const undone = (await world.steps()).filter(({ status }) => status === "unknown").length;
      const counted = { replayed_steps: 2, repaired_steps: 1 + undone };
      expect([when, name, run?.usageMetadata]).toMatchObject([when, name, counted]);
    }
  });
});

describe("an element that a model decides", () => {
  const small = {
    desk: smallDesk,
    secrets: {},
    inputs: { item: "Chair" },
    workflow: { mainPrompt: "Do it." },
  };

  it("is one action of its type, and the replay goes on", async () => {
    const [first] = plainRecording([{ ...scroll, target: "the list of {item}" }]).elements;
    const recording = plainRecording([scroll, scroll]);
    if (first === undefined) throw new Error("there is no element");
    const elements = [...recording.elements, { ...first, by: "model" as const }, ...recording.elements];
    const world = await executionWorld({
      ...small,
      recording: { ...recording, elements },
      model: {
        decide: (_, nth) => replyWith([nth === 1 ? { type: "finish" } : scroll]),
        hasTrajectory: true,
      },
    });
    expect(await world.execute()).toEqual(success);
    expect(world.requests[0]?.tools).toMatchObject({ types: ["scroll", "wait", "fail"] });
    expect(sentIn(world.requests)).toContain("the list of Chair");
    expect(world.driver.done).toHaveLength(5);
    expect((await world.find())?.usageMetadata).toMatchObject({ agentic_steps: 1, replayed_steps: 4 });
  });

  it("reads, gives the output, and judges the sentences on the last picture alone", async () => {
    const actions = [
      { type: "read", question: "Who?", save_as: "who" },
      { type: "finish", output: { who: "Ada", count: 3 } },
    ] as const;
    const { elements, ...plain } = plainRecording(actions);
    const judged = async (holds: boolean) => {
      const world = await executionWorld({
        ...small,
        recording: {
          ...plain,
          elements: elements.map((each) => ({ ...each, by: "model" as const })),
          checks: [{ kind: "sentence", text: "{item} is there" }],
        },
        model: {
          hasTrajectory: true,
          decide: (_, nth) => {
            const value =
              ["Bo", { holds, reason: "it is not there" }, { who: "Bo", count: 4 }][nth - 1] ?? null;
            return { kind: "answered", value, usage };
          },
        },
      });
      await world.execute();
      return world;
    };
    const well = await judged(true);
    expect(await well.find()).toMatchObject({
      status: "success",
      outputData: { value: { who: "Bo", count: 4 } },
      usageMetadata: { agentic_steps: 2, input_tokens: 300 },
    });
    expect(sentIn(well.requests.slice(1, 2))).toContain("Chair is there");
    expect(sentIn(well.requests.slice(1, 2))).not.toContain("Do it.");
    const badly = await (await judged(false)).find();
    expect(badly).toMatchObject({ errorCode: "outcome_not_seen" });
    expect(badly?.error[0]).toContain("it is not there");
  });
});
