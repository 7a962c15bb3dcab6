import { describe, expect, it } from "vitest";
import {
  changedElement,
  dataOf,
  editedOf,
  moved,
  problemsByElement,
  replacedText,
  retargeted,
  warnedPlaces,
  withInput,
} from "../../../../functions/console/page/workflows/trajectory/edit-elements.ts";
import {
  elementView,
  inputsIn,
  secretsIn,
  wordsOf,
} from "../../../../functions/console/page/workflows/trajectory/element-view.ts";

const anchor = { x: 10, y: 10, width: 64, height: 64, png: "iVBORw0KGgo=" };
const click = { action: { type: "click", x: 20, y: 30, target: "the button Save" }, anchor };
const typing = { action: { type: "type", text: "Miller, Bonn" }, is_from_screen: true };

function words(action: object): string | undefined {
  const view = elementView({ action });
  return view && wordsOf(view);
}

describe("elements of a recording", () => {
  it("are moved, also past the ends, and stay themselves when they are changed", () => {
    const elements = editedOf(["a", "b", "c"]);
    expect(dataOf(moved(elements, 0, 2))).toEqual(["b", "c", "a"]);
    expect(dataOf(moved(elements, 2, -5))).toEqual(["c", "a", "b"]);
    expect(dataOf(moved(elements, 7, 0))).toEqual(["a", "b", "c"]);
    expect(changedElement(moved(elements, 0, 1), 0, "A")).toEqual([
      { id: 1, value: "b" },
      { id: 0, value: "A" },
      { id: 2, value: "c" },
    ]);
  });

  it("are cut anew at another place of a kept picture, and stay on their piece without one", () => {
    const screen = { recording_id: "r", index: 3 };
    expect(retargeted({ ...click, screen }, { x: 500, y: 400 })).toEqual({
      action: { ...click.action, x: 500, y: 400 },
      screen,
    });
    expect(retargeted(click, { x: 40, y: 40 })).toEqual({
      ...click,
      action: { ...click.action, x: 40, y: 40 },
    });
    expect(retargeted(click, { x: 500, y: 400 })).toBeUndefined();
  });

  it("type an input in place of a text, or of the part that is selected", () => {
    const selected = { from: 0, to: 6 };
    expect(withInput(typing, "customer")).toEqual({ action: { type: "type", text: "{customer}" } });
    expect(withInput(typing, "customer", selected)).toEqual({
      action: { type: "type", text: "{customer}, Bonn" },
    });
    expect([replacedText(typing), replacedText(typing, selected)]).toEqual(["Miller, Bonn", "Miller"]);
  });

  it("are said in words", () => {
    expect(words({ type: "click", x: 1, y: 2, clicks: 2, target: "the icon" })).toBe("Double click the icon");
    expect(words({ type: "click", x: 1, y: 2, button: "right" })).toBe("Click (right button) the place 1, 2");
    expect(words({ type: "scroll", direction: "down", amount: 3, target: "the list" })).toBe(
      "Scroll down by 3 at the list",
    );
    expect(words({ type: "open", program: "Orders", if_open: "restart" })).toBe("Open Orders, started anew");
    expect(words({ type: "dance" })).toBe("dance");
  });

  it("may be anything while nobody has approved them", () => {
    expect(elementView("a worker's own")).toBeUndefined();
    expect(elementView({ action: "left_click" })).toBeUndefined();
    const odd = elementView({ action: { type: "click", x: "1" }, anchor: { ...anchor, png: '" onload="x' } });
    expect([odd?.pieces, odd?.points]).toEqual([[], []]);
  });

  it("name inputs and secrets, without what they save themselves", () => {
    const views = [
      { type: "type", text: "{user.name} {$bank.totp} {number}" },
      { type: "copy_to_clipboard", save_as: "number" },
    ].flatMap((action) => elementView({ action }) ?? []);
    expect([inputsIn(views), secretsIn(views)]).toEqual([["user"], ["bank"]]);
  });

  it("have their own problems and warnings", () => {
    const details = [
      { loc: ["body", "trajectory_data", 3, "anchor"], msg: "element 4 cannot be replayed" },
      { loc: ["body", "name"], msg: "too long" },
    ];
    expect([...problemsByElement(details)]).toEqual([
      [3, ["element 4 cannot be replayed"]],
      [undefined, ["too long"]],
    ]);
    expect(problemsByElement({ by: "x" }).size).toBe(0);
    expect(warnedPlaces("elements 1, 2, 12 act at a recorded place")).toEqual([0, 1, 11]);
    expect(warnedPlaces("element 2 of reset names {x}")).toEqual([]);
    expect(warnedPlaces("this trajectory checks nothing of its end")).toEqual([]);
  });
});
