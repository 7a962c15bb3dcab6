import { launchChromium } from "../../browser/chromium.ts";
import type { XDisplay } from "../x-display.ts";
import type { Recorder } from "./recorder.ts";
import { untilStill } from "./until-still.ts";

/** Tab would leave the field; here it is a character, as in an editor. */
const page = `<!doctype html><meta charset="utf-8"><title>fields</title>
<input style="width: 90%"><textarea rows="8" style="width: 90%"></textarea>
<div contenteditable="plaintext-only" style="height: 200px; white-space: pre-wrap; overflow: auto"></div>
<script>
  addEventListener("keydown", (event) => {
    if (event.key !== "Tab") return;
    event.preventDefault();
    document.execCommand("insertText", false, "\\t");
  });
</script>`;

const seenAs = {
  input: (text) => text.replaceAll("\n", ""),
  textarea: (text) => text,
  // A newline at the end is followed by another: without it the last line would not be shown.
  "[contenteditable]": (text) => text.replace(/\n$/, "\n\n"),
} as const satisfies Readonly<Record<string, (text: string) => string>>;

type Field = keyof typeof seenAs;

export async function openChromiumFields(display: XDisplay): Promise<readonly Recorder[]> {
  const { window, started } = await display.openWindow(async () => {
    const browser = await launchChromium(display.env);
    const opened = await browser.newPage({ viewport: null });
    await opened.setContent(page);
    return { browser, opened };
  });
  const { browser, opened } = started;
  return (Object.keys(seenAs) as Field[]).map((field) => {
    const element = opened.locator(field);
    const read = () =>
      element.evaluate((node) => ("value" in node ? String(node.value) : (node.textContent ?? "")));
    return {
      focus: async () => {
        await display.focus(window);
        await element.focus();
      },
      received: (expected) => untilStill(read, expected),
      clear: async () => {
        await element.evaluate((node) => {
          if ("value" in node) node.value = "";
          else node.textContent = "";
        });
      },
      seenAs: seenAs[field],
      close: () => browser.close(),
    };
  });
}
