import { describe, expect, it } from "vitest";
import type { DeskInput } from "../../../infra/driver/screens/desk/desk-options.ts";
import { deriveId } from "../../../shared/domain/derive-id.ts";
import type { Json } from "../../../shared/domain/json.ts";
import type { Spilled } from "../../../shared/domain/spill.ts";
import { zodTrajectoryReader } from "../../../shared/schema/zod-trajectory-reader.ts";
import { demoRecording } from "../../support/execution/demo-recording.ts";
import { type ExecutionWorldOptions, executionWorld } from "../../support/execution/execution-world.ts";
import { replyWith, sentIn, usage } from "../../support/execution/fake-models.ts";
import { KillSwitch } from "../../support/execution/kill-switch.ts";
import { plainRecording, scroll, smallDesk } from "../../support/execution/plain-recording.ts";
import type { Recording } from "../../support/execution/record-demo.ts";
import { byRepairing } from "../../support/execution/repair-brain.ts";

const mainPrompt =
  "Make an order for Daniel Weiß: {quantity} of {item}, with the PIN {$pin}. Put out the order's number.";
const success = { kind: "ended", status: "success" };
const demo = demoRecording();

type World = Awaited<ReturnType<typeof executionWorld>>;

async function repairWorld(options: Partial<ExecutionWorldOptions> = {}) {
  return await executionWorld({
    ...{ recording: demo, workflow: { mainPrompt }, timeoutMs: 300 },
    model: { decide: byRepairing, hasTrajectory: true },
    ...options,
  });
}

/** As if they had been recorded far from where they are now. */
function recordedElsewhere(...places: readonly number[]): Recording {
  const elements = demo.elements.map((each, at) =>
    each.anchor === undefined || !places.includes(at)
      ? each
      : { ...each, anchor: { ...each.anchor, y: each.anchor.y < 300 ? 500 : 100 } },
  );
  return { ...demo, elements };
}

/** What was made of the run. */
async function recordedOf({ stores, files, organizationId, job }: World): Promise<Recording> {
  const found = await stores.trajectories.find(organizationId, deriveId(job.assignmentId, 1));
  if (found === undefined) throw new Error("nothing was made of the run");
  const contentOf = async (kept: Spilled | null): Promise<Json> => {
    if (kept === null) return null;
    if (kept.kind === "inline") return kept.value;
    return JSON.parse(new TextDecoder().decode(await files.get(kept.key, kept.bytes))) as Json;
  };
  const elements = ((await contentOf(found.data)) as readonly Json[]).map((value) => {
    const element = zodTrajectoryReader.readElement(value);
    if (element.kind === "unreadable") throw new Error(element.reason);
    return element.element;
  });
  const screens = await contentOf(found.screens);
  const read = zodTrajectoryReader.readScreens({ dimensions: found.dimensions, screens });
  return { elements, expect: read.expect, dimensions: read.dimensions ?? smallDesk.size };
}

describe("a replay with a model", () => {
  it.each<[string, DeskInput, Recording, readonly [replayed: number, repaired: number]]>([
    ["a dialog that was not there", { dialog: "open", dimmed: true }, demo, [11, 1]],
    ["a button that moved far", {}, recordedElsewhere(8), [10, 2]],
    ["a page more", {}, { ...demo, elements: demo.elements.slice(1) }, [10, 1]],
    ["a page less", { open: true }, demo, [10, 1]],
  ])("goes on after one repair for %s; what is made of it needs none", async (_, desk, recording, counts) => {
    const world = await repairWorld({ desk, recording });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Daniel Weiß", item: "Chair" }]);
    const [replayed, repaired] = counts;
    expect((await world.find())?.usageMetadata).toMatchObject({
      ...{ agentic_steps: 0, replayed_steps: replayed, repaired_steps: repaired },
    });
    const failed = (await world.steps()).filter(({ status }) => status === "failed");
    expect(failed.map(({ source }) => source)).toEqual(["replay"]);
    expect(sentIn(world.requests).includes("9753")).toBe(false);
    const again = await executionWorld({ recording: await recordedOf(world), desk });
    expect(await again.execute()).toEqual(success);
  });

  it("goes on alone after three repairs", async () => {
    const recording = recordedElsewhere(2, 4, 6, 8);
    const world = await repairWorld({ recording });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.screen.desk.orders).toMatchObject([{ customer: "Daniel Weiß", item: "Chair" }]);
    const steps = await world.steps();
    expect(steps.filter(({ source, status }) => source === "replay" && status === "failed")).toHaveLength(4);
    expect((await world.find())?.usageMetadata).toMatchObject({ replayed_steps: 5, repaired_steps: 3 });
    expect(sentIn(world.requests)).toContain("What was done so far");
  });

  it("asks no model with `only`", async () => {
    const world = await repairWorld({ desk: { dialog: "open" }, workflow: { mainPrompt, replay: "only" } });
    await world.execute();
    expect(await world.find()).toMatchObject({ errorCode: "replay_diverged" });
    expect(world.requests).toEqual([]);
  });

  it("does each action once when it is killed at each kind of call", async () => {
    const options: Partial<ExecutionWorldOptions> = {
      ...{ desk: { dialog: "open" }, timeoutMs: 0 },
      recording: { ...demo, elements: demo.elements.slice(0, 2), expect: [] },
    };
    const whole = new KillSwitch();
    await (await repairWorld({ ...options, kills: whole })).execute();
    const asked = whole.points.findIndex(({ name }) => name === "model");
    // Of each kind the first one from there on.
    const points = whole.points.slice(asked).reverse();
    const kinds = new Map(points.map((point) => [`${point.when} ${point.name.split(" ")[0]}`, point]));
    for (const { number, when, name } of kinds.values()) {
      const kills = new KillSwitch((point) => point.number === number && point.when === when);
      const world = await repairWorld({ ...options, kills });
      await world.execute();
      const run = await world.find();
      expect([when, name, run?.status, world.driver.done.length]).toEqual([when, name, "success", 3]);
      // One that was about to be sent is a step, too, of which nobody knows.
      const undone = (await world.steps()).filter(({ status }) => status === "unknown").length;
      const counted = { replayed_steps: 2, repaired_steps: 1 + undone };
      expect([when, name, run?.usageMetadata]).toMatchObject([when, name, counted]);
    }
  }, 120_000);
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
      ...{ ...small, recording: { ...recording, elements } },
      model: {
        decide: (_, nth) => replyWith([nth === 1 ? { type: "finish" } : scroll]),
        hasTrajectory: true,
      },
    });
    expect(await world.execute()).toEqual(success);
    expect(world.requests[0]?.tools).toEqual({ kind: "actions", types: ["scroll", "wait", "fail"] });
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
      ...{ status: "success", outputData: { value: { who: "Bo", count: 4 } } },
      usageMetadata: { agentic_steps: 2, input_tokens: 300 },
    });
    expect(sentIn(well.requests.slice(1, 2))).toContain("Chair is there");
    expect(sentIn(well.requests.slice(1, 2))).not.toContain("Do it.");
    const badly = await (await judged(false)).find();
    expect(badly).toMatchObject({ errorCode: "outcome_not_seen" });
    expect(badly?.error[0]).toContain("it is not there");
  });
});
