import { describe, expect, it } from "vitest";
import { type Stroke, typedBy } from "../../../functions/console/page/screen/key-strokes.ts";
import { textsOf } from "../../../functions/console/page/screen/typed-texts.ts";
import { findKeysym } from "../../../infra/driver/screens/keysyms/keysyms.ts";

const plain = {
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  isAltGraph: false,
  isComposing: false,
};
const press = (key: string, more: Partial<Stroke> = {}, isMac = false) =>
  typedBy({ ...plain, key, ...more }, { isMac });

describe("a key of the browser", () => {
  it.each(["a", "A", "é", "€", "😀", "+", " "])("types the character %s as text", (key) => {
    expect(press(key, { shiftKey: true })).toEqual({ kind: "text", text: key });
  });

  it("types what AltGr, and a Mac's option key, makes of a key", () => {
    expect(press("@", { isAltGraph: true, ctrlKey: true, altKey: true })).toEqual({
      kind: "text",
      text: "@",
    });
    expect(press("å", { altKey: true }, true)).toEqual({ kind: "text", text: "å" });
    expect(press("a", { altKey: true })).toEqual({ kind: "keys", keys: "alt+a" });
  });

  it.each([
    ["Enter", {}, "Return"],
    ["ArrowLeft", { ctrlKey: true, shiftKey: true }, "ctrl+shift+Left"],
    ["F5", { altKey: true }, "alt+F5"],
    ["A", { ctrlKey: true, shiftKey: true }, "ctrl+shift+a"],
    ["+", { ctrlKey: true, shiftKey: true }, "ctrl+plus"],
    ["ö", { ctrlKey: true }, "ctrl+U00F6"],
    ["l", { metaKey: true }, "super+l"],
  ])("presses %s with %j as %s", (key, more, keys) => {
    expect(press(key, more)).toEqual({ kind: "keys", keys });
  });

  it("has a Mac's command key as the desktop's control key", () => {
    expect(press("c", { metaKey: true }, true)).toEqual({ kind: "keys", keys: "ctrl+c" });
  });

  it("leaves pasting, dead keys and input methods to the browser", () => {
    expect(press("v", { ctrlKey: true })).toEqual({ kind: "browser" });
    expect(press("v", { metaKey: true }, true)).toEqual({ kind: "browser" });
    expect(press("Dead")).toEqual({ kind: "browser" });
    expect(press("a", { isComposing: true })).toEqual({ kind: "browser" });
  });

  it("does nothing for a modifier alone", () => {
    expect(press("Shift", { shiftKey: true })).toEqual({ kind: "nothing" });
  });

  it("has names that the driver knows", () => {
    const keys = ["Enter", "Backspace", "PageUp", "ContextMenu", "PrintScreen", "Pause", "F12", "Insert"];
    const characters = [..." !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~azé€"];
    for (const key of [...keys, ...characters]) {
      const typed = press(key, { ctrlKey: true });
      expect(typed.kind, key).toBe("keys");
      if (typed.kind !== "keys") continue;
      for (const name of typed.keys.split("+")) expect(findKeysym(name), name).toBeDefined();
    }
  });
});

describe("a pasted text", () => {
  it("goes in parts that a call takes, whole characters each, with one character for a line's end", () => {
    const parts = textsOf(`${"😀".repeat(5_000)}a\r\nb`);
    expect(parts).toEqual(["😀".repeat(5_000), "a\nb"]);
    expect(textsOf("")).toEqual([]);
  });
});
