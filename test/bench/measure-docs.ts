import type { Browser } from "playwright-core";
import { hasChromium, launchChromium } from "../support/browser/chromium.ts";
import { type Figure, median, milliseconds, percentile } from "./figure.ts";
import { openPlainStack } from "./plain-stack.ts";
import { sized } from "./sized.ts";

const readyMsMax = 1_500;
const openedMsMax = 300;

/** Measures how soon the reference is ready in a browser that has never loaded it, and an operation is then open. */
export async function measureDocs(): Promise<readonly Figure[]> {
  if (!hasChromium) return [];
  const stack = await openPlainStack();
  const browser = await launchChromium();
  try {
    // The function's own start comes first, and is measured elsewhere.
    await open(browser, stack.baseUrl);
    const ready: number[] = [];
    const opened: number[] = [];
    for (let time = 0; time < sized(20, 1); time += 1) {
      const { readyMs, openedMs } = await open(browser, stack.baseUrl);
      ready.push(readyMs);
      opened.push(openedMs);
    }
    return [
      ...figures("the reference ready, nothing cached", ready, readyMsMax),
      ...figures("one of its operations opened", opened, openedMsMax),
    ];
  } finally {
    await browser.close();
    await stack.stop();
  }
}

function figures(figure: string, values: readonly number[], max: number): readonly Figure[] {
  const p50 = median(values);
  const reached = { target: `≤ ${max} ms`, isReached: p50 <= max };
  return [
    { figure: `${figure}, p50`, measured: milliseconds(p50), ...reached },
    { figure: "… p95", measured: milliseconds(percentile(values, 95)), target: "" },
  ];
}

/** Ready is when the search can be opened, which the script adds last but for the form of an operation. */
async function open(
  browser: Browser,
  baseUrl: string,
): Promise<{ readonly readyMs: number; readonly openedMs: number }> {
  const context = await browser.newContext({ baseURL: baseUrl, viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  const startedMs = performance.now();
  await page.goto("/docs", { waitUntil: "commit" });
  await page.getByRole("button", { name: "Search" }).waitFor();
  const readyMs = performance.now() - startedMs;
  const link = page.locator("main a", { hasText: "Lists runs" });
  const clickedMs = performance.now();
  await link.click();
  await page.getByRole("button", { name: "Send GET" }).waitFor();
  const openedMs = performance.now() - clickedMs;
  await context.close();
  return { readyMs, openedMs };
}
