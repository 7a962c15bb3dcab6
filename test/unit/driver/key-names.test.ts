import { describe, expect, it } from "vitest";
import { parseKeys } from "../../../infra/driver/screens/key-names.ts";

describe("names of keys", () => {
  it.each([
    ["ctrl+c", [["ctrl", "c"]]],
    [" Ctrl+Shift+T  enter ", [["ctrl", "shift", "T"], ["Return"]]],
    ["f5 F12", [["F5"], ["F12"]]],
    ["esc pageup win", [["Escape"], ["Prior"], ["super"]]],
    ["XF86AudioMute", [["XF86AudioMute"]]],
    ["constructor", [["constructor"]]],
  ])("%s", (text, groups) => {
    expect(parseKeys(text)).toEqual(groups);
  });
});
