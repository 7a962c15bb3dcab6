import { describe, expect, it } from "vitest";
import type { DeskInput } from "../../infra/demo-desk/desk-options.ts";
import { taskbarHeight } from "../../infra/demo-desk/draw-surroundings.ts";
import { Canvas } from "../../infra/demo-desk/drawing/canvas.ts";
import { themes } from "../../infra/demo-desk/drawing/theme.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { type ExecutionWorld, executionWorld } from "../support/execution/execution-world.ts";
import { recordedElsewhere } from "../support/execution/repair-world.ts";
import { FakeClock } from "../support/fakes/fake-clock.ts";

const demo = demoRecording();

async function divergence(desk: DeskInput, recording = demo, prepare = (_: ExecutionWorld) => {}) {
  // Where a minute ends meanwhile, more of a clock changes, and is waited for.
  const world = await executionWorld({ desk, recording, clock: new FakeClock() });
  prepare(world);
  await world.execute();
  const failed = (await world.steps()).find(({ status }) => status === "failed");
  return { error: failed?.error, waitedMs: failed?.match?.waitedMs ?? 0, world };
}

function inFront({ driver: { screen } }: ExecutionWorld) {
  const { desk } = screen;
  const size = { width: 1280, height: 800 };
  const draw = desk.draw.bind(desk);
  desk.draw = (words, now) => {
    draw(words, now);
    const { light } = themes;
    const canvas = Canvas.of(words, size);
    canvas.fill({ x: 0, y: 0, width: size.width, height: size.height - taskbarHeight }, light.window);
    canvas.fill({ x: 0, y: 0, width: size.width, height: 32 }, light.titleBar);
    canvas.text({ x: 12, y: 8 }, "Stock - Editor", { color: light.titleText });
    for (let y = 56; y < 600; y += 24) canvas.text({ x: 24, y }, `Line ${y}`, { color: light.text });
  };
}

describe("a screen that is not the recorded one", () => {
  it.each<[string, DeskInput]>([
    ["another theme", { theme: "dark" }],
    ["another program in front, in another theme", { theme: "dark", open: true }],
    ["another theme, with a clock that shows seconds", { theme: "dark", clock: true }],
  ])("is known after 3 s where nothing at all is alike: %s", async (_, desk) => {
    const { error, waitedMs } = await divergence(desk);
    expect(waitedMs).toBeGreaterThanOrEqual(3_000);
    expect(waitedMs).toBeLessThan(4_000);
    expect(error).toContain("nothing is as it was recorded");
  });

  it("is known after 3 s where another program of the same theme is in front", async () => {
    const { error, waitedMs, world } = await divergence({ clock: true }, demo, inFront);
    expect(waitedMs).toBeGreaterThanOrEqual(3_000);
    expect(waitedMs).toBeLessThan(4_000);
    expect(error).toContain("nothing is as it was recorded");
    expect(world.driver.done).toEqual([]);
  });

  it("is waited for as long as a program takes to open", async () => {
    const { world } = await divergence({ openingMs: 9_500 });
    expect(await world.find()).toMatchObject({ status: "success" });
  });

  it.each<[string, DeskInput, typeof demo, string]>([
    [
      "another window",
      { open: true },
      demo,
      "the icon Orders is there, but another window covers 57 % of the screen where the recording had none",
    ],
    [
      "a page that does not come",
      { openingMs: 60_000 },
      demo,
      "the customer Daniel Weiß is not to be seen: the screen is still that of element 1 (click the icon Orders)",
    ],
    [
      "a place far away",
      {},
      recordedElsewhere(8),
      "the button Save is not where it was recorded but 310 pixels below, and is followed up to 64 pixels",
    ],
    [
      "a backdrop behind a dialog",
      { dialog: "open", dimmed: true },
      demo,
      "the customer Daniel Weiß is there, but is darker than recorded, as behind a dialog; ",
    ],
    [
      "another size",
      { size: { width: 1024, height: 768 } },
      demo,
      "it has 1024 x 768 pixels, and was recorded with 1280 x 800",
    ],
  ])("is said what it shows instead: %s", async (_, desk, recording, words) => {
    const { error } = await divergence(desk, recording);
    expect(error).toContain(words);
  });
});
