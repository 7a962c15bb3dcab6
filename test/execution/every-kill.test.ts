import { describe, expect, it } from "vitest";
import type { Action, ActionType } from "../../shared/domain/action/action.ts";
import type { TrajectoryElement } from "../../shared/domain/trajectory/trajectory-element.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { type ExecutionWorld, executionWorld } from "../support/execution/execution-world.ts";
import { type Decide, replyWith, usage } from "../support/execution/fake-models.ts";
import { type CallPoint, KillSwitch } from "../support/execution/kill-switch.ts";
import { plainRecording, scroll, smallDesk } from "../support/execution/plain-recording.ts";
import type { Recording } from "../support/execution/record-demo.ts";

/** One action of each kind; a kind that is missing does not compile. */
const actions: Readonly<Record<ActionType, Action>> = {
  click: { type: "click", clicks: 1 },
  move: { type: "move" },
  scroll: { type: "scroll", direction: "up", amount: 2 },
  drag: { type: "drag", start_x: 20, start_y: 20, to_x: 60, to_y: 60 },
  type: { type: "type", text: "{item}" },
  key: { type: "key", text: "a" },
  open: { type: "open", program: "Orders", if_open: "use" },
  copy_to_clipboard: { type: "copy_to_clipboard", save_as: "copied" },
  read_file: { type: "read_file", path: "~/kept.txt", save_as: "kept" },
  write_file: { type: "write_file", path: "~/kept.txt", content: "{item}" },
  shell: { type: "shell", command: "echo {item}", save_as: "printed" },
  wait: { type: "wait", seconds: 6 },
  screenshot: { type: "screenshot" },
  read: { type: "read", question: "What is it?", save_as: "it" },
  finish: { type: "finish", output: { item: "{item}" } },
  fail: { type: "fail", reason: "there is none" },
};
const kinds = Object.values(actions);

/** Bodies of what the driver did, in its order; ids of actions differ from run to run. */
function sequenceOf({ driver, job }: ExecutionWorld): readonly string[] {
  return driver.done.map(({ actionId, path, body }) =>
    [actionId.replace(job.assignmentId, ""), path, body].join(" "),
  );
}

/** Kills the run before and after each call in turn, and compares what the driver did with what it does undisturbed. */
async function killEverywhere(make: (kills: KillSwitch) => Promise<ExecutionWorld>): Promise<number> {
  const counting = new KillSwitch();
  const whole = await make(counting);
  const ended = await whole.execute();
  const expected = sequenceOf(whole);
  expect(new Set(expected).size).toBe(expected.length);
  for (const { number, when, name } of counting.points) {
    const isHere = (point: CallPoint) => point.number === number && point.when === when;
    const killed = await make(new KillSwitch(isHere));
    await killed.execute();
    const where = `${when} ${number} ${name}`;
    expect([where, sequenceOf(killed)]).toEqual([where, expected]);
    const run = await killed.find();
    expect([where, run?.status]).toEqual([where, ended.kind === "ended" ? ended.status : "none"]);
  }
  return counting.points.length;
}

const workflow = { mainPrompt: "Order {item}.", allowShell: true } as const;
const inputs = { item: "Chair" };
const answer: Decide = () => ({ kind: "answered", value: "an order", usage });

describe("a run that is killed before or after any of its calls", () => {
  it.each(kinds.filter(({ type }) => type !== "drag"))(
    "does each action once that is replayed: $type",
    async (action) => {
      const { elements, ...rest } = plainRecording([scroll, action, scroll]);
      const recording = {
        ...rest,
        elements: elements.map((each) => (each.action.type === "read" ? { ...each, by: "model" } : each)),
      } as Recording;
      const hasModel = action.type === "read";
      const calls = await killEverywhere(
        async (kills) =>
          await executionWorld({
            recording,
            workflow,
            inputs,
            secrets: {},
            desk: smallDesk,
            kills,
            ...(hasModel && { model: { decide: answer, hasTrajectory: true } }),
          }),
      );
      expect(calls).toBeGreaterThan(20);
    },
    120_000,
  );

  it("does each action once that is replayed where its screen is seen", async () => {
    const demo = demoRecording();
    const [click] = demo.elements.slice(1);
    if (click === undefined) throw new Error("the demo has no such element");
    const drag: TrajectoryElement = {
      ...click,
      action: { type: "drag", start_x: 300, start_y: 306, to_x: 320, to_y: 306 },
    };
    const recording = { ...demo, elements: [click, drag], expect: [] };
    await killEverywhere(
      async (kills) =>
        await executionWorld({ recording, workflow, inputs, secrets: {}, desk: { open: true }, kills }),
    );
  }, 120_000);

  it.each(kinds)(
    "does each action once that a model decides: $type",
    async (action) => {
      const decide: Decide = ({ turns, tools }) => {
        if (tools.kind === "answer") return { kind: "answered", value: "an order", usage };
        const done = turns
          .flatMap((turn) => (turn.role === "results" ? turn.results : []))
          .filter(({ isError }) => !isError).length;
        const next = [scroll, action, { type: "finish" } as const][done];
        return replyWith([next ?? { type: "finish" }]);
      };
      await killEverywhere(
        async (kills) =>
          await executionWorld({
            recording: plainRecording([]),
            workflow,
            inputs,
            secrets: {},
            desk: smallDesk,
            kills,
            model: { decide },
          }),
      );
    },
    120_000,
  );
});
