import { describe, expect, it } from "vitest";
import type { Action } from "../../../shared/domain/trajectory/action.ts";
import { executionWorld } from "../../support/execution/execution-world.ts";
import { replyWith } from "../../support/execution/fake-models.ts";
import { scrolls, smallDesk } from "../../support/execution/plain-recording.ts";

const scroll: Action = { type: "scroll", direction: "down", amount: 1 };
const replies: readonly (readonly Action[])[] = [
  [scroll, { type: "move", x: 5, y: 150 }],
  [scroll],
  [{ type: "finish" }],
];

async function runWith({ replyMs }: { readonly replyMs: number }) {
  let asked = 0;
  const world = await executionWorld({
    ...{ recording: scrolls(1), desk: smallDesk, secrets: {}, workflow: { mainPrompt: "Scroll." } },
    model: {
      decide: () => {
        world.clock.advance(replyMs);
        asked += 1;
        return replyWith(replies[asked - 1] ?? []);
      },
    },
  });
  expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
  return world;
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
});
