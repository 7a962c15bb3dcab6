import { describe, expect, it } from "vitest";
import { parseKeyGroups } from "../../../infra/driver/screens/keysyms/key-groups.ts";

describe("a text of keys", () => {
  it.each([
    ["ctrl+c", [[0xffe3, 0x63]]],
    [" Ctrl+Shift+T  enter ", [[0xffe3, 0xffe1, 0x54], [0xff0d]]],
    ["f5\tXF86AudioMute", [[0xffc2], [0x1008ff12]]],
  ])("%j is groups of keysyms", (text, groups) => {
    expect(parseKeyGroups(text)).toEqual(groups);
  });

  it.each([
    ["a NoSuchKey b", "NoSuchKey"],
    ["ctrl+constructor", "constructor"],
    ["x".repeat(2_000), "x".repeat(64)],
  ])("%.20s is refused with the name that no key has", (text, name) => {
    const message = `no key is called ${name}; nothing was pressed`;
    expect(() => parseKeyGroups(text)).toThrow(
      expect.objectContaining({ status: 422, code: "unknown_key", message }),
    );
  });
});
