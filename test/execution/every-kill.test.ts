import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Action, type ActionType, isPointing } from "../../shared/domain/action/action.ts";
import type { TrajectoryElement } from "../../shared/domain/trajectory/trajectory-element.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import {
  type ExecutionWorld,
  type ExecutionWorldOptions,
  executionWorld,
} from "../support/execution/execution-world.ts";
import { type Decide, replyWith, usage } from "../support/execution/fake-models.ts";
import { type CallPoint, KillSwitch } from "../support/execution/kill-switch.ts";
import { plainRecording, scroll, scrolls, smallDesk } from "../support/execution/plain-recording.ts";
import type { Recording } from "../support/execution/record-demo.ts";

/** One action of each kind; a kind that is missing does not compile. Questions are in asked-runs.test.ts. */
const actions: Readonly<Record<Exclude<ActionType, "ask_person">, Action>> = {
  click: { type: "click", clicks: 1 },
  move: { type: "move", x: 5, y: 150 },
  scroll: { type: "scroll", direction: "up", amount: 2 },
  drag: { type: "drag", start_x: 20, start_y: 20, to_x: 60, to_y: 60 },
  type: { type: "type", text: "{item}" },
  key: { type: "key", text: "a" },
  open: { type: "open", program: "Orders", if_open: "use" },
  copy_to_clipboard: { type: "copy_to_clipboard", save_as: "copied" },
  read_file: { type: "read_file", path: "~/Transfers/kept.txt", save_as: "kept" },
  write_file: { type: "write_file", path: "~/Transfers/kept.txt", content: "{item}" },
  shell: { type: "shell", command: "echo {item}", save_as: "printed" },
  wait: { type: "wait", seconds: 6 },
  screenshot: { type: "screenshot" },
  read: { type: "read", question: "What is it?", save_as: "it" },
  finish: { type: "finish", output: { item: "{item}" } },
  fail: { type: "fail", reason: "there is none" },
};
const kinds = Object.values(actions);

const onScreen: readonly Action[] = [
  { type: "move", x: 650, y: 274 },
  { type: "drag", start_x: 650, start_y: 274, to_x: 655, to_y: 274 },
  actions.type,
  actions.key,
];
const plain = kinds.filter(({ type }) => !onScreen.some((each) => each.type === type));

function sequenceOf({ driver }: ExecutionWorld): readonly string[] {
  return driver.done.map(({ path, body }) => `${path} ${body}`);
}

/** The calls of one step, counted from 1, up to the checkpoint that ends it and the wait behind it. */
const ofStep = (step: number) => (points: readonly CallPoint[]) => {
  const checkpoints = points.flatMap(({ name, when }, at) =>
    when === "after" && /^checkpoint (?:begin|ask|step)/.test(name) ? [at] : [],
  );
  const [before, end] = checkpoints.slice(step - 1);
  if (before === undefined || end === undefined) throw new Error(`the run has no step ${step}`);
  const isWait = points[end + 1]?.name === "checkpoint wait";
  const isLast = checkpoints.length === step + 1;
  return points.slice(before + 1, isLast ? undefined : end + (isWait ? 3 : 1));
};

interface Kills {
  /** Which calls the run is killed at. @default all */
  readonly where?: (points: readonly CallPoint[]) => readonly CallPoint[];
  /** Nobody can tell whether it was done, and doing it twice may harm: the run may end instead. @default false */
  readonly mayEnd?: boolean;
}

async function killEverywhere(
  make: (kills: KillSwitch) => Promise<ExecutionWorld>,
  { where = (points) => points, mayEnd = false }: Kills = {},
): Promise<number> {
  const counting = new KillSwitch();
  const whole = await make(counting);
  const ended = await whole.execute();
  const status = (await whole.find())?.status;
  expect([ended.kind, status]).toEqual(["ended", expect.stringMatching(/^(?:success|task_failed)$/)]);
  const expected = sequenceOf(whole);
  const points = where(counting.points);
  for (const { number, when, name } of points) {
    const isHere = (point: CallPoint) => point.number === number && point.when === when;
    const killed = await make(new KillSwitch(isHere));
    await killed.execute();
    const at = `${when} ${number} ${name}`;
    const ids = killed.driver.done.map(({ actionId }) => actionId);
    expect([at, new Set(ids).size]).toEqual([at, ids.length]);
    const run = await killed.find();
    const done = sequenceOf(killed);
    if (mayEnd && run?.errorCode === "step_failed") {
      expect([at, done]).toEqual([at, expected.slice(0, done.length)]);
      continue;
    }
    expect([at, done]).toEqual([at, expected]);
    expect([at, run?.status]).toEqual([at, status]);
  }
  return points.length;
}

const workflow = { mainPrompt: "Order {item}.", allowShell: true } as const;
const inputs = { item: "Chair" };
const answer: Decide = () => ({ kind: "answered", value: "an order", usage });

let root: string;
const world = async (options: Pick<ExecutionWorldOptions, "recording" | "desk" | "kills" | "model">) =>
  await executionWorld({ workflow, inputs, secrets: {}, root, ...options });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "every-kill-"));
  await mkdir(join(root, "Transfers"));
  await writeFile(join(root, "Transfers/kept.txt"), "kept");
});

afterAll(async () => {
  await rm(root, { recursive: true });
});

describe("a run that is killed before or after any of its calls", () => {
  it("does each action once from its begin to its end", async () => {
    const calls = await killEverywhere(
      async (kills) => await world({ recording: scrolls(3), desk: smallDesk, kills }),
    );
    expect(calls).toBeGreaterThan(30);
  });

  it.each(plain)(
    "does each action once that is replayed: $type",
    async (action) => {
      const { elements, ...rest } = plainRecording([scroll, action, scroll]);
      const recording: Recording = {
        ...rest,
        elements: elements.map((each) => (each.action.type === "read" ? { ...each, by: "model" } : each)),
      };
      const model = action.type === "read" ? { model: { decide: answer, hasTrajectory: true } } : {};
      const calls = await killEverywhere(
        async (kills) => await world({ recording, desk: smallDesk, kills, ...model }),
        { where: ofStep(2), mayEnd: action.type === "shell" },
      );
      expect(calls).toBeGreaterThanOrEqual(4);
    },
    120_000,
  );

  it.each(onScreen)(
    "does each action once that is replayed where its screen is seen: $type",
    async (action) => {
      const demo = demoRecording();
      const [customer, item, typed, quantity] = demo.elements.slice(1);
      if (!customer || !item || !typed || !quantity) throw new Error("the demo has no such elements");
      const { changed: _changed, ...place } = isPointing(action) ? quantity : typed;
      const last: TrajectoryElement = action.type === "type" ? typed : { ...place, action };
      const recording = { ...demo, elements: [customer, item, last], expect: [] };
      const calls = await killEverywhere(
        async (kills) => await world({ recording, desk: { open: true }, kills }),
        { where: ofStep(3) },
      );
      expect(calls).toBeGreaterThanOrEqual(4);
    },
    120_000,
  );

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
      const calls = await killEverywhere(
        async (kills) =>
          await world({ recording: plainRecording([]), desk: smallDesk, kills, model: { decide } }),
        { where: ofStep(2), mayEnd: action.type === "shell" },
      );
      expect(calls).toBeGreaterThanOrEqual(4);
    },
    120_000,
  );
});
