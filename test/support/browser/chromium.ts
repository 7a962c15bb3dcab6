import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Debian's Chromium; Playwright's own would have to be downloaded. */
const executablePath = "/usr/bin/chromium";

export const hasChromium = existsSync(executablePath);

/**
 * Launches Chromium without a sandbox, since tests may run as root, and without its own calls to Google.
 *
 * @param args further arguments of its command line.
 * @param env shows its window on the display of this environment; without it there is no window.
 */
export async function launchChromium(
  env?: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    ...(env === undefined ? {} : { headless: false, env }),
    args: [
      ...args,
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
