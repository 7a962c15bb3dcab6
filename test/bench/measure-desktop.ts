import { randomUUID } from "node:crypto";
import { SimulatedScreen } from "../../infra/demo-desk/simulated-screen.ts";
import type { Screen } from "../../infra/driver/screens/screen.ts";
import { X11Screen } from "../../infra/driver/screens/x11-screen.ts";
import { FakeBucket } from "../support/fake-service/fake-bucket.ts";
import { type AskOptions, FakeService } from "../support/fake-service/fake-service.ts";
import { scroll, startScreenDriver } from "../support/stack/simulated-driver.ts";
import { openXterm } from "../support/x-display/programs/xterm.ts";
import { XDisplay } from "../support/x-display/x-display.ts";
import { type Figure, milliseconds, percentile } from "./figure.ts";
import { openPlainStack } from "./plain-stack.ts";
import { sized } from "./sized.ts";

const warmUp = sized(20, 1);
const calls = sized(200, 2);
const screenshots = sized(60, 2);
const typedChars = sized(5_000, 50);
const sizes = [
  { width: 1_280, height: 800, p50Max: 20 },
  { width: 1_920, height: 1_080, p50Max: 40 },
] as const;

interface Action extends Pick<AskOptions, "method" | "path" | "query" | "body"> {
  readonly name: string;
  /** The same action as bare requests to the X server. */
  readonly bare: (display: XDisplay) => Promise<void>;
}

const actions: readonly Action[] = [
  {
    name: "click",
    path: "/computer/input/mouse/click",
    body: { x: 700, y: 500 },
    bare: (display) => display.click(700, 500),
  },
  {
    name: "key",
    path: "/computer/input/keyboard/key",
    body: { text: "shift" },
    bare: async ({ connection }) => {
      const shiftLeft = 50;
      connection.key(shiftLeft, true);
      connection.key(shiftLeft, false);
      await connection.sync();
    },
  },
  {
    name: "move",
    path: "/computer/input/mouse/move",
    body: { x: 701, y: 501 },
    bare: async ({ connection }) => {
      connection.movePointer(701, 501);
      await connection.sync();
    },
  },
];

/** The reference driver's X11 desktop on Xvfb: each action, screenshots, typed text, and a scroll through the stack. */
export async function measureDesktop(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const size of sizes) {
    const display = await XDisplay.open(size.width, size.height);
    const screen = await X11Screen.open({ display: display.name });
    try {
      const straight = await measureStraight(display, screen, size);
      figures.push(...straight);
      if (size === sizes[0]) figures.push(await measureStack(screen));
    } finally {
      await screen.close();
      await display.close();
    }
  }
  return figures;
}

async function measureStraight(
  display: XDisplay,
  screen: Screen,
  size: (typeof sizes)[number],
): Promise<readonly Figure[]> {
  const service = new FakeService();
  const bucket = await FakeBucket.open();
  const driver = startScreenDriver(screen, await service.listen(), "none");
  const terminal = await openXterm(display);
  try {
    await driver.connected();
    await terminal.focus();
    const ask = async (options: AskOptions) => {
      const { status } = await service.latest.ask({ ...options, upload: bucket.at(randomUUID()) });
      if (status !== 200) throw new Error(`${options.path} was answered ${status}`);
    };
    const figures = [await measureScreenshot(display, ask, size)];
    if (size !== sizes[0]) return figures;
    for (const action of actions) {
      const times = await inTurns(
        calls,
        () => ask(action),
        () => action.bare(display),
      );
      figures.push(compared(`${action.name} straight to the driver`, times, 2));
    }
    const text = Array.from({ length: typedChars }, (_, at) => String.fromCharCode(33 + (at % 94))).join("");
    await terminal.clear();
    const ms = await timeOf(async () => {
      await ask({ path: "/computer/input/keyboard/type", body: { text } });
      const received = await terminal.received(text);
      if (received !== text) throw new Error("the terminal received another text than was typed");
    });
    figures.push({
      figure: `${typedChars} ASCII characters into a terminal, until the last has arrived`,
      measured: `${milliseconds(ms)}, none lost`,
      target: "at most 3 s",
      isReached: ms <= 3_000,
    });
    return figures;
  } finally {
    await driver.stop();
    await terminal.close();
    await bucket.close();
    await service.close();
  }
}

async function measureScreenshot(
  display: XDisplay,
  ask: (options: AskOptions) => Promise<void>,
  { width, height, p50Max }: (typeof sizes)[number],
): Promise<Figure> {
  const zPixmap = 2;
  const allPlanes = 0xffff_ffff;
  const bare = async () => {
    await display.connection.ask(
      ...(["GetImage", zPixmap, display.connection.root, 0, 0, width, height, allPlanes] as const),
    );
  };
  const shot = { method: "GET", path: "/computer/display/screenshot" } as const;
  const times = await inTurns(screenshots, () => ask(shot), bare);
  return compared(`screenshot ${width} x ${height} straight to the driver`, times, p50Max);
}

/** A real display and a simulated one behind the same stack. */
async function measureStack(screen: Screen): Promise<Figure> {
  const stack = await openPlainStack();
  const drivers = [screen, new SimulatedScreen()].map((each) =>
    startScreenDriver(each, stack.websocketUrl, stack.apiKey),
  );
  try {
    const [real, simulated] = await Promise.all(drivers.map((driver) => driver.connected()));
    const scrollOn = (machineId: string | undefined) => async () => {
      const status = await scroll(stack.baseUrl, machineId ?? "", stack.apiKey);
      if (status !== 200) throw new Error(`a scroll was answered ${status}`);
    };
    const times = await inTurns(calls, scrollOn(real?.machineId), scrollOn(simulated?.machineId));
    const [p50, otherP50] = [percentile(times.ours, 50), percentile(times.bare, 50)];
    return {
      figure: `scroll through the stack on a real display − on a simulated one, p50 of ${calls} in turns`,
      measured: `${milliseconds(p50)} − ${milliseconds(otherP50)} = ${milliseconds(p50 - otherP50)}`,
      target: "at most 3 ms more",
      isReached: p50 - otherP50 <= 3,
    };
  } finally {
    await Promise.all(drivers.map((driver) => driver.stop()));
    await stack.stop();
  }
}

interface Times {
  readonly ours: readonly number[];
  readonly bare: readonly number[];
}

async function inTurns(
  count: number,
  act: () => Promise<void>,
  actBare: () => Promise<void>,
): Promise<Times> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let call = 0; call < warmUp + count; call += 1) {
    const ms = await timeOf(act);
    const bareMs = await timeOf(actBare);
    if (call < warmUp) continue;
    ours.push(ms);
    bare.push(bareMs);
  }
  return { ours, bare };
}

async function timeOf(act: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await act();
  return performance.now() - startedMs;
}

function compared(name: string, { ours, bare }: Times, p50Max: number): Figure {
  const p50 = percentile(ours, 50);
  const shown = `p50 ${milliseconds(p50)}, p99 ${milliseconds(percentile(ours, 99))}`;
  const shownBare = `p50 ${milliseconds(percentile(bare, 50))}, p99 ${milliseconds(percentile(bare, 99))}`;
  return {
    figure: `${name}, ${ours.length} in turns with the bare X request`,
    measured: `${shown}; bare ${shownBare}`,
    target: `p50 at most ${p50Max} ms`,
    isReached: p50 <= p50Max,
  };
}
