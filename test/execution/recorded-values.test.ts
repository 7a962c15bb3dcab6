import { describe, expect, it } from "vitest";
import type { Action } from "../../shared/domain/action/action.ts";
import type { ModelReply } from "../../shared/domain/model/language-models.ts";
import { pngCodec } from "../../shared/pictures/png-codec.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { type ExecutionWorldOptions, executionWorld } from "../support/execution/execution-world.ts";
import { byLooking, type Decide, picturesOf, replyWith, usage } from "../support/execution/fake-models.ts";
import { recordedByModel, recordingByModel } from "../support/execution/recorded-by-model.ts";

const mainPrompt =
  "Make an order for {customer}: {quantity} of {item}, with the PIN {$pin}. Put out the order's number.";
const recorded = { customer: "Daniel Weiß", item: "Desk lamp", quantity: 3 };
const other = { ...recorded, customer: "Chloé Laurent" };
const success = { kind: "ended", status: "success" };

/** A model whose tool has no field for a target, as a provider's own computer tool. */
function withoutTargets(say: (action: Action) => string = () => "", acting: Decide = byLooking): Decide {
  return async (request, nth) => {
    const reply = await acting(request, nth);
    const [action] = actionsOf(reply);
    if (action === undefined) return reply;
    const { target: _, ...bare } = action;
    return replyWith([bare as Action], { text: say(action) });
  };
}

function actionsOf(reply: ModelReply): readonly Action[] {
  const decision = reply.kind === "replied" ? reply.calls[0]?.decision : undefined;
  return decision?.kind === "actions" ? decision.actions : [];
}

async function recordedBy(decide: Decide) {
  const world = await executionWorld({
    recording: demoRecording(),
    workflow: { mainPrompt },
    inputs: recorded,
    model: { decide },
  });
  expect(await world.execute()).toEqual(success);
  const original = (await recordedByModel(world))?.originalInputValues ?? {};
  return { recording: await recordingByModel(world), original };
}

describe("a recording whose click depends on an input that no element names", () => {
  const replay = async (options: Partial<ExecutionWorldOptions>) => {
    const made = await recordedBy(withoutTargets());
    expect(made.original).toEqual(recorded);
    return await executionWorld({ ...made, workflow: { mainPrompt, replay: "only" }, ...options });
  };

  it("is not replayed for another value of it, and the desktop is not touched", async () => {
    const world = await replay({ inputs: other });
    await world.execute();
    const run = await world.find();
    expect(run).toMatchObject({ status: "error", errorCode: "input_not_recorded" });
    expect(run?.error[0]).toContain("{customer}");
    expect(run?.error[0]).not.toContain("Chlo");
    expect([world.driver.done, await world.steps()]).toEqual([[], []]);
  });

  it("is the model's where one may act, which is shown with its first step", async () => {
    const world = await replay({
      inputs: other,
      workflow: { mainPrompt },
      model: { decide: byLooking, hasTrajectory: true },
    });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Chloé Laurent", item: "Desk lamp" }]);
    expect((await world.find())?.usageMetadata).toMatchObject({ replayed_steps: 0 });
    expect((await world.steps())[0]?.text).toContain("no element names it");
  });

  it("is replayed for another value of those that are named", async () => {
    const world = await replay({ inputs: { ...recorded, item: "Chair", quantity: 2 } });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Daniel Weiß", item: "Chair" }]);
  });

  it("verifies nothing by it", async () => {
    const made = await recordedBy(withoutTargets());
    const world = await executionWorld({
      ...made,
      inputs: other,
      workflow: { mainPrompt },
      verifies: { isApproved: true, originalInputValues: made.original },
    });
    await world.execute();
    expect(await world.find()).toMatchObject({ errorCode: "input_not_recorded" });
    const { stores, organizationId, trajectory } = world;
    expect(await stores.trajectories.find(organizationId, trajectory.id)).toMatchObject({ verifiedAt: null });
  });

  it("leaves out parameters that its model has never seen", async () => {
    const world = await executionWorld({
      recording: demoRecording(),
      workflow: { mainPrompt },
      inputs: { ...recorded, desk: "A1" },
      model: { decide: byLooking },
    });
    await world.execute();
    expect((await recordedByModel(world))?.originalInputValues).toEqual(recorded);
  });
});

