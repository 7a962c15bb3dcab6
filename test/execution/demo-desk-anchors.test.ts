import { describe, expect, it } from "vitest";
import { type DeskInput, luckOf } from "../../infra/demo-desk/desk-options.ts";
import { cutAnchor } from "../../shared/domain/picture/cut-anchor.ts";
import { findAnchor } from "../../shared/domain/picture/find-anchor.ts";
import { DeskAtHand, deskIcon } from "../support/screens/desk-at-hand.ts";

const points = {
  customer: { x: 300, y: 306 },
  item: { x: 650, y: 232 },
  quantity: { x: 650, y: 274 },
  pin: { x: 650, y: 316 },
  save: { x: 690, y: 442 },
  number: { x: 897, y: 490 },
  confirmed: { x: 545, y: 490 },
};
type Step = keyof typeof points;

function prepare(input: DeskInput, step: Step): DeskAtHand {
  const at = new DeskAtHand({ ...input, open: true });
  if (step === "customer") return at;
  at.click(at.row(3));
  if (step === "item") return at;
  for (const [name, text] of [
    ["item", "Ink"],
    ["quantity", "3"],
    ["pin", "4711"],
  ] as const) {
    if (step === name) return at;
    at.click(name);
    at.type(text);
  }
  if (step !== "save") at.click("save");
  return at;
}

function look(input: DeskInput, step: Step) {
  const anchor = cutAnchor(prepare({}, step).screenshot(), points[step]);
  if (anchor === null) throw new Error(`nothing around ${step} is unique`);
  return findAnchor(prepare(input, step).screenshot(), anchor);
}

describe("anchors on the demo desk", () => {
  it.each(Object.keys(points) as Step[])("finds %s in a window that a seed has moved", (step) => {
    for (const seed of [1, 2, 3]) {
      const { x: dx, y: dy } = luckOf(seed).moved;
      expect(look({ seed }, step)).toMatchObject({ kind: "found", movedBy: { dx, dy } });
    }
  });

  it.each<[Step, DeskInput]>([
    ["save", { dialog: "open" }],
    ["item", { dialog: "open", dimmed: true }],
    ["number", { dialog: "save", dimmed: true }],
    ["confirmed", { dialog: "save" }],
    ["confirmed", { save: "broken" }],
    ["save", { save: "disabled" }],
    ["save", { hovered: "save" }],
    ["customer", { rows: "similar" }],
    ["customer", { rows: "identical" }],
    ["customer", { scrolled: 4 }],
    ["customer", { selected: 2 }],
    ["item", { blank: true }],
    ["item", { theme: "dark" }],
  ])("does not find %s with %j", (step, input) => {
    expect(look(input, step).kind).toBe("not_found");
  });

  it("finds what to open, and nothing of the program while it is loaded", () => {
    const loading = new DeskAtHand({ openingMs: 8_000 });
    const icon = cutAnchor(loading.screenshot(), deskIcon);
    expect(icon).not.toBeNull();
    loading.click(deskIcon, 2);
    const item = cutAnchor(prepare({}, "item").screenshot(), points.item);
    if (item === null) throw new Error("nothing around item is unique");
    expect(findAnchor(loading.screenshot(), item).kind).toBe("not_found");
    loading.now += 8_000;
    loading.click(loading.row(3));
    expect(findAnchor(loading.screenshot(), item).kind).toBe("found");
  });
});
