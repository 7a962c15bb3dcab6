import { afterAll, beforeAll, describe, it } from "vitest";
import { openXterm } from "../../../support/x-display/programs/xterm.ts";
import { inGroups, texts } from "../../../support/x-display/texts.ts";
import { TypingDesk } from "../../../support/x-display/typing-desk.ts";
import { missingDisplayPrograms } from "../../../support/x-display/x-display.ts";

describe.skipIf(missingDisplayPrograms.length > 0)("text typed into xterm", () => {
  let desk: TypingDesk;

  beforeAll(async () => {
    desk = await TypingDesk.open(async (display) => [await openXterm(display)]);
  });
  afterAll(async () => {
    await desk?.close();
  });

  it.each(inGroups(texts, 6))("arrives: $name", async ({ text }) => {
    await desk.recorder(0).focus();
    await desk.expectToArrive(text, desk.recorder(0));
  });
});
