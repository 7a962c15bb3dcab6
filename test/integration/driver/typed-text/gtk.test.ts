import { afterAll, beforeAll, describe, it } from "vitest";
import { openGtkText } from "../../../support/x-display/programs/gtk-text.ts";
import { fewTexts, inGroups, texts, withoutLostByGtk } from "../../../support/x-display/texts.ts";
import { TypingDesk } from "../../../support/x-display/typing-desk.ts";
import { missingDisplayPrograms } from "../../../support/x-display/x-display.ts";

describe.skipIf(missingDisplayPrograms.length > 0)("text typed into GTK", () => {
  let desk: TypingDesk;

  beforeAll(async () => {
    desk = await TypingDesk.open(async (display) => [
      await openGtkText(display, "lines"),
      await openGtkText(display, "entry"),
    ]);
  });
  afterAll(async () => {
    await desk?.close();
  });

  it.each(inGroups(texts, 4))("arrives in lines: $name", async ({ text }) => {
    await desk.recorder(0).focus();
    await desk.expectToArrive(withoutLostByGtk(text), desk.recorder(0));
  });

  // Return would close it, and Tab leave it.
  it.each(fewTexts)("arrives in an entry: $name", async ({ text }) => {
    await desk.recorder(1).focus();
    await desk.expectToArrive(text.replaceAll(/[\n\t]/g, ""), desk.recorder(1));
  });
});
