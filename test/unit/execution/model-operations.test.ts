import { describe, expect, it, vi } from "vitest";
import type { Action } from "../../../shared/domain/action/action.ts";
import { executionWorld } from "../../support/execution/execution-world.ts";
import { replyWith } from "../../support/execution/fake-models.ts";
import { KillSwitch } from "../../support/execution/kill-switch.ts";
import { scrolls, smallDesk } from "../../support/execution/plain-recording.ts";

const scroll: Action = { type: "scroll", direction: "down", amount: 1 };
const replies: readonly (readonly Action[])[] = [
  [scroll, { type: "move", x: 5, y: 150 }],
  [scroll],
  [{ type: "finish" }],
];

async function runWith({ replyMs }: { readonly replyMs: number }) {
  let asked = 0;
  let settled = 0;
  const kills = new KillSwitch();
  const world = await executionWorld({
    recording: scrolls(1),
    desk: smallDesk,
    secrets: {},
    workflow: { mainPrompt: "Scroll." },
    kills,
    model: {
      decide: () => {
        world.clock.advance(replyMs);
        asked += 1;
        return replyWith(replies[asked - 1] ?? []);
      },
    },
  });
  const { deps } = world;
  if (deps.models === undefined) throw new Error("the world has no models");
  const { openDesktop } = deps;
  vi.spyOn(deps, "openDesktop").mockImplementation((execution) => {
    const desktop = openDesktop(execution);
    const settle = desktop.settled.bind(desktop);
    vi.spyOn(desktop, "settled").mockImplementation(async () => {
      settled += 1;
      await settle();
    });
    return desktop;
  });
  const keys = vi.spyOn(deps.models.providerKeys, "find");
  expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
  const reads = kills.points.filter(
    ({ name, when }) => name === "GetItemCommand" && when === "before",
  ).length;
  return { ...world, settled, reads, keyLookUps: keys.mock.calls.length };
}

describe("the engine's operations of a model's steps", () => {
  it("are one for a reply and the first of it, one for each that follows", async () => {
    const { durable, requests, driver } = await runWith({ replyMs: 3_000 });
    expect([requests.length, driver.done.length]).toEqual([3, 3]);
    const names = durable.operations.map(({ name }) => name);
    expect(names).toEqual(["begin", "step 1", "ask 1", "step 3", "ask 2", "ask 3", "record", "end"]);
  });

  it("are two for a reply that leaves too little of the invocation", async () => {
    const { durable, driver } = await runWith({ replyMs: 760_000 });
    expect(driver.done).toHaveLength(3);
    const names = durable.operations.map(({ name }) => name);
    expect(names.slice(1, 6)).toEqual(["step 1", "ask 1", "yield", "step 2", "step 3"]);
  });

  it("wait for what goes on beside them only where the invocation may end", async () => {
    expect(await runWith({ replyMs: 3_000 })).toMatchObject({ settled: 1 });
    const { settled, durable } = await runWith({ replyMs: 760_000 });
    expect(settled).toBe(1 + durable.operations.filter(({ kind }) => kind === "wait").length);
  });

  it("look a desktop up once while it answers from one quick step to the next, and a key once a reply", async () => {
    const slow = await runWith({ replyMs: 3_000 });
    const quick = await runWith({ replyMs: 100 });
    // One before the first reply: the run's plan needs a key.
    expect([slow.keyLookUps, quick.keyLookUps]).toEqual([1 + 3, 1 + 3]);
    expect(slow.reads - quick.reads).toBe(1);
  });
});
