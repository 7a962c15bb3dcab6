import { describe, expect, it } from "vitest";
import type { OpenAction } from "../../shared/domain/action/action.ts";
import type { DriverRequest } from "../../shared/domain/tunnel/driver-channel.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import type { DeskProcess } from "../support/execution/driver-process.ts";
import { type ExecutionWorld, executionWorld } from "../support/execution/execution-world.ts";
import { replyWith, wordsOf } from "../support/execution/fake-models.ts";
import type { Recording } from "../support/execution/record-demo.ts";
import { recordingByModel } from "../support/execution/recorded-by-model.ts";

const success = { kind: "ended", status: "success" };
const open = (ifOpen: OpenAction["if_open"], program = "Orders"): OpenAction => ({
  type: "open",
  program,
  if_open: ifOpen,
});

/** The order of the demo, begun from the program instead of its icon. */
function fromProgram(action: OpenAction): Recording {
  const { elements, ...rest } = demoRecording();
  return { ...rest, elements: [{ action, by: "replay", timeoutMs: 10_000 }, ...elements.slice(1)] };
}

function twoSteps(action: OpenAction): Recording {
  const recording = fromProgram(action);
  return { ...recording, elements: recording.elements.slice(0, 2), expect: [] };
}

const signal = new AbortController().signal;

async function leaveWorkOn({ driver: { screen } }: ExecutionWorld) {
  await screen.openProgram({ program: "Orders", if_open: "use" }, signal);
  const click = { button: "left", clicks: 1 } as const;
  await screen.clickMouse({ ...click, x: 300, y: 256 });
  await screen.clickMouse({ ...click, x: 650, y: 232 });
  await screen.typeText({ text: "Half an order" });
}

describe("a replay that begins from a program", () => {
  it.each([
    ["that is not open", {}, async () => {}],
    ["that opens after 8 s, 40 pixels beside", { seed: 7, openingMs: 8_000 }, async () => {}],
    ["that opens after 20 s", { openingMs: 20_000 }, async () => {}],
    ["in which something was left", {}, leaveWorkOn],
  ])("ends well with one %s", async (_, desk, prepare) => {
    const world = await executionWorld({ recording: fromProgram(open("restart")), desk });
    await prepare(world);
    expect(await world.execute()).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ item: "Chair", quantity: 2 }]);
    const [first] = await world.steps();
    expect(first).toMatchObject({
      source: "replay",
      action: open("restart"),
      status: "done",
      match: null,
      screenshot: { width: 1280, height: 800 },
    });
    expect(await world.find()).toMatchObject({ usageMetadata: { replayed_steps: 11 } });
  });

  it("uses what is open as it is, where it says so", async () => {
    const recording = twoSteps(open("use"));
    const world = await executionWorld({ recording, desk: { open: true } });
    expect(await world.execute()).toEqual(success);
    const [first, ...others] = world.driver.screen.events.map(({ kind }) => kind);
    expect([first, others.includes("open")]).toEqual(["open", false]);
  });

  it("names it by an input", async () => {
    const recording = twoSteps(open("use", "{program}"));
    const world = await executionWorld({ recording, inputs: { program: "Orders" } });
    expect(await world.execute()).toEqual(success);
    expect((await world.steps())[0]).toMatchObject({ action: { program: "Orders" } });
  });

  it("ends with the names that the machine has, where it has none of that name", async () => {
    const world = await executionWorld({ recording: twoSteps(open("use", "Invoices")) });
    await world.execute();
    expect(await world.find()).toMatchObject({
      status: "error",
      errorCode: "step_failed",
      error: expect.arrayContaining([
        expect.stringMatching(/open Invoices.*this machine's list has no program.*it has Orders/),
      ]),
    });
  });

  it("ends where the driver opens none", async () => {
    const world = await executionWorld({ recording: twoSteps(open("use")) });
    const capabilities = world.driver.desktop.capabilities.filter((name) => name !== "open_program");
    Object.assign(world.driver.desktop, { capabilities });
    await world.execute();
    expect(await world.find()).toMatchObject({
      errorCode: "step_failed",
      error: expect.arrayContaining([
        expect.stringContaining("does not name open_program among its capabilities"),
      ]),
    });
    expect(world.driver.screen.events).toEqual([]);
  });
});

