import { describe, expect, it } from "vitest";
import type { Action } from "../../shared/domain/action/action.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { type Decide, picturesOf, replyWith, wordsOf } from "../support/execution/fake-models.ts";
import { heldWorld } from "../support/execution/held-world.ts";
import type { CallPoint } from "../support/execution/kill-switch.ts";
import { scrolls, smallDesk } from "../support/execution/plain-recording.ts";

const plain = { recording: scrolls(4), desk: smallDesk, secrets: {} } as const;

const nth = (count: number, name: string, when: CallPoint["when"] = "before") => {
  let met = 0;
  return (point: CallPoint) => {
    if (point.name !== name || point.when !== when) return false;
    met += 1;
    return met === count;
  };
};

/** The second action is sent. */
const inFlight = () => nth(2, "desktop /computer/batch");
/** The second step's intent is about to be recorded. */
const beforeIntent = () => nth(2, "TransactWriteItemsCommand");

describe("a held run", () => {
  it.each([
    ["between two steps", nth(1, "checkpoint step 1", "after"), 1],
    ["while an action is in flight", inFlight(), 2],
    ["right before an action is sent", beforeIntent(), 1],
  ])("stands still when it is held %s, and goes on when it is resumed", async (_, at, done) => {
    const { world, executed, seen } = await heldWorld({ ...plain, at, hold: { reason: "a look" } });
    expect(seen).toEqual([{ held: expect.objectContaining({ reason: "a look" }), done }]);
    expect(executed).toEqual({ kind: "ended", status: "success" });
    expect(world.driver.done).toHaveLength(4);
    expect(await world.find()).toMatchObject({ status: "success", held: null });
    const steps = await world.steps();
    expect(steps.map(({ index }) => index)).toEqual(steps.map((_step, at) => at + 1));
    expect(steps.filter(({ action }) => action.type === "resume")).toMatchObject([
      { source: "service", status: "done", text: null, screenshot: smallDesk.size },
    ]);
  });

  it("costs nothing while it stands still, and its time is not the run's own", async () => {
    const { world } = await heldWorld({
      ...plain,
      at: inFlight(),
      hold: { seconds: 3_600 },
      workflow: { maxDurationSeconds: 60 },
      meanwhile: async ({ clock, resume }) => {
        clock.advance(3_000_000);
        await resume("done");
      },
    });
    expect(await world.find()).toMatchObject({ status: "success" });
    const operations = world.durable.operations.map(({ name }) => name);
    expect(operations.filter((name) => /hold|still/.test(name))).toEqual([
      "hold",
      "stand still",
      "hold over",
    ]);
  });

  it("fails when nobody resumes it in time", async () => {
    const { world } = await heldWorld({ ...plain, at: inFlight(), meanwhile: async () => {} });
    const run = await world.find();
    expect(run).toMatchObject({ status: "error", errorCode: "hold_timed_out", held: null });
    expect(world.driver.done).toHaveLength(2);
    const machine = await world.stores.machines.find(world.organizationId, world.machine.id);
    expect(machine).toMatchObject({ currentRunId: null, held: null });
  });

  it("goes on by itself when nobody resumes it in time, where its workflow says so", async () => {
    const workflow = { onHoldTimeout: "resume" } as const;
    const { world } = await heldWorld({ ...plain, workflow, at: inFlight(), meanwhile: async () => {} });
    expect(await world.find()).toMatchObject({ status: "success", held: null });
    expect(world.driver.done).toHaveLength(4);
  });

  it("waits again when the hold was extended", async () => {
    let times = 0;
    const { world, seen } = await heldWorld({
      ...plain,
      at: inFlight(),
      hold: { seconds: 60 },
      meanwhile: async ({ extend, resume, clock }) => {
        times += 1;
        clock.advance(30_000);
        await (times === 1 ? extend(600) : resume());
      },
    });
    expect(seen).toHaveLength(2);
    expect(await world.find()).toMatchObject({ status: "success" });
  });

  it("ends as any other when it is cancelled", async () => {
    const { world, executed } = await heldWorld({
      ...plain,
      at: inFlight(),
      meanwhile: async ({ stores, organizationId, run, clock }) => {
        const change = { status: "cancelled", endedAt: new Date(clock.now()).toISOString() } as const;
        await stores.runs.update(organizationId, run.id, change, { ofAnyAssignment: true });
      },
    });
    expect(executed).toEqual({ kind: "stopped", reason: "run_ended" });
    expect(await world.find()).toMatchObject({ status: "cancelled", held: null });
    expect(world.driver.done).toHaveLength(2);
  });

  it("does not end while it is held", async () => {
    const { world, seen } = await heldWorld({ ...plain, at: nth(1, "checkpoint step 5", "after") });
    expect(seen).toHaveLength(1);
    expect(await world.find()).toMatchObject({ status: "success", held: null });
  });
});

