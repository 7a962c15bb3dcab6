import { demoRecording } from "../support/execution/demo-recording.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import { type CallPoint, KillSwitch } from "../support/execution/kill-switch.ts";
import type { Recording } from "../support/execution/record-demo.ts";
import { staysAlive } from "./bench-alive.ts";
import type { Figure } from "./figure.ts";
import { sized } from "./sized.ts";

const ways = [
  { how: "at once, same driver", resumeAfterMs: 0, isRestarted: false },
  { how: "at once, driver anew", resumeAfterMs: 0, isRestarted: true },
  { how: "after 11 min, same driver", resumeAfterMs: 660_000, isRestarted: false },
  { how: "after 11 min, driver anew", resumeAfterMs: 660_000, isRestarted: true },
];

/** The result of a run that was killed once. */
interface Killed {
  readonly isRight: boolean;
  /** Actions done more than once, and after the end. */
  readonly tooMany: number;
  /** Actions that only read, done again because the driver had forgotten their results. */
  readonly readAgain: number;
  /** Calls beyond those of a run that is not killed. */
  readonly again: number;
}

/** The demo's eleven actions, killed before and after each of its calls, on the model with a moved clock. */
export async function measureCrashes(): Promise<readonly Figure[]> {
  return await staysAlive(async () => {
    const recording = await demoRecording();
    const kills = new KillSwitch();
    const whole = await executionWorld({ recording, kills });
    await whole.execute();
    const actions = whole.driver.done.length;
    const calls = kills.points.length;
    const figures: Figure[] = [];
    for (const way of sized(ways, ways.slice(0, 1))) {
      const rows = new Map<string, Killed[]>();
      for (const point of sized(kills.points, kills.points.slice(0, 4))) {
        const where = `${point.when} ${point.name.replace(/ \d+$/, "")}`;
        const killed = await killedAt(recording, point, { ...way, actions, calls });
        rows.set(where, [...(rows.get(where) ?? []), killed]);
        if (!killed.isRight || killed.tooMany > 0)
          console.error(`${way.how}, ${where} (${point.number}): wrong`);
      }
      for (const [where, all] of rows) {
        const again = all.map((each) => each.again);
        const right = all.filter((each) => each.isRight).length;
        console.error(
          `${way.how.padEnd(26)} ${where.padEnd(36)} ${right}/${all.length} right, calls again ${Math.min(...again)} to ${Math.max(...again)}`,
        );
      }
      const each = [...rows.values()].flat();
      const wrong = each.filter(({ isRight }) => !isRight).length;
      const tooMany = each.reduce((sum, killed) => sum + killed.tooMany, 0);
      const readAgain = each.reduce((sum, killed) => sum + killed.readAgain, 0);
      figures.push({
        figure: `${each.length} runs killed once, ${way.how}: actions done twice or after the end; wrong ends (texts copied again)`,
        measured: `${tooMany}; ${wrong} (${readAgain})`,
        target: "0; 0",
        isReached: tooMany + wrong === 0,
      });
    }
    return figures;
  });
}

async function killedAt(
  recording: Recording,
  { number, when }: CallPoint,
  {
    resumeAfterMs,
    isRestarted,
    actions,
    calls,
  }: (typeof ways)[number] & { readonly actions: number; readonly calls: number },
): Promise<Killed> {
  const kills = new KillSwitch((point) => point.number === number && point.when === when);
  const world = await executionWorld({ recording, kills });
  const onKill = () => (isRestarted ? world.driver.restart() : undefined);
  await world.execute({ resumeAfterMs, onKill });
  const run = await world.find();
  const { done, screen } = world.driver;
  const isRight = run?.status === "success" && screen.desk.orders.length === 1 && done.length >= actions;
  const copies = done.filter(({ body }) => body.includes('"type":"copy_to_clipboard"')).length;
  const readAgain = Math.max(0, copies - 1);
  const tooMany = Math.max(0, done.length - readAgain - actions);
  return { isRight, tooMany, readAgain, again: (kills.points.length - calls) / 2 };
}