describe("an opening of which nobody knows", () => {
  const losing = (isDoneBefore: boolean) => async (request: DriverRequest, driver: DeskProcess) => {
    const isOpening = new TextDecoder().decode(request.body).includes('"type":"open"');
    const isFirst = !driver.done.some(({ body }) => body.includes('"type":"open"')) && !lost;
    if (!isOpening || request.repeat || !isFirst) return await driver.request(request);
    lost = true;
    if (isDoneBefore) await driver.request(request);
    driver.restart();
    return { kind: "connection_lost" } as const;
  };
  let lost = false;
  const opened = ({ driver }: ExecutionWorld) =>
    driver.screen.events.flatMap((event) => (event.kind === "open" ? [event.ifOpen] : []));

  it.each([
    ["use", "was not done: it is opened", false, ["use"]],
    ["use", "was done: its window is there, and is used", true, ["use", "use"]],
    ["restart", "was not done: it is opened", false, ["restart"]],
    ["restart", "was done, and its screen was not known before: once more", true, ["restart", "restart"]],
  ] as const)("with %s that %s", async (ifOpen, _, isDone, expected) => {
    lost = false;
    const world = await executionWorld({ recording: fromProgram(open(ifOpen)), between: losing(isDone) });
    expect(await world.execute()).toEqual(success);
    expect(opened(world)).toEqual(expected);
    expect(world.driver.screen.desk.orders).toHaveLength(1);
    const statuses = (await world.steps()).map(({ status }) => status);
    expect(statuses.slice(0, 3)).toEqual(["unknown", "done", "done"]);
  });

  it("with restart that is seen to be done is not done again", async () => {
    lost = false;
    const { elements, ...rest } = fromProgram(open("restart"));
    const look = { action: { type: "screenshot" }, by: "replay", timeoutMs: 0 } as const;
    const recording = { ...rest, elements: [look, ...elements] };
    const world = await executionWorld({ recording, between: losing(true) });
    await leaveWorkOn(world);
    expect(await world.execute()).toEqual(success);
    expect(opened(world)).toEqual(["use", "restart"]);
  });

  it("with restart that closed the program alone is done again", async () => {
    lost = false;
    const { elements, ...rest } = fromProgram(open("restart"));
    const look = { action: { type: "screenshot" }, by: "replay", timeoutMs: 0 } as const;
    const recording = { ...rest, elements: [look, ...elements] };
    const lose = losing(false);
    const world = await executionWorld({
      recording,
      between: async (request, driver) => {
        const answer = await lose(request, driver);
        if (answer.kind === "connection_lost") await driver.screen.pressKeys({ text: "ctrl+q" });
        return answer;
      },
    });
    await leaveWorkOn(world);
    expect(await world.execute()).toEqual(success);
    expect(opened(world)).toEqual(["use", "restart"]);
    expect(world.driver.screen.desk.orders).toHaveLength(1);
  });
});

describe("a model", () => {
  const workflow = { mainPrompt: "Open Orders." };
  const finish = { type: "finish" } as const;

  it("is offered the machine's programs, and what it opens is recorded as it is", async () => {
    const inputs = { item: "Order" };
    const world = await executionWorld({
      recording: demoRecording(),
      workflow,
      inputs,
      secrets: {},
      model: { decide: (_, nth) => replyWith([nth === 1 ? open("restart") : finish]) },
    });
    expect(await world.execute()).toEqual(success);
    expect(world.requests[0]?.tools).toMatchObject({
      types: expect.arrayContaining(["open"]),
      programs: ["Orders"],
    });
    const { elements } = await recordingByModel(world);
    expect(elements.slice(0, 1)).toEqual([
      { action: open("restart"), by: "replay", timeoutMs: expect.any(Number) },
    ]);
  });

  it("opens for an input what the next run's input names", async () => {
    const inputs = { program: "Orders" };
    const world = await executionWorld({
      recording: demoRecording(),
      workflow,
      inputs,
      secrets: {},
      model: { decide: (_, nth) => replyWith([nth === 1 ? open("use") : finish]) },
    });
    await world.execute();
    expect((await recordingByModel(world)).elements[0]?.action).toEqual(open("use", "{program}"));
  });

  it("is told which programs there are, where it names another", async () => {
    const world = await executionWorld({
      recording: demoRecording(),
      workflow,
      secrets: {},
      model: { decide: (_, nth) => replyWith([nth === 1 ? open("use", "Invoices") : finish]) },
    });
    expect(await world.execute()).toEqual(success);
    expect(wordsOf(world.requests[1]?.turns ?? [])).toContain("it has Orders");
  });

  it("is not offered to open anything on a machine without programs", async () => {
    const world = await executionWorld({
      recording: demoRecording(),
      workflow,
      secrets: {},
      model: { decide: (_, nth) => replyWith([nth === 1 ? open("use") : finish]) },
    });
    Object.assign(world.driver.desktop, { programs: [] });
    expect(await world.execute()).toEqual(success);
    expect(world.requests[0]?.tools).toMatchObject({ types: expect.not.arrayContaining(["open"]) });
    expect(world.driver.screen.events).toEqual([]);
    expect(wordsOf(world.requests[1]?.turns ?? [])).toContain("there is no tool open");
  });
});
