import { describe, expect, it } from "vitest";
import { luckOf, movedMax } from "../../../infra/demo-desk/desk-options.ts";
import type { Box } from "../../../infra/demo-desk/drawing/canvas.ts";
import { DeskAtHand, deskIcon } from "../../support/screens/desk-at-hand.ts";

const isWithin = (inner: Box | undefined, outer: Box | undefined): boolean =>
  inner !== undefined &&
  outer !== undefined &&
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

describe("the demo desk", () => {
  it("opens its program at a double click on the icon, once it is loaded", () => {
    const at = new DeskAtHand({ openingMs: 8_000 });
    at.click(deskIcon);
    at.now += 1_000;
    expect(at.desk.boundsOf("save")).toBeUndefined();
    const before = at.picture();
    at.click(deskIcon, 2);
    expect(at.changedSince(before)).toBeDefined();
    at.now += 7_999;
    expect(at.desk.boundsOf("save")).toBeUndefined();
    at.now += 1;
    expect(at.desk.boundsOf("save")).toBeDefined();
  });

  it("begins anew when it is opened again, with the next order's number", () => {
    const at = new DeskAtHand();
    at.fill();
    at.click("save");
    at.click("item");
    at.type("left over");
    at.click("close");
    expect(at.desk.boundsOf("save")).toBeUndefined();
    at.click(deskIcon, 2);
    at.fill();
    at.click("save");
    expect(at.desk.orders.map(({ number, item }) => [number, item])).toEqual([
      [1042, "Ink"],
      [1043, "Ink"],
    ]);
  });

  it("types into the focused field and changes only that", () => {
    const at = new DeskAtHand();
    at.click("item");
    const before = at.picture();
    at.type("Blue ink");
    expect(isWithin(at.changedSince(before), at.desk.boundsOf("item"))).toBe(true);
    expect(at.textOf("item")).toBe("Blue ink");
  });

  it("types nowhere while nothing has the keyboard", () => {
    const at = new DeskAtHand();
    const before = at.picture();
    at.type("lost");
    at.keys("BackSpace a Left");
    expect(at.changedSince(before)).toBeUndefined();
  });

  it("blinks its cursor and nothing else, within a box of 4 x 40", () => {
    const at = new DeskAtHand();
    at.click("item");
    const shown = at.picture();
    at.now += 600;
    expect(at.changedSince(shown)).toMatchObject({ width: 1, height: 18 });
  });

  it.each([
    ["Left Left x Right y", "axbyc"],
    ["Home x", "xabc"],
    ["Home End x", "abcx"],
    ["BackSpace", "ab"],
    ["Home Delete", "bc"],
    ["shift+Left shift+Left x", "ax"],
    ["ctrl+a x", "x"],
    ["ctrl+a ctrl+x ctrl+v ctrl+v", "abcabc"],
    ["shift+x", "abcX"],
    ["alt+x", "abc"],
  ])("edits a field by %s", (keys, text) => {
    const at = new DeskAtHand();
    at.click("item");
    at.type("abc");
    at.keys(keys);
    expect(at.textOf("item")).toBe(text);
  });

  it("puts the cursor where a field is clicked, and selects all at the second click", () => {
    const at = new DeskAtHand();
    at.click("item");
    at.type("abc");
    const { x, y } = at.desk.boundsOf("item") ?? { x: 0, y: 0 };
    at.now += 1_000;
    at.click({ x: x + 9, y: y + 9 });
    at.type("x");
    expect(at.textOf("item")).toBe("xabc");
    at.now += 1_000;
    at.click("item", 2);
    at.type("y");
    expect(at.textOf("item")).toBe("y");
  });

  it("goes from field to field with Tab, and back with Shift+Tab", () => {
    const at = new DeskAtHand();
    at.click("item");
    at.type("a\tb");
    at.keys("Tab shift+Tab c");
    expect([at.textOf("item"), at.textOf("quantity")]).toEqual(["a", "c"]);
  });

  it("selects all of a field whose label is clicked, so that it can be copied or typed over", () => {
    const at = new DeskAtHand();
    at.fill();
    at.click("save");
    const { x, y } = at.desk.boundsOf("number") ?? { x: 0, y: 0 };
    at.click({ x: x - 47, y: y + 16 });
    at.keys("ctrl+c");
    expect(at.desk.clipboard).toBe("1042");
  });

  it("shows a PIN as dots, all alike, and does not copy it", () => {
    const [one, other] = [new DeskAtHand(), new DeskAtHand()];
    for (const [at, pin] of [
      [one, "4711"],
      [other, "0815"],
    ] as const) {
      at.click("pin");
      at.type(pin);
    }
    expect(one.changedSince(other.picture())).toBeUndefined();
    expect(one.textOf("pin")).toBe("");
  });

  it("saves an order, says its number, and offers it to be copied", () => {
    const at = new DeskAtHand();
    at.fill();
    at.click("note");
    at.type("two\nlines");
    at.click("save");
    expect(at.desk.orders).toEqual([
      { number: 1042, customer: "Alice Johnson", item: "Ink", quantity: 3, note: "two\nlines" },
    ]);
    expect(at.textOf("number")).toBe("1042");
    expect(at.textOf("item")).toBe("1042");
  });

  it("saves by Return in a field, by ctrl+s, and not by Return in the note", () => {
    const at = new DeskAtHand();
    at.fill();
    at.click("note");
    at.type("a\n");
    expect(at.desk.orders).toHaveLength(0);
    at.click("item");
    at.keys("Return");
    expect(at.desk.orders).toHaveLength(1);
    at.fill();
    at.keys("ctrl+s");
    expect(at.desk.orders).toHaveLength(2);
  });

  it.each([
    ["customer", (at: DeskAtHand) => at.click("clear")],
    ["item", (at: DeskAtHand) => empty(at, "item")],
    ["quantity", (at: DeskAtHand) => empty(at, "quantity")],
    ["pin", (at: DeskAtHand) => empty(at, "pin")],
  ] as const)("does not save without its %s", (_name, spoil) => {
    const at = new DeskAtHand();
    at.fill();
    spoil(at);
    at.click("save");
    expect(at.desk.orders).toEqual([]);
  });

  it("presses a button only where it is released on it", () => {
    const at = new DeskAtHand();
    at.fill();
    at.drag(at.middleOf("save"), at.middleOf("note"));
    at.drag(at.middleOf("note"), at.middleOf("save"));
    expect(at.desk.orders).toEqual([]);
  });

  it("shows what the pointer is on", () => {
    const at = new DeskAtHand();
    const before = at.picture();
    at.desk.move(at.middleOf("save"));
    expect(at.changedSince(before)).toBeDefined();
    expect(isWithin(at.changedSince(before), at.desk.boundsOf("save"))).toBe(true);
  });

  it("scrolls its list, and selects the row that is then under the pointer", () => {
    const at = new DeskAtHand();
    at.desk.move(at.row(0));
    at.desk.scroll("down", 3);
    at.click(at.row(0));
    expect(at.textOf("customer")).toBe("Daniel Weiß, Vienna");
    at.desk.move(at.row(0));
    at.desk.scroll("up", 1_000);
    at.click(at.row(0));
    at.keys("Down Down");
    expect(at.textOf("customer")).toBe("Chloé Laurent, Lyon");
  });

  it("lists the customers that the search finds", () => {
    const at = new DeskAtHand();
    at.click("search");
    at.type("zürich");
    at.click(at.row(0));
    expect(at.textOf("customer")).toBe("Oskar Lindt, Zürich");
  });

  it("moves its window by the title bar", () => {
    const at = new DeskAtHand();
    const { x, y } = at.middleOf("save");
    at.drag({ x: 500, y: 85 }, { x: 520, y: 70 });
    expect(at.middleOf("save")).toEqual({ x: x + 20, y: y - 15 });
  });

  it("has a menu whose entries act, and which any other click closes", () => {
    const at = new DeskAtHand();
    at.fill();
    const fileMenu = { x: 236, y: 117 };
    at.click(fileMenu);
    at.click("save");
    expect(at.desk.orders).toEqual([]);
    at.click("save");
    expect(at.desk.orders).toHaveLength(1);
    at.click(fileMenu);
    at.click({ x: 250, y: 206 });
    expect(at.desk.boundsOf("save")).toBeUndefined();
  });

  it("exports all orders to the path that stands in its field", async () => {
    const at = new DeskAtHand();
    at.fill();
    at.click("item");
    at.type(', "large"');
    at.click("save");
    at.click("export");
    await at.desk.idle;
    expect(at.exported).toEqual([
      {
        path: "~/Transfers/orders.csv",
        text: 'number,customer,item,quantity,note\r\n1042,Alice Johnson,"Ink, ""large""",3,\r\n',
      },
    ]);
  });
});

