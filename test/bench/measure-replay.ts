import type { DeskInput } from "../../infra/demo-desk/desk-options.ts";
import { isPointing, pointOf } from "../../shared/domain/action/action.ts";
import { crop, type Point, shifted } from "../../shared/domain/picture/picture.ts";
import type { DriverRequest } from "../../shared/domain/tunnel/driver-channel.ts";
import { pngCodec } from "../../shared/pictures/png-codec.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import type { DeskProcess } from "../support/execution/driver-process.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import type { Recording } from "../support/execution/record-demo.ts";
import { staysAlive } from "./bench-alive.ts";
import type { Figure } from "./figure.ts";
import { sized } from "./sized.ts";

const seeds = sized(50, 1);
const seedsOfBadScreens = sized([0, 11, 22], [0]);
const seedsOfFollowed = sized(12, 1);

const badScreens: readonly DeskInput[] = [
  ...[{ dialog: "open" }, { dialog: "open", dimmed: true }, { dialog: "customer", dimmed: true }],
  ...[{ dialog: "save" }, { dialog: "save", dimmed: true }, { save: "disabled" }, { save: "broken" }],
  ...[{ hovered: "save" }, { rows: "identical" }, { rows: "similar" }, { scrolled: 6 }, { theme: "dark" }],
  ...[{ blank: true }, { size: { width: 1024, height: 768 } }, { losesFocus: "item" }, { selectsNext: true }],
] as readonly DeskInput[];

const screens = sized(badScreens, badScreens.slice(0, 1));

/** The row that is clicked is still in sight: it may be followed, as a moved window is. */
const followed: DeskInput = { scrolled: 2 };

/** Mean difference of a color above which it is something else. */
const differenceMax = 12;

const endsOfBadScreens = ["start_not_reached", "replay_diverged", "outcome_not_seen"];

/** The demo replayed on the model of DynamoDB, on desks as it was recorded and on those where it must not be done. */
export async function measureReplay(): Promise<readonly Figure[]> {
  return await staysAlive(async () => {
    const recording = await demoRecording();
    let good = 0;
    for (let seed = 0; seed < seeds; seed += 1) {
      const { run, orders } = await replayed(recording, { seed });
      const [order] = orders;
      const isOwn = JSON.stringify(run?.outputData).includes(`"order_number":"${order?.number}"`);
      if (run?.status === "success" && orders.length === 1 && isOwn) good += 1;
    }
    const ends = new Map<string, number>();
    let wrongClicks = 0;
    for (const screen of screens) {
      for (const seed of seedsOfBadScreens) {
        const { run, clicksBeside } = await replayed(recording, { ...screen, seed });
        const end = run?.errorCode ?? run?.status ?? "none";
        ends.set(end, (ends.get(end) ?? 0) + 1);
        wrongClicks += clicksBeside;
        if (!endsOfBadScreens.includes(end)) {
          console.error(`${JSON.stringify({ ...screen, seed })} ended as ${end}`);
        }
      }
    }
    let followedWrongly = 0;
    for (let seed = 0; seed < seedsOfFollowed; seed += 1) {
      const { run, orders, clicksBeside } = await replayed(recording, { ...followed, seed });
      const isRight = run?.status === "success" && orders.every(({ customer }) => customer === "Daniel Weiß");
      if (clicksBeside > 0 || !(isRight || run?.errorCode === "replay_diverged")) followedWrongly += 1;
    }
    const cases = screens.length * seedsOfBadScreens.length;
    const expected = endsOfBadScreens.reduce((sum, end) => sum + (ends.get(end) ?? 0), 0);
    return [
      {
        figure: `replays of the demo that end well with their own output, ${seeds} seeds`,
        measured: `${good}`,
        target: `${seeds}`,
        isReached: good === seeds,
      },
      {
        figure: `clicks where the recorded picture is not, ${cases} replays on ${screens.length} screens`,
        measured: `${wrongClicks}`,
        target: "0",
        isReached: wrongClicks === 0,
      },
      {
        figure: "their ends",
        measured: [...ends].map(([end, count]) => `${count} ${end}`).join(", "),
        target: endsOfBadScreens.join(", "),
        isReached: expected === cases,
      },
      {
        figure: `replays on a list scrolled by two rows, ${seedsOfFollowed} seeds: neither diverged nor done for the recorded row`,
        measured: `${followedWrongly}`,
        target: "0",
        isReached: followedWrongly === 0,
      },
    ];
  });
}

async function replayed(recording: Recording, desk: DeskInput) {
  let clicksBeside = 0;
  const world = await executionWorld({
    recording,
    desk,
    between: async (request, driver) => {
      if (await isBeside(recording, request, driver)) clicksBeside += 1;
      return await driver.request(request);
    },
  });
  await world.execute();
  return { run: await world.find(), orders: world.driver.screen.desk.orders, clicksBeside };
}

/** Judged without what finds anchors: the pixels around the point are not those around the recorded one. */
async function isBeside(recording: Recording, request: DriverRequest, driver: DeskProcess): Promise<boolean> {
  if (request.path !== "/computer/batch" || request.repeat) return false;
  const { actions } = JSON.parse(new TextDecoder().decode(request.body)) as {
    readonly actions: readonly (Point & { readonly type: string })[];
  };
  const [clicked] = actions;
  const index = driver.done.length;
  const { action, anchor } = recording.elements[index] ?? {};
  const point = action !== undefined && isPointing(action) ? pointOf(action) : undefined;
  if (clicked?.type !== "click" || point === undefined || anchor === undefined) return false;
  const { png } = await driver.screen.takeScreenshot(
    { settle_ms: 0, cursor: false, wait_ms: 0 },
    AbortSignal.timeout(60_000),
  );
  const moved = { dx: clicked.x - point.x, dy: clicked.y - point.y };
  const { x, y, width, height } = shifted(anchor, moved);
  const now = crop(pngCodec.decode(png), { x, y, width, height });
  return difference(pngCodec.decode(Buffer.from(anchor.png, "base64")).data, now.data) > differenceMax;
}

function difference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}
