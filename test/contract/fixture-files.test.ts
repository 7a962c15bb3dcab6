import { describe, expect, it } from "vitest";
import { inOrderOf, withToday } from "./fixture-files.ts";

const line = { name: "a", value: { one: 1, list: [{ x: 1 }] } };

describe("lines that bind", () => {
  it("stay when what is written is the same, and become more with a new name", () => {
    const other = { ...line, name: "b" };
    expect(withToday([line], [line, other])).toEqual([line, other]);
  });

  it("stay beside a line that has got more fields", () => {
    const more = { name: "a", value: { one: 1, list: [{ x: 1, y: 2 }], two: 2 } };
    expect(withToday([line], [more])).toEqual([line, more]);
    expect(withToday([line, more], [more])).toEqual([line, more]);
    expect(() => withToday([line, more], [line])).toThrow('is another: "a"');
  });

  it.each<[string, readonly (typeof line)[]]>([
    ["is gone", []],
    ["has another value", [{ ...line, value: { ...line.value, one: 2 } }]],
    ["has an element more", [{ ...line, value: { ...line.value, list: [{ x: 1 }, { x: 1 }] } }]],
  ])("refuse what %s", (_what, today) => {
    expect(() => withToday([line], today)).toThrow('is another: "a"');
  });
});

it("lines of today keep the order, and the order of fields, that they were written in", () => {
  const [one, other, fresh] = [line, { ...line, name: "b" }, { ...line, name: "c" }];
  const turned = { value: one.value, name: one.name };
  const today = inOrderOf([one, other], [fresh, { ...other, value: fresh.value }, turned]);
  expect(JSON.stringify(today)).toBe(JSON.stringify([one, other, fresh]));
});
