import { expect, it } from "vitest";
import { wordsOf } from "../../../infra/local/demo/step-words.ts";

const match = { score: 1, second_best: 0.4, moved_by: { dx: 0, dy: 0 }, waited_ms: 120, reason: null };
const step = {
  index: 3,
  action: { type: "click", target: "the button Save" },
  duration_ms: 240,
  error: null,
  match,
};

it("says how well the place of a step was found that was done", () => {
  expect(wordsOf({ ...step, status: "done" })).toBe(
    "  3  click the button Save: done in 240 ms, found with 1.000 after 120 ms",
  );
});

it("gives no score to what was not done, but the reason", () => {
  const error = "the screen is another one than the recorded one";
  const failed = { ...step, status: "failed" as const, match: { ...match, reason: "other_screen" } };
  expect(wordsOf({ ...failed, error })).toBe(`  3  click the button Save: failed in 240 ms: ${error}`);
  expect(wordsOf(failed)).toBe("  3  click the button Save: failed in 240 ms: other_screen");
});
