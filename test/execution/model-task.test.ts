import { beforeAll, describe, expect, it } from "vitest";
import type { DeskInput } from "../../infra/demo-desk/desk-options.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { type ExecutionWorldOptions, executionWorld } from "../support/execution/execution-world.ts";
import { byLooking, picturesOf, sentIn, wordsOf } from "../support/execution/fake-models.ts";
import type { Recording } from "../support/execution/record-demo.ts";

const mainPrompt =
  "Make an order for Daniel Weiß: {quantity} of {item}, with the PIN {$pin}. Put out the order's number.";
const success = { kind: "ended", status: "success" };

let recording: Recording;

beforeAll(() => {
  recording = demoRecording();
});

const taskWorld = async (options: Partial<ExecutionWorldOptions> = {}) =>
  await executionWorld({
    recording,
    workflow: { mainPrompt },
    model: { decide: byLooking },
    ...options,
  });

describe("a run without a trajectory", () => {
  it.each<[string, DeskInput]>([
    ["a desk as it is", {}],
    ["another place, and a program that opens late", { seed: 22 }],
    ["a dialog before the order is saved", { dialog: "save" }],
  ])("is carried out by a model that looks at the screen: %s", async (_, desk) => {
    const world = await taskWorld({ desk });
    expect(await world.execute()).toEqual(success);
    const [order, ...more] = world.driver.screen.desk.orders;
    expect([order, more]).toMatchObject([{ customer: "Daniel Weiß", item: "Chair", quantity: 2 }, []]);
    const calls = world.requests.length;
    expect(await world.find()).toMatchObject({
      status: "success",
      error: [],
      errorCode: null,
      outputData: { value: { order_number: String(order?.number), item: "Chair", quantity: "2" } },
      usageMetadata: {
        agentic_steps: calls,
        replayed_steps: 0,
        repaired_steps: 0,
        input_tokens: 100 * calls,
        output_tokens: 10 * calls,
        cached_tokens: 50 * calls,
      },
      modelTokens: [{ provider: "anthropic", model: "a-model", inputTokens: 100 * calls }],
    });
  });

  it("shows each step with who decided it, and no secret", async () => {
    const world = await taskWorld();
    await world.execute();
    const steps = await world.steps();
    expect(steps.map(({ source, action }) => [source, action.type])).toEqual([
      ["service", "screenshot"],
      ["model", "click"],
      ...["click", "click", "type", "click", "type", "click", "type", "click", "click"].map((type) => [
        "model",
        type,
      ]),
      ...["copy_to_clipboard", "finish"].map((type) => ["model", type]),
    ]);
    expect(steps[8]).toMatchObject({ action: { type: "type", text: "{$pin}" }, model: "a-model" });
    expect(steps[1]?.usage).toEqual({ inputTokens: 100, outputTokens: 10, cachedTokens: 50 });
    const sent = sentIn(world.requests);
    expect(sent).toContain("{$pin}");
    expect(sent.includes("9753")).toBe(false);
  });

  it("sends the last pictures as pictures, and goes on from the same words", async () => {
    const world = await taskWorld();
    await world.execute();
    const counts = world.requests.map(({ turns }) => turns.flatMap(picturesOf).length);
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 3, 4]);
    const [first, second] = world.requests.map(({ turns }) => wordsOf(turns));
    expect(second?.startsWith(first ?? "-")).toBe(true);
    expect(wordsOf(world.requests.at(-1)?.turns ?? [])).toContain("earlier picture");
  });
});
