import { afterAll, beforeAll, describe, it } from "vitest";
import { openChromiumFields } from "../../../support/x-display/programs/chromium-fields.ts";
import { fewTexts, inGroups, texts, withoutLostByGtk } from "../../../support/x-display/texts.ts";
import { TypingDesk } from "../../../support/x-display/typing-desk.ts";
import { missingDisplayPrograms } from "../../../support/x-display/x-display.ts";

describe.skipIf(missingDisplayPrograms.length > 0)("text typed into Chromium", () => {
  let desk: TypingDesk;

  beforeAll(async () => {
    desk = await TypingDesk.open(openChromiumFields);
  });
  afterAll(async () => {
    await desk?.close();
  });

  it.each(inGroups(texts, 4))("arrives in a textarea: $name", async ({ text }) => {
    await desk.recorder(1).focus();
    await desk.expectToArrive(withoutLostByGtk(text), desk.recorder(1));
  });

  it.each(fewTexts)("arrives in an input and in a contenteditable: $name", async ({ text }) => {
    for (const at of [0, 2]) {
      await desk.recorder(at).focus();
      await desk.expectToArrive(text, desk.recorder(at));
    }
  });
});
