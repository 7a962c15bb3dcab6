import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { startLocalDesktop } from "../../../infra/local/local-desktop.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ["", "no X display: DISPLAY is not set and Xvfb is not installed"],
  [":9999", /:9999/],
])("says in one sentence why there is no X display (DISPLAY is %j)", async (display, sentence) => {
  const folder = await mkdtemp(join(tmpdir(), "local-desktop-"));
  vi.stubEnv("DISPLAY", display);
  vi.stubEnv("PATH", folder);
  const desktop = startLocalDesktop({
    websocketUrl: "ws://127.0.0.1:1/x",
    key: Promise.resolve("k"),
    folder,
    isTemporary: false,
    kind: "x11",
  });
  await expect(desktop.connected()).rejects.toThrow(sentence);
});
