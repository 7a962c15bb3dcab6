import { describe, expect, it } from "vitest";
import { commonKeyNames } from "../../../infra/driver/screens/keysyms/common-key-names.ts";
import { characterOf, findKeysym, keysymOf } from "../../../infra/driver/screens/keysyms/keysyms.ts";
import { charactersOf } from "../../../infra/driver/screens/keysyms/typable.ts";

describe("names of keys", () => {
  it.each([
    ["Return", 0xff0d],
    ["a", 0x61],
    ["A", 0x41],
    ["eacute", 0xe9],
    ["EuroSign", 0x20ac],
    ["Cyrillic_a", 0x6c1],
    ["ISO_Left_Tab", 0xfe20],
    ["XF86AudioMute", 0x1008ff12],
    ["XF86Fn", 0x100811d0],
  ])("%s is X's own", (name, keysym) => {
    expect(findKeysym(name)).toBe(keysym);
  });

  it.each([
    ["enter", "Return"],
    ["Ctrl", "Control_L"],
    ["CMD", "Super_L"],
    ["Page_Down", "Next"],
    ["pagedown", "Next"],
    ["ArrowUp", "Up"],
    ["arrow_up", "Up"],
    ["Numpad7", "KP_7"],
    ["altgr", "ISO_Level3_Shift"],
  ])("%s is a common one of %s in any case", (name, own) => {
    expect(findKeysym(name)).toBe(findKeysym(own));
  });

  it.each([
    ["return", "Return"],
    ["ESCAPE", "Escape"],
    ["f5", "F5"],
    ["kp_enter", "KP_Enter"],
    ["SLASH", "slash"],
    ["xf86audiomute", "XF86AudioMute"],
  ])("%s is %s in another case", (name, own) => {
    expect(findKeysym(name)).toBe(findKeysym(own));
  });

  it.each([
    ["U20AC", 0x10020ac],
    ["u00e9", 0xe9],
    ["U1F600", 0x101f600],
    ["0xff0d", 0xff0d],
  ])("%s is a number", (name, keysym) => {
    expect(findKeysym(name)).toBe(keysym);
  });

  it.each([
    "NoSuchKey",
    "EACUTE",
    "NoSymbol",
    "VoidSymbol",
    "F36",
    "U0007",
    "UD800",
    "0x0",
    "0x20000000",
    "",
  ])("%j is none", (name) => {
    expect(findKeysym(name)).toBeUndefined();
  });

  it.each([...commonKeyNames])("%s stands for a name that X has", (name, own) => {
    expect(findKeysym(own)).toBeDefined();
    expect(findKeysym(name)).toBe(findKeysym(own));
  });
});

describe("characters of keysyms", () => {
  it.each([
    ["Latin-1", 0xe9, "é"],
    ["Latin-2", 0x1a1, "Ą"],
    ["Latin-3", 0x2a1, "Ħ"],
    ["Latin-4", 0x3bf, "ŋ"],
    ["Katakana", 0x4b1, "ア"],
    ["Arabic", 0x5c7, "ا"],
    ["Cyrillic", 0x6d1, "я"],
    ["Greek", 0x7e1, "α"],
    ["technical", 0x8fb, "←"],
    ["special", 0x9e0, "◆"],
    ["publishing", 0xaa9, "—"],
    ["Hebrew", 0xce0, "א"],
    ["Thai", 0xda1, "ก"],
    ["Latin-9", 0x13bd, "œ"],
    ["currency", 0x20ac, "€"],
    ["Unicode", 0x101f600, "😀"],
    ["tab", 0xff09, "\t"],
    ["Return", 0xff0d, "\n"],
  ])("%s", (_range, keysym, character) => {
    expect(characterOf(keysym)).toBe(character);
  });

  it.each(["F5", "Shift_L", "dead_acute", "KP_7", "Escape", "XF86AudioMute"])("%s has none", (name) => {
    expect(characterOf(findKeysym(name) ?? 0)).toBeUndefined();
  });

  it("come back from the keysym that is put on a key for them", () => {
    for (let point = 0; point <= 0x10_ffff; point++) {
      const character = String.fromCodePoint(point);
      const keysym = keysymOf(character);
      if (keysym === undefined || character === "\r") continue;
      if (characterOf(keysym) !== character) expect.fail(`U+${point.toString(16)} does not come back`);
    }
  });
});

describe("what can be typed", () => {
  it("is any Unicode text, its lines ended by one newline each", () => {
    expect(charactersOf("a\tb\r\né\r😀\n\u0301\u200d")).toEqual(
      // biome-ignore format: one character beside the other
      ["a", "\t", "b", "\n", "é", "\n", "😀", "\n", "\u0301", "\u200d"],
    );
  });

  it.each([
    ["ab\u0007cd", "character 3 of the text, U+0007,"],
    ["😀\u007f", "character 2 of the text, U+007F,"],
    ["\u0085", "character 1 of the text, U+0085,"],
    ["\ud83d!", "character 1 of the text, U+D83D,"],
    ["\ufdd0", "character 1 of the text, U+FDD0,"],
    ["\u{10ffff}", "character 1 of the text, U+10FFFF,"],
  ])("is not %j", (text, message) => {
    expect(() => charactersOf(text)).toThrow(
      expect.objectContaining({
        status: 422,
        code: "character_not_typable",
        message: `${message} cannot be typed; nothing of it has been`,
      }),
    );
  });
});
