import { describe, expect, it } from "vitest";
import { shownSteps } from "../../../../functions/console/page/workflows/record/shown-steps.ts";

const screenshot = { width: 1_280, height: 800 };
const step = (index: number, action: { readonly type: string; readonly [field: string]: unknown }) => ({
  index,
  action,
  status: "done" as const,
  error: null,
  screenshot,
  started_at: "2026-11-27T10:00:00.000Z",
});

describe("shownSteps", () => {
  it("leaves looks out, and says on which picture each action was done", () => {
    const steps = [
      step(1, { type: "screenshot" }),
      step(2, { type: "click", x: 1, y: 2 }),
      { ...step(3, { type: "key", text: "Tab" }), screenshot: null },
      step(4, { type: "click", x: 3, y: 4 }),
    ];
    expect(shownSteps(steps).map(({ index, seenAt }) => [index, seenAt])).toEqual([
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
  });

  it("shows what was typed in a row as one text, and inputs and secrets apart", () => {
    const texts = ["Pa", "per", "{item}", "x", "{$pin}"];
    const steps = texts.map((text, at) => step(at + 1, { type: "type", text }));
    expect(shownSteps(steps).map(({ action }) => action.text)).toEqual(["Paper", "{item}", "x", "{$pin}"]);
  });

  it("keeps what failed apart, with its reason", () => {
    const failed = { ...step(2, { type: "type", text: "b" }), status: "failed" as const, error: "gone" };
    const steps = [step(1, { type: "type", text: "a" }), failed, step(3, { type: "type", text: "c" })];
    expect(shownSteps(steps).map(({ action, problem }) => [action.text, problem])).toEqual([
      ["a", undefined],
      ["b", "gone"],
      ["c", undefined],
    ]);
  });
});
