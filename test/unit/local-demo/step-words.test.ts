import { expect, it } from "vitest";
import { wordsOf } from "../../../infra/local/demo/step-words.ts";

const step = {
  index: 3,
  action: { type: "click", target: "the button Save" },
  expected: null,
  screenshot: null,
  duration_ms: 240,
  match: { score: 1, waited_ms: 120, reason: null },
};

it("calls found what was done, and nothing else", () => {
  expect(wordsOf({ ...step, status: "done" })).toBe(
    "  3  click the button Save: done in 240 ms, found with 1.000 after 120 ms",
  );
  const match = { score: 1, waited_ms: 10_000, reason: "other_screen" };
  expect(wordsOf({ ...step, status: "failed", match })).toBe(
    "  3  click the button Save: failed in 240 ms, other_screen, the place that came nearest with 1.000 after 10000 ms",
  );
});