describe("a click without a target", () => {
  it("gets one of what its model said, in terms of inputs", async () => {
    const say = ({ target = "" }: Action) =>
      target.includes("customer") ? "The list is there. Now daniel weiß is selected. I go on." : "";
    const { recording } = await recordedBy(withoutTargets(say));
    const named = recording.elements.filter(({ by }) => by === "model");
    expect(named.map(({ action }) => [action.type, action.target])).toEqual([
      ["click", "Now {customer} is selected."],
    ]);
  });
});

describe("a click of which nothing was said", () => {
  const typing: Decide = async (request, nth) => {
    const reply = await byLooking(request, nth);
    const [action] = actionsOf(reply);
    const isItem = action?.type === "type" && action.text === recorded.item;
    return isItem ? replyWith([{ ...action, text: `${recorded.item} ${recorded.customer}` }]) : reply;
  };
  const saysFirst = ({ target = "" }: Action) =>
    target.includes("icon") ? `I open Orders to find ${recorded.customer}.` : "";

  it.each<[string, Decide, number, readonly string[]]>([
    ["", withoutTargets(), 7, ["the row of {customer}"]],
    [
      ", also where the customer is typed, too",
      withoutTargets(() => "", typing),
      7,
      ["the row of {customer}"],
    ],
    [
      ", also where another click names the customer",
      withoutTargets(saysFirst),
      6,
      ["I open Orders to find {customer}.", "the row of {customer}"],
    ],
  ])(
    "is asked about after the run, with the point marked, and counted%s",
    async (_, acting, count, named) => {
      const asked: (number | undefined)[] = [];
      const decide: Decide = async (request, nth) => {
        if (request.tools.kind === "actions") return await acting(request, nth);
        const [turn] = request.turns;
        const [picture] = turn === undefined ? [] : picturesOf(turn);
        const { data } = pngCodec.decode(picture?.png ?? new Uint8Array());
        asked.push(data.findIndex((_, at) => at % 3 === 0 && data[at] === 255 && data[at + 1] === 0));
        const isRow = asked.length === count - 5;
        return { kind: "answered", value: isRow ? "the row of Daniel Weiß" : "a button", usage };
      };
      const world = await executionWorld({
        recording: demoRecording(),
        workflow: { mainPrompt },
        inputs: recorded,
        model: { decide },
      });
      expect(await world.execute()).toEqual(success);
      expect(asked).toHaveLength(count);
      expect(asked.every((at) => at !== undefined && at >= 0)).toBe(true);
      const { elements } = await recordingByModel(world);
      expect(elements.flatMap(({ by, action }) => (by === "model" ? [action.target] : []))).toEqual(named);
      expect((await world.find())?.usageMetadata).toMatchObject({
        input_tokens: 100 * world.requests.length,
      });
    },
  );
});

describe("a text that a model typed as it stood on the screen", () => {
  const recordTyping = async (text: string) => {
    let isTyped = false;
    const decide: Decide = async (request, nth) => {
      const reply = isTyped ? replyWith([{ type: "finish" }]) : await byLooking(request, nth);
      const [action] = actionsOf(reply);
      if (action?.type !== "type") return reply;
      isTyped = true;
      return replyWith([{ ...action, text }]);
    };
    return (await recordedBy(decide)).recording.elements.filter(({ action }) => action.type === "type");
  };

  it("is marked, unless its task or an input has it", async () => {
    for (const text of ["Order 4711", "Order 4711 Desk lamp", "Desk lamp, order 4711"]) {
      expect(await recordTyping(text)).toMatchObject([{ by: "replay", isFromScreen: true }]);
    }
    for (const text of ["the PIN", "Desk lamp", "the PIN (Desk lamp)"]) {
      expect((await recordTyping(text)).map(({ isFromScreen }) => isFromScreen)).toEqual([undefined]);
    }
  });
});
