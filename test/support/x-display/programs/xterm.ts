import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../stack/until.ts";
import type { XDisplay } from "../x-display.ts";
import type { Recorder } from "./recorder.ts";
import { untilStill } from "./until-still.ts";

/** A terminal whose program writes down each byte. */
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
    name: "xterm",
    focus: () => display.focus(window),
    received: (expected) =>
      untilStill(async () => (await bytes())?.subarray(start).toString() ?? "", expected),
    clear: async () => {
      start = (await bytes())?.byteLength ?? 0;
    },
    // Return sends a carriage return.
    seenAs: (text) => text.replaceAll("\n", "\r"),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
