import { describe, expect, it } from "vitest";
import type { DeskInput } from "../../infra/demo-desk/desk-options.ts";
import { noTrail } from "../../shared/domain/execution/step/trail.ts";
import { crop } from "../../shared/domain/picture/picture.ts";
import { matchElement } from "../../shared/domain/screen/match-element.ts";
import type { TrajectoryElement } from "../../shared/domain/trajectory/trajectory-element.ts";
import { pngCodec } from "../../shared/pictures/png-codec.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import { KillSwitch } from "../support/execution/kill-switch.ts";
import { Canvas } from "../support/pictures/canvas.ts";

const recording = demoRecording();

describe("a replay", () => {
  it.each<[string, DeskInput]>([
    ["where it was recorded", {}],
    ["where the window is 40 pixels beside and opens after 8 s", { seed: 7, openingMs: 8_000 }],
  ])("ends well %s", async (_, desk) => {
    const world = await executionWorld({ recording, desk });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const [order] = world.driver.screen.desk.orders;
    expect(order).toMatchObject({ customer: "Daniel Weiß", item: "Chair", quantity: 2 });
    expect(await world.find()).toMatchObject({
      status: "success",
      error: [],
      errorCode: null,
      outputData: { value: { order_number: String(order?.number), item: "Chair", quantity: 2 } },
      usageMetadata: { replayed_steps: 11, agentic_steps: 0 },
    });
  });

  it("goes on in the next invocation where letters are late and this one's time is nearly over", async () => {
    let asked = 0;
    const world = await executionWorld({
      recording: { ...recording, elements: recording.elements.slice(0, 4), expect: [] },
      desk: { lateLettersMs: 3_000 },
      invocationMs: 155_000,
      between: async (request, driver) => {
        const isTyping = new TextDecoder().decode(request.body).includes('"type":"type"');
        // As if its screen had been waited for so long.
        if (isTyping && !request.repeat) world.clock.advance(96_000);
        asked += isTyping && request.repeat ? 1 : 0;
        return await driver.request(request);
      },
    });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(world.driver.done).toHaveLength(4);
    expect([asked, world.durable.invocations]).toEqual([1, 2]);
  });

  it("types once when it is killed at each kind of call while letters are late", async () => {
    const options = {
      recording: { ...recording, elements: recording.elements.slice(0, 4), expect: [] },
      desk: { lateLettersMs: 600 },
    };
    const whole = new KillSwitch();
    await (await executionWorld({ ...options, kills: whole })).execute();
    const typed = whole.points.findLastIndex(({ name }) => name === "desktop /computer/batch");
    const points = whole.points.slice(typed).reverse();
    const kinds = new Map(points.map((point) => [`${point.when} ${point.name.split("?")[0]}`, point]));
    for (const { number, when, name } of kinds.values()) {
      const world = await executionWorld({ ...options, kills: KillSwitch.at({ number, when }) });
      const executed = await world.execute();
      const item = world.driver.screen.events.filter(({ kind }) => kind === "type");
      expect([when, name, executed, item.length]).toEqual([
        ...[when, name, { kind: "ended", status: "success" }, 1],
      ]);
    }
  });

  it.each<[string, DeskInput]>([
    ["a dialog over the window as it opens", { dialog: "open" }],
    ["the same with the window darkened", { dialog: "open", dimmed: true }],
    ["a dialog after the customer was selected", { dialog: "customer", dimmed: true }],
    ["a dialog before the order is saved", { dialog: "save" }],
    ["the same, darkened", { dialog: "save", dimmed: true }],
    ["a disabled button", { save: "disabled" }],
    ["a button that no longer saves", { save: "broken" }],
    ["a button that looks hovered", { hovered: "save" }],
    ["identical rows", { rows: "identical" }],
    ["rows that differ in a part of their names", { rows: "similar" }],
    ["a scrolled list", { scrolled: 2 }],
    ["another theme", { theme: "dark" }],
    ["fields without their hints", { blank: true }],
    ["another display size", { size: { width: 1024, height: 768 } }],
    ["a field that loses its focus", { losesFocus: "item" }],
    ["a field that loses its focus while a clock ticks", { losesFocus: "pin", clock: true }],
    ["another record selected", { selectsNext: true }],
  ])("ends as not the recorded screen for %s", async (_, desk) => {
    // The bench waits as long as was recorded.
    const world = await executionWorld({ recording, desk, timeoutMs: 1_500 });
    await world.execute();
    const run = await world.find();
    const orders = world.driver.screen.desk.orders.map(({ customer, item }) => [customer, item]);
    expect({ code: run?.errorCode, error: run?.error, orders }).toMatchObject({
      code: expect.stringMatching(/^(start_not_reached|replay_diverged|outcome_not_seen)$/),
    });
  });

  it("says which part of the last recorded screen it has not seen", async () => {
    const unfinished = { ...recording, elements: recording.elements.slice(0, 4) };
    const world = await executionWorld({ recording: unfinished });
    await world.execute();
    expect((await world.find())?.errorCode).toBe("outcome_not_seen");
    const missed = (await world.steps()).filter(({ trail }) => trail.missed !== undefined);
    expect(missed.map(({ action, trail }) => [action.type, trail.missed])).toEqual([["finish", 0]]);
  });

  it.each<[string, DeskInput]>([
    ["a clock that ticks", { clock: true }],
    ["a spinner that turns", { spinner: true }],
    ["letters that come 200 ms late", { lateLettersMs: 200 }],
    ["letters that come 3 s late", { lateLettersMs: 3_000 }],
  ])("goes on beside %s", async (_, desk) => {
    const world = await executionWorld({ recording, desk });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
  });
});

describe("a guard", () => {
  it("is not seen on a display of another size, though its part is the same", () => {
    const canvas = new Canvas(320, 200, 0xd0d0d0);
    const field = { x: 8, y: 8, width: 96, height: 48 };
    const png = Buffer.from(pngCodec.encode(crop(canvas, field))).toString("base64");
    const element: TrajectoryElement = {
      action: { type: "type", text: "7" },
      by: "replay",
      timeoutMs: 0,
      guard: { ...field, png },
    };
    const on = (width: number) =>
      matchElement(canvas, element, {
        codec: pngCodec,
        trail: noTrail,
        lastAnchored: undefined,
        recordedSize: { width, height: 200 },
      });
    expect(on(320)).toMatchObject({ isFound: true });
    expect(on(400)).toMatchObject({ isFound: false, reason: "wrong_size" });
  });
});
