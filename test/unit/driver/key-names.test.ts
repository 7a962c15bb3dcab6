import { describe, expect, it } from "vitest";
import { parseKeys } from "../../../infra/driver/screens/key-names.ts";

describe("names of keys", () => {
  it.each([
    ["ctrl+c", [["ctrl", "c"]]],
    ["Ctrl+Shift+T  enter", [["ctrl", "shift", "T"], ["Return"]]],
    ["ctrl++", [["ctrl", "U002B"]]],
    ["+", [["U002B"]]],
    ["f5 F12", [["F5"], ["F12"]]],
    ["esc pageup win", [["Escape"], ["Prior"], ["super"]]],
    ["é", [["U00E9"]]],
    ["- ;", [["U002D"], ["U003B"]]],
    ["XF86AudioMute", [["XF86AudioMute"]]],
    ["constructor", [["constructor"]]],
  ])("%s", (text, groups) => {
    expect(parseKeys(text)).toEqual(groups);
  });

  it.each(["a$(id)", "--file", "ctrl+", "a\u0000", "   "])("refuses %j", (text) => {
    expect(() => parseKeys(text)).toThrow(expect.objectContaining({ status: 422 }));
  });

  it("refuses the 65th group and the 9th key of one", () => {
    expect(parseKeys(Array(64).fill("a").join(" "))).toHaveLength(64);
    expect(() => parseKeys(Array(65).fill("a").join(" "))).toThrow("64");
    expect(() => parseKeys(Array(9).fill("a").join("+"))).toThrow("8");
  });
});
