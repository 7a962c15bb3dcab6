import { describe, expect, it } from "vitest";
import { planBatch } from "../../../infra/driver/screens/x11/typing-plan.ts";

const keymap = {
  strokeOfCharacter: (character: string) =>
    /[a-z]/.test(character) ? { keycode: character.charCodeAt(0), held: [] } : undefined,
};

describe("a text that the keyboard has not all characters of", () => {
  it.each([
    ["abc", 0, "abc", ""],
    ["aéaéb", 1, "aéaéb", "é"],
    ["aéböc", 1, "aéb", "é"],
    ["éöüé", 2, "éö", "éö"],
    ["ééé", 1, "ééé", "é"],
  ])("%j is typed up to the character that finds no free key (%i)", (text, slots, typed, missing) => {
    expect(planBatch([...text], { keymap, group: 0, slots })).toEqual({
      characters: [...typed],
      missing: [...missing],
    });
  });

  it("is refused with the character's name where no key is free at all", () => {
    const plan = () => planBatch([..."abé"], { keymap, group: 0, slots: 0 });
    expect(plan).toThrow("character 3 of the text, U+00E9, cannot be typed; nothing of it has been");
  });
});
