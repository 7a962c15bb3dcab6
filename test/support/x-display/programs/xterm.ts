import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../stack/until.ts";
import type { XDisplay } from "../x-display.ts";
import type { Recorder } from "./recorder.ts";
import { untilStill } from "./until-still.ts";

/** Two letters each by libX11's Compose file, as if they were composed: lam and an alef. */
const ligatures: Readonly<Record<string, string>> = {
  "\ufef5": "\u0644\u0622",
  "\ufef7": "\u0644\u0623",
  "\ufef9": "\u0644\u0625",
  "\ufefb": "\u0644\u0627",
};

export async function openXterm(display: XDisplay): Promise<Recorder> {
  const folder = await mkdtemp(join(tmpdir(), "xterm-"));
  const file = join(folder, "received");
  const { window } = await display.openWindow(() =>
    display.start("xterm", ["-u8", "-e", "sh", "-c", `stty raw -echo; exec cat >'${file}'`]),
  );
  const bytes = () => readFile(file).catch(() => undefined);
  await until(async () => (await bytes()) !== undefined);
  let start = 0;
  return {
    focus: () => display.focus(window),
    received: (expected) =>
      untilStill(async () => (await bytes())?.subarray(start).toString() ?? "", expected),
    clear: async () => {
      start = (await bytes())?.byteLength ?? 0;
    },
    seenAs: (text) =>
      text.replaceAll("\n", "\r").replaceAll(/[\ufef5-\ufefb]/g, (one) => ligatures[one] ?? one),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
