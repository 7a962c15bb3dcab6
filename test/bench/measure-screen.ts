import { setTimeout as pause } from "node:timers/promises";
import { iconBox } from "../../infra/demo-desk/draw-surroundings.ts";
import { SimulatedScreen } from "../../infra/demo-desk/simulated-screen.ts";
import { parseTags } from "../../infra/driver/screens/picture-tag.ts";
import type { Screen } from "../../infra/driver/screens/screen.ts";
import { X11Screen } from "../../infra/driver/screens/x11-screen.ts";
import { type ApiClient, createApiClient } from "../../shared/client/api-client.ts";
import { scroll, startScreenDriver } from "../support/stack/simulated-driver.ts";
import { paintRoot } from "../support/x-display/paint-root.ts";
import { XDisplay } from "../support/x-display/x-display.ts";
import { type Figure, milliseconds, percentile } from "./figure.ts";
import { openPlainStack } from "./plain-stack.ts";
import { sized } from "./sized.ts";

const changes = sized(40, 2);
const scrolls = sized(100, 2);
const stillMs = sized(60_000, 1_000);
const idleMs = sized(10_000, 200);
/** A change soon after the last, and one that is long waited for. */
const pausesMs = sized([200, 700, 2_500], [50]);

interface Display {
  readonly name: string;
  readonly screen: Screen;
  /** Draws something that was not there. */
  readonly change: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Machine {
  readonly client: ApiClient;
  readonly path: { readonly machine_id: string };
}

/** A viewer follows a screen through the whole local stack: the delay of a change, and what a still screen costs. */
export async function measureScreen(): Promise<readonly Figure[]> {
  const stack = await openPlainStack();
  const client = createApiClient({ baseUrl: stack.baseUrl, credentials: stack.apiKey });
  const figures: Figure[] = [];
  try {
    for (const open of [openSimulated, openReal]) {
      const display = await open();
      const driver = startScreenDriver(display.screen, stack.websocketUrl, stack.apiKey);
      try {
        const { machineId } = await driver.connected();
        const machine = { client, path: { machine_id: machineId } };
        figures.push(
          await measureDelay(machine, display, undefined),
          await measureDelay(machine, display, 320),
        );
        if (display.screen instanceof SimulatedScreen) {
          figures.push(await countStill(machine));
          const once = () => scroll(stack.baseUrl, machineId, stack.apiKey);
          figures.push(await measureBesideViewers(machine, once));
        } else {
          figures.push(await measureIdle(display.screen, display.name));
        }
      } finally {
        await driver.stop();
        await display.close();
      }
    }
    return figures;
  } finally {
    await stack.stop();
  }
}

async function openSimulated(): Promise<Display> {
  const screen = new SimulatedScreen();
  let isSelected = false;
  return {
    name: "simulated display",
    screen,
    change: async () => {
      isSelected = !isSelected;
      const x = isSelected ? iconBox.x + 5 : iconBox.x + iconBox.width + 50;
      await screen.clickMouse({ button: "left", clicks: 1, x, y: iconBox.y + 5 });
    },
    close: async () => undefined,
  };
}

async function openReal(): Promise<Display> {
  const display = await XDisplay.open(1_920, 1_080);
  const screen = await X11Screen.open({ display: display.name });
  let color = 0;
  return {
    name: "real display of 1920 x 1080",
    screen,
    change: async () => {
      color += 0x10307;
      await paintRoot(display, color);
    },
    close: async () => {
      await screen.close();
      await display.close();
    },
  };
}

async function measureDelay(
  { client, path }: Machine,
  display: Display,
  width: number | undefined,
): Promise<Figure> {
  const query = width === undefined ? {} : { width };
  const times = { change: [] as number[], call: [] as number[] };
  let { etag } = await client.callIfChanged("takeScreenshot", { path, query });
  for (let change = 0; change < changes; change += 1) {
    const followed = client.callIfChanged("takeScreenshot", {
      path,
      query: { ...query, wait_ms: 10_000 },
      ifNoneMatch: etag,
    });
    await pause(pausesMs[change % pausesMs.length]);
    await display.change();
    const changedMs = performance.now();
    const seen = await followed;
    if (seen.body === undefined) throw new Error("a change was not seen");
    times.change.push(performance.now() - changedMs);
    etag = seen.etag;
    const calledMs = performance.now();
    await client.call("takeScreenshot", { path, query });
    times.call.push(performance.now() - calledMs);
  }
  const seen = percentile(times.change, 50);
  const call = percentile(times.call, 50);
  const picture = width === undefined ? "its whole picture" : `its picture ${width} pixels wide`;
  return {
    figure: `a change on a ${display.name} → ${picture} at the caller − a call for it, p50 of ${changes}`,
    measured: `${milliseconds(seen)} − ${milliseconds(call)} = ${milliseconds(seen - call)}`,
    target: "at most 60 ms more",
    isReached: seen - call <= 60,
  };
}

async function countStill({ client, path }: Machine): Promise<Figure> {
  const endsMs = performance.now() + stillMs;
  let { etag } = await client.callIfChanged("takeScreenshot", { path });
  let calls = 1;
  for (let leftMs = stillMs; leftMs > 0; leftMs = endsMs - performance.now()) {
    const query = { wait_ms: Math.min(10_000, Math.ceil(leftMs)) };
    const { body, etag: now } = await client.callIfChanged("takeScreenshot", {
      path,
      query,
      ifNoneMatch: etag,
    });
    if (body !== undefined) throw new Error("a still screen was seen to change");
    etag = now;
    calls += 1;
  }
  return {
    figure: `calls of a viewer of a still screen in ${stillMs / 1_000} s`,
    measured: String(calls),
    target: "at most 7",
    isReached: calls <= 7,
  };
}

async function measureBesideViewers({ client, path }: Machine, once: () => Promise<number>): Promise<Figure> {
  const { etag } = await client.callIfChanged("takeScreenshot", { path, query: { width: 320 } });
  const times = { alone: [] as number[], beside: [] as number[] };
  const timed = async (into: number[]) => {
    const startedMs = performance.now();
    const status = await once();
    if (status !== 200) throw new Error(`a scroll was answered ${status}`);
    into.push(performance.now() - startedMs);
  };
  const rounds = sized(4, 1);
  for (let round = 0; round < rounds; round += 1) {
    for (let call = 0; call < scrolls / rounds; call += 1) await timed(times.alone);
    const look = { path, query: { width: 320, wait_ms: sized(10_000, 500) }, ifNoneMatch: etag };
    const viewers = [1, 2].map(() => client.callIfChanged("takeScreenshot", look));
    await pause(sized(500, 50));
    for (let call = 0; call < scrolls / rounds; call += 1) await timed(times.beside);
    await Promise.all(viewers);
  }
  const [alone, beside] = [percentile(times.alone, 50), percentile(times.beside, 50)];
  return {
    figure: `scroll beside two viewers − without, p50 of ${scrolls} in turns`,
    measured: `${milliseconds(beside)} − ${milliseconds(alone)} = ${milliseconds(beside - alone)}`,
    target: "",
  };
}

/** What the driver's process uses while nothing happens on the display. */
async function measureIdle(screen: Screen, name: string): Promise<Figure> {
  const signal = AbortSignal.timeout(60_000);
  const input = { settle_ms: 0, cursor: false };
  const { etag } = await screen.watch({ ...input, wait_ms: 0, unless: [] }, signal);
  const before = process.cpuUsage();
  await screen.watch({ ...input, wait_ms: idleMs, unless: parseTags(etag) }, signal);
  const { user, system } = process.cpuUsage(before);
  const percent = (user + system) / 10 / idleMs;
  return {
    figure: `processor of a driver whose still ${name} is watched`,
    measured: `${percent.toFixed(2)} % of a core`,
    target: "at most 2 %",
    isReached: percent <= 2,
  };
}