describe("a held run of a model", () => {
  const click: Action = { type: "click", x: 10, y: 190, target: "the corner" };
  const decide: Decide = (_request, nth) =>
    replyWith(nth < 4 ? [{ ...click, x: nth * 10 }] : [{ type: "finish" }]);

  it.each([
    ["while an action is in flight", inFlight],
    ["while its model decides", () => nth(2, "model", "after")],
  ])("tells the model the note and shows it the screen as it is then: %s", async (_, at) => {
    const { world, executed } = await heldWorld({
      ...plain,
      at: at(),
      model: { decide },
      meanwhile: async ({ drive, resume }) => {
        await drive("input/mouse/click", { x: 30, y: 190 });
        await resume("the code is in");
      },
    });
    expect(executed).toEqual({ kind: "ended", status: "success" });
    const told = world.requests.filter(({ turns }) => wordsOf(turns).includes("the code is in"));
    expect(told.length).toBeGreaterThan(0);
    const last = told[0]?.turns.at(-1);
    expect(last).toMatchObject({ role: "user", pictures: [{}] });
    const steps = await world.steps();
    const resumption = steps.find(({ action }) => action.type === "resume");
    expect(resumption).toMatchObject({ text: "the code is in", source: "service" });
    const key = resumption?.pictureKey ?? "";
    expect(last && picturesOf(last)[0]?.png).toEqual(await world.files.get(key, 1e7));
  });
});

describe("a held replay", () => {
  const recording = demoRecording();

  it("goes on where one of the next recorded screens is seen, after a person has done a step", async () => {
    const { x, y } = { x: 0, y: 0, ...recording.elements[2]?.action };
    const { world } = await heldWorld({
      recording,
      at: nth(2, "desktop /computer/batch", "after"),
      meanwhile: async ({ drive, resume }) => {
        await drive("input/mouse/click", { x, y });
        await resume();
      },
    });
    expect(await world.find()).toMatchObject({ status: "success", held: null });
    // The click of the person is not among them.
    const clicks = (await world.steps()).filter(({ source }) => source === "replay");
    expect(clicks).toHaveLength(recording.elements.length - 1);
    expect(world.driver.screen.desk.orders).toMatchObject([
      { customer: "Daniel Weiß", item: "Chair", quantity: 2 },
    ]);
  });
});

describe("a held replay that nothing recorded is seen of", () => {
  const recording = demoRecording();

  it("ends as replay_diverged when its next screen does not come", async () => {
    const { world } = await heldWorld({
      recording,
      timeoutMs: 1_000,
      at: nth(2, "desktop /computer/batch", "after"),
      // The window is closed.
      meanwhile: async ({ drive, resume }) => {
        await drive("input/mouse/click", { x: 1_057, y: 88 });
        await resume();
      },
    });
    const run = await world.find();
    expect(run).toMatchObject({ status: "error", errorCode: "replay_diverged", held: null });
    const steps = await world.steps();
    expect(steps.filter(({ source }) => source === "person")).toHaveLength(1);
    expect(world.driver.done).toHaveLength(2);
  });

  it("types nothing of a text's rest into what has the focus then", async () => {
    const { world } = await heldWorld({
      recording,
      inputs: { item: "x".repeat(12_000), quantity: 2 },
      // The first of three pieces is typed, and the window is closed then.
      at: nth(4, "desktop /computer/batch", "after"),
      meanwhile: async ({ drive, resume }) => {
        await drive("input/mouse/click", { x: 1_057, y: 88 });
        await resume();
      },
    });
    expect(await world.find()).toMatchObject({
      status: "error",
      errorCode: "replay_diverged",
      error: [expect.stringContaining("resumed on another screen than the recorded ones"), expect.anything()],
    });
    expect(world.driver.done).toHaveLength(4);
  });
});

describe("a function that dies while its run is held", () => {
  it("takes no action twice, and none is lost, wherever it dies", async () => {
    const { world } = await heldWorld({ ...plain, at: inFlight() });
    const { points } = world.kills;
    const from = points.findIndex(({ name }) => name === "checkpoint callback");
    const to = points.findLastIndex(({ name }) => /^checkpoint step [34]$/.test(name));
    expect(from).toBeGreaterThan(0);
    for (const { number, when } of points.slice(from - 6, to + 1)) {
      let isKilled = false;
      const killed = await heldWorld({
        ...plain,
        at: inFlight(),
        shouldKill: (point) => {
          if (isKilled || point.number !== number || point.when !== when) return false;
          isKilled = true;
          return true;
        },
      });
      const where = `${when} ${number}`;
      expect(killed.executed, where).toEqual({ kind: "ended", status: "success" });
      expect(killed.world.driver.done, where).toHaveLength(4);
      const steps = await killed.world.steps();
      expect(
        steps.filter(({ action }) => action.type === "resume"),
        where,
      ).toHaveLength(1);
    }
  });
});
