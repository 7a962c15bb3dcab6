import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Debian's Chromium; Playwright's own would have to be downloaded. */
const withWindow = "/usr/bin/chromium";
/** Without the browser's own interface around the pages it takes two thirds of the processor's time. */
const withoutWindow = "/usr/bin/chromium-headless-shell";

export const hasChromium = existsSync(withWindow);

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
    ...(env === undefined
      ? { executablePath: existsSync(withoutWindow) ? withoutWindow : withWindow }
      : { executablePath: withWindow, headless: false, env }),
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
