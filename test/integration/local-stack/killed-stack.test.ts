import { expect, it } from "vitest";
import { runsThroughKill } from "../../support/stack/killed-stack.ts";

it("goes on with its runs after it was killed and started again on its data, each action once", async () => {
  const { runs, actions, seconds } = await runsThroughKill(3);
  expect(runs).toEqual(runs.map(() => ({ status: "success", error: [], done: actions })));
  expect(seconds).toBeLessThan(60);
});