describe("the demo desk, as a test wants it", () => {
  it("moves its window by up to 40 pixels and opens late, by its seed", () => {
    const all = Array.from({ length: 200 }, (_, index) => luckOf(index + 1));
    for (const axis of ["x", "y"] as const) {
      const moves = all.map(({ moved }) => moved[axis]);
      expect([Math.min(...moves), Math.max(...moves)]).toEqual([-movedMax, movedMax]);
    }
    const delays = all.map(({ openingMs }) => openingMs);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThanOrEqual(8_000);
    expect(luckOf(7)).toEqual(luckOf(7));
    const moved = new DeskAtHand({ open: true, seed: 7 });
    const usual = new DeskAtHand().middleOf("save");
    const { x, y } = luckOf(7).moved;
    expect(moved.middleOf("save")).toEqual({ x: usual.x + x, y: usual.y + y });
  });

  it.each([false, true])("has a dialog that takes all input until it is answered (dimmed: %s)", (dimmed) => {
    const at = new DeskAtHand({ open: true, dialog: "customer", dimmed });
    at.fill();
    at.click("save");
    expect(at.desk.orders).toEqual([]);
    at.keys("Escape");
    at.fill();
    at.keys("Escape");
    at.click("save");
    // The form was not typed into while the dialog was there.
    expect(at.desk.orders).toEqual([]);
    for (const [name, text] of [
      ["item", "Ink"],
      ["quantity", "3"],
      ["pin", "4711"],
    ] as const) {
      at.click(name);
      at.type(text);
    }
    at.click("save");
    expect(at.desk.orders).toHaveLength(1);
  });

  it("darkens its window behind a dialog only where that is wanted", () => {
    const plain = new DeskAtHand({ open: true, dialog: "open" });
    const dimmed = new DeskAtHand({ open: true, dialog: "open", dimmed: true });
    const without = new DeskAtHand();
    const save = without.middleOf("close");
    const at = save.y * 1280 + save.x - 12;
    expect(plain.picture()[at]).toBe(without.picture()[at]);
    expect(dimmed.picture()[at]).not.toBe(without.picture()[at]);
  });

  it("does nothing by a disabled button, which looks otherwise", () => {
    const at = new DeskAtHand({ open: true, save: "disabled" });
    expect(isWithin(at.changedSince(new DeskAtHand().picture()), at.desk.boundsOf("save"))).toBe(true);
    at.fill();
    at.click("save");
    at.click("item");
    at.keys("Return ctrl+s");
    expect(at.desk.orders).toEqual([]);
  });

  it("confirms nothing with a button that no longer saves", () => {
    const at = new DeskAtHand({ open: true, save: "broken" });
    at.fill();
    at.click("save");
    const before = at.picture();
    at.click("save");
    expect(at.changedSince(before)).toBeUndefined();
    expect(at.textOf("number")).toBe("");
    expect(at.desk.orders).toEqual([]);
  });

  it("takes the keyboard away from a field that loses its focus", () => {
    const at = new DeskAtHand({ open: true, losesFocus: "item" });
    at.click("item");
    at.type("lost");
    expect(at.textOf("quantity")).toBe("");
    at.click("item");
    const before = at.picture();
    at.type("lost");
    expect(at.changedSince(before)).toBeUndefined();
  });

  it("selects another customer than the one that was clicked", () => {
    const at = new DeskAtHand({ open: true, selectsNext: true });
    at.click(at.row(0));
    expect(at.textOf("customer")).toBe("Bruno Marques, Lisbon");
    expect(new DeskAtHand({ open: true, selected: 2 }).textOf("customer")).toBe("Chloé Laurent, Lyon");
  });

  it.each([
    ["looks hovered", { hovered: "save" }],
    ["has another theme", { theme: "dark" }],
    ["has a clock", { clock: true }],
    ["has a spinner", { spinner: true }],
    ["has similar rows", { rows: "similar" }],
    ["has identical rows", { rows: "identical" }],
    ["is scrolled", { scrolled: 4 }],
    ["has blank fields", { blank: true }],
  ] as const)("%s", (_name, more) => {
    const at = new DeskAtHand({ open: true, ...more });
    expect(at.changedSince(new DeskAtHand().picture())).toBeDefined();
  });

  it.each([
    ["clock", 1_000],
    ["spinner", 100],
  ] as const)("its %s moves by itself, and nothing else does", (name, ms) => {
    const [still, moving] = [new DeskAtHand(), new DeskAtHand({ open: true, [name]: true })];
    expect(still.changedSince(still.picture(60_000))).toBeUndefined();
    expect(moving.changedSince(moving.picture(ms))).toBeDefined();
  });
});

function empty(at: DeskAtHand, name: "item" | "quantity" | "pin"): void {
  at.click(name);
  at.keys("ctrl+a BackSpace");
}
