import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { iconBox } from "../../infra/demo-desk/draw-surroundings.ts";
import { SimulatedScreen } from "../../infra/demo-desk/simulated-screen.ts";
import type { Point } from "../../infra/driver/screens/screen.ts";
import { startScreenDriver } from "../support/stack/simulated-driver.ts";
import type { SpawnedStack } from "../support/stack/spawn-stack.ts";
import { until } from "../support/stack/until.ts";
import { type Figure, median, milliseconds, percentile } from "./figure.ts";
import { sized } from "./sized.ts";

const times = sized(60, 2);
/** A change soon after the last, and one that is long waited for. */
const pausesMs = sized([200, 700, 2_500], [50]);
const changeP50MsMax = 150;
const changeP95MsMax = 400;
const clickP50MsMax = 250;

/** Tells of each picture of the live screen once it is decoded and drawn. */
const tellShown = `
  document.addEventListener("load", ({ target }) => {
    if (!(target instanceof HTMLImageElement) || target.closest(".live-screen") === null) return;
    const tell = () => requestAnimationFrame(() => shownAt(performance.timeOrigin + performance.now()));
    target.decode().then(tell, () => {});
  }, true);
`;

/** A click at these places selects the icon, or nothing: in turns, each changes what is seen. */
const [onIcon, besideIcon] = [
  { x: iconBox.x + 5, y: iconBox.y + 5 },
  { x: iconBox.x + iconBox.width + 50, y: iconBox.y + 5 },
];

/** What is drawn on a desktop, by itself and for a click of the page's user, until the console's live screen shows it. */
export async function measureLiveScreen(page: Page, stack: SpawnedStack): Promise<readonly Figure[]> {
  const screen = new SimulatedScreen();
  const driver = startScreenDriver(screen, stack.websocketUrl, stack.apiKey);
  try {
    const { machineId } = await driver.connected();
    const shown: number[] = [];
    await page.exposeFunction("shownAt", (atMs: number) => shown.push(atMs));
    await page.addInitScript(tellShown);
    await page.goto(`/console/machines/${machineId}`);
    const view = page.locator(".live-screen img");
    await view.waitFor();
    await until(() => shown.length > 0, 30_000, 10);
    const changes = await timed(shown, [onIcon, besideIcon], async ({ x, y }) => {
      await screen.clickMouse({ button: "left", clicks: 1, x, y });
    });
    const { width, height } = await screen.getDisplayDimensions();
    const box = (await view.boundingBox()) ?? { x: 0, y: 0, width, height };
    const clicks = await timed(shown, [besideIcon, onIcon], async ({ x, y }) => {
      await page.mouse.click(box.x + (x * box.width) / width, box.y + (y * box.height) / height);
    });
    const [p50, p95, click] = [median(changes), percentile(changes, 95), median(clicks)];
    return [
      {
        figure: `a change on a simulated display → seen on the console's live screen, p50 (p95) of ${times}`,
        measured: `${milliseconds(p50)} (${milliseconds(p95)})`,
        target: `≤ ${changeP50MsMax} (${changeP95MsMax}) ms`,
        isReached: p50 <= changeP50MsMax && p95 <= changeP95MsMax,
      },
      {
        figure: `a click on the console's live screen → its effect seen there, p50 (p95) of ${times}`,
        measured: `${milliseconds(click)} (${milliseconds(percentile(clicks, 95))})`,
        target: `≤ ${clickP50MsMax} ms`,
        isReached: click <= clickP50MsMax,
      },
    ];
  } finally {
    await driver.stop();
  }
}

async function timed(
  shown: readonly number[],
  places: readonly Point[],
  act: (place: Point) => Promise<void>,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (let time = 0; time <= times; time += 1) {
    await pause(pausesMs[time % pausesMs.length]);
    const fromMs = performance.timeOrigin + performance.now();
    await act(places[time % places.length] as Point);
    const find = () => shown.find((atMs) => atMs > fromMs);
    await until(() => find() !== undefined, 30_000, 5);
    // The first warms up what the others use.
    if (time > 0) found.push((find() ?? Number.NaN) - fromMs);
  }
  return found;
}
