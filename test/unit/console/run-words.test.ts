import { describe, expect, it } from "vitest";
import { differences } from "../../../functions/console/page/runs/differences.ts";
import { actionWords, namesOf, pointsOf } from "../../../functions/console/page/runs/run-words.ts";

describe("a step's action in words", () => {
  it.each([
    [{ type: "click", x: 1, y: 2, target: "the field Customer" }, "click the field Customer"],
    [{ type: "type", text: "{customer}" }, "type {customer}"],
    [{ type: "copy_to_clipboard", save_as: "n" }, "copy to clipboard"],
    [{ type: "ask_person", question: "which one?" }, "ask person which one?"],
  ])("%j is %s", (action, words) => {
    expect(actionWords(action)).toBe(words);
  });

  it("has the places on the screen that it is about", () => {
    expect(pointsOf({ type: "click", x: 3, y: 4 })).toEqual([{ x: 3, y: 4 }]);
    expect(pointsOf({ type: "drag", start_x: 1, start_y: 2, to_x: 3, to_y: 4 })).toEqual([
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ]);
    expect(pointsOf({ type: "key", text: "Return" })).toEqual([]);
  });
});

it("names what is beside a run, and has words for what has no name", () => {
  const unnamed = { id: "w", name: "" };
  const machine = { id: "m", name: "", hostname: "till-4" };
  const included = [unnamed, machine] as unknown as Parameters<typeof namesOf>[0];
  expect([...namesOf(included)]).toEqual([
    ["w", "Workflow"],
    ["m", "till-4"],
  ]);
});

describe("differences of two pictures", () => {
  const grey = (...levels: readonly number[]) =>
    Uint8ClampedArray.from(levels.flatMap((level) => [level, level, level, 255]));

  it("are marked where pixels differ visibly, and nowhere else", () => {
    const { pixels, share } = differences(grey(10, 10, 10, 10), grey(10, 20, 200, 10));
    expect(share).toBe(0.25);
    expect([...pixels].filter((_, at) => at % 4 === 3)).toEqual([0, 0, 170, 0]);
  });
});
