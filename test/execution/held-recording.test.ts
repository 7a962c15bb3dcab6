import { describe, expect, it } from "vitest";
import type { Action } from "../../shared/domain/action/action.ts";
import type { Picture } from "../../shared/domain/picture/picture.ts";
import { pngCodec } from "../../shared/pictures/png-codec.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { type ExecutionWorld, executionWorld } from "../support/execution/execution-world.ts";
import { type Decide, replyWith } from "../support/execution/fake-models.ts";
import { heldWorld } from "../support/execution/held-world.ts";
import { keptOf } from "../support/execution/kept-of.ts";
import { recordingByModel } from "../support/execution/recorded-by-model.ts";
import { repairPrompt, repairWorld } from "../support/execution/repair-world.ts";
import { sameScreens } from "../support/pictures/same-screens.ts";

const ask: Action = { type: "ask_person", question: "Will you fill in the item?" };

const asksOnce: Decide = ({ turns }) =>
  replyWith([turns.some(({ role }) => role === "model") ? { type: "finish" } : ask]);

const [open, , item] = demoRecording().elements.map(({ action }) => action);

function pointOf(action: Action | undefined) {
  const { x, y } = { x: Number.NaN, y: Number.NaN, ...action };
  return { x, y };
}

/** The model asks, the program is opened by nobody's recorded action, and the person fills in a field. */
async function filledIn(text: string, secrets: Readonly<Record<string, string>> = {}) {
  const { world } = await heldWorld({
    recording: { ...demoRecording(), elements: [], expect: [] },
    inputs: { item: "Chair" },
    secrets,
    workflow: {
      mayAsk: true,
      mainPrompt: ["Fill in {item}", ...Object.keys(secrets).map((alias) => `{$${alias}}`)].join(" "),
    },
    model: { decide: asksOnce },
    meanwhile: async ({ change, drive, resume }) => {
      await change("input/mouse/click", { ...pointOf(open), clicks: 2 });
      await drive("input/mouse/click", pointOf(item));
      await drive("input/keyboard/type", { text });
      await drive("input/mouse/click", pointOf(item));
      await resume();
    },
  });
  expect(await world.find()).toMatchObject({ status: "success" });
  return world;
}

describe("a trajectory of a run in which a model asked a person", () => {
  it("has what the person did, by the screen right before it, and not the question", async () => {
    const world = await filledIn("Chair");
    const recording = await recordingByModel(world);
    expect(recording.elements.map(({ action, by }) => [by, action.type])).toEqual([
      ["replay", "click"],
      ["replay", "type"],
      ["replay", "click"],
      ["replay", "finish"],
    ]);
    const [clicked, typed] = recording.elements;
    expect(clicked?.anchor).toBeDefined();
    expect(typed).toMatchObject({ action: { text: "{item}" }, guard: {} });
    // The next run has nobody to ask, and the program is open.
    const again = await executionWorld({
      recording: { ...recording, expect: [] },
      desk: { open: true },
      inputs: { item: "Table" },
      secrets: {},
    });
    await again.execute();
    expect(await again.find()).toMatchObject({ error: [], status: "success" });
    expect(again.driver.done.some(({ body }) => body.includes('"Table"'))).toBe(true);
  });
});

describe("a model that repairs a replay", () => {
  const desk = { dialog: "open", dimmed: true } as const;
  const timeoutMs = 300;

  it("asks a person to do it, and the replay goes on, then and the next time", async () => {
    const alone = await repairWorld({ desk, timeoutMs });
    await alone.execute();
    const closing = (await alone.steps()).find(({ source }) => source === "model");
    const { world } = await heldWorld({
      recording: demoRecording(),
      desk,
      timeoutMs,
      workflow: { mayAsk: true, mainPrompt: repairPrompt },
      model: { decide: () => replyWith([ask]), hasTrajectory: true },
      meanwhile: async ({ drive, resume }) => {
        await drive("input/mouse/click", pointOf(closing?.action as Action | undefined));
        await resume();
      },
    });
    expect(await world.find()).toMatchObject({ status: "success", usageMetadata: { replayed_steps: 11 } });
    expect(world.requests).toHaveLength(1);
    const recording = await recordingByModel(world);
    expect(recording.elements).toHaveLength(demoRecording().elements.length + 1);
    const again = await executionWorld({ recording, desk, timeoutMs });
    await again.execute();
    expect(await again.find()).toMatchObject({ error: [], status: "success" });
  });
});

describe("a secret that a person types", () => {
  const secrets = ["Kxanmary-4711K", "K1147-yramnaxK"] as const;

  const picturesOf = async (world: ExecutionWorld): Promise<readonly Picture[]> => {
    const steps = await world.steps();
    const keys = steps.flatMap(({ trail, pictureKey }) => [trail.beforeKey, pictureKey]);
    const kept = keys.flatMap((key) => key ?? []);
    return await Promise.all(
      kept.map(async (key) => pngCodec.decode((await world.files.get(key, 1e8)) ?? new Uint8Array())),
    );
  };

  it("is in no step, and painted over in all pictures before and after", async () => {
    const [one, other] = await Promise.all(secrets.map(async (pin) => await filledIn(pin, { pin })));
    if (!one || !other) throw new Error("there are two runs");
    const steps = await one.steps();
    expect(steps.filter(({ source }) => source === "person").map(({ action }) => action)).toMatchObject([
      { type: "click" },
      { type: "type", text: "{$pin}" },
      { type: "click" },
    ]);
    expect(await keptOf(one)).not.toContain(secrets[0]);
    const [pictures, others] = [await picturesOf(one), await picturesOf(other)];
    expect(pictures).toHaveLength(others.length);
    expect(pictures.length).toBeGreaterThanOrEqual(8);
    expect(pictures.map((picture, at) => sameScreens(picture, others[at] ?? picture))).toEqual(
      pictures.map(() => true),
    );
    // What the desktop shows does differ.
    const shown = await Promise.all(
      [one, other].map(async ({ driver }) => pngCodec.decode(await screenshotOf(driver))),
    );
    expect(sameScreens(...(shown as [Picture, Picture]))).toBe(false);
  });
});

async function screenshotOf({ desktop }: ExecutionWorld["driver"]): Promise<Uint8Array> {
  const { body } = await desktop.handle({
    method: "GET",
    path: "/computer/display/screenshot",
    query: "",
    headers: {},
    signal: AbortSignal.timeout(60_000),
    body: { bytes: async () => new Uint8Array(), stream: async () => undefined as never, size: 0 },
  });
  return body as Uint8Array;
}
