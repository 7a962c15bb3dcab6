import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGtkText } from "../../../support/x-display/programs/gtk-text.ts";
import { openXterm } from "../../../support/x-display/programs/xterm.ts";
import { TypingDesk } from "../../../support/x-display/typing-desk.ts";
import { type Layout, missingDisplayPrograms } from "../../../support/x-display/x-display.ts";

const layouts: readonly Layout[] = [
  { layout: "us" },
  { layout: "de" },
  { layout: "fr" },
  { layout: "ru" },
  { layout: "us", variant: "intl" },
  { layout: "us,ru", group: 1 },
];
const locks = [[], ["Caps_Lock"], ["Num_Lock"], ["Caps_Lock", "Num_Lock"]];
const held = ["Shift_L", "Control_L", "Alt_L", "ISO_Level3_Shift"];

/** Each layout has some of these, none has all; few enough for one change of the keyboard map. */
const text =
  "Az zA yY 19!? ßäÄ éÉèàçù ёЁ щЩыъ łŁ ñ漢😀 @€{[]}\\|~^`´¨ 'x' \"$Y\" §&;:,.-_<>#/\n\tΩ aAaA qQwW mM\n";

describe.skipIf(missingDisplayPrograms.length > 0)("typed text arrives", () => {
  let desk: TypingDesk;

  beforeAll(async () => {
    desk = await TypingDesk.open(async (display) => [
      await openXterm(display),
      await openGtkText(display, "lines"),
    ]);
  });
  afterAll(async () => {
    await desk?.close();
  });

  describe.each(layouts)("on $layout $variant $group", (layout) => {
    beforeAll(async () => {
      await desk.display.setLayout(layout);
    });

    it.each(locks)("with %s %s", async (...names) => {
      for (const name of names) await desk.display.press(name);
      try {
        const before = await desk.display.keymap();
        const lockedBefore = await desk.display.modifiers();
        for (const at of [0, 1]) {
          const recorder = desk.recorder(at);
          await recorder.focus();
          await desk.expectToArrive(text, recorder);
        }
        expect(await desk.display.keymap()).toEqual(before);
        expect(await desk.display.modifiers()).toBe(lockedBefore);
      } finally {
        for (const name of names) await desk.display.press(name);
      }
    });

    it.each(held)("while %s is held down, and it is down afterwards", async (name) => {
      const recorder = desk.recorder(0);
      await recorder.focus();
      await desk.display.hold(name);
      try {
        const heldBefore = await desk.display.modifiers();
        await desk.expectToArrive(text, recorder);
        expect(await desk.display.modifiers()).toBe(heldBefore);
      } finally {
        await desk.display.release(name);
      }
    });
  });
});
