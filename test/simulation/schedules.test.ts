import { expect, it } from "vitest";
import type { Schedule } from "../../shared/domain/schedule/schedule.ts";
import { anApiKey } from "../support/builders/entities.ts";
import { type CallPoint, KillSwitch } from "../support/execution/kill-switch.ts";
import { type ScheduleWorld, scheduleWorld, timeOf } from "../support/schedules/schedule-world.ts";

/** The invocations of one history, at these times; between them the run of `queue` ends. */
const times = ["12:09:30", "12:11:30"] as const;

interface Scene {
  readonly world: ScheduleWorld;
  readonly schedules: readonly Schedule[];
}

/** Of some, several times are late when the function comes; others are due at its next minute. */
async function scene(): Promise<Scene> {
  const world = await scheduleWorld({ start: "2026-01-15T12:00:30.000Z" });
  const { organizationId } = world;
  const revoked = anApiKey({ organizationId, revokedAt: "2026-01-15T12:00:00.000Z" });
  const usable = anApiKey({ organizationId });
  await world.apiKeys.create(revoked);
  await world.apiKeys.create(usable);
  const gone = await world.put.workflow({ organizationId });
  const content = Buffer.from("a list").toString("base64");
  const file = { filename: "list.txt", sizeBytes: 6, targetPath: null, cleanupImportsAfterRun: true };
  const schedules = [
    await world.make({ overlap: "allow", everyMinutes: 4, keyId: usable.id }),
    await world.make({ overlap: "skip", everyMinutes: 3 }),
    await world.make({ overlap: "queue", everyMinutes: 5 }),
    await world.make({ everyMinutes: 10, files: [file], contents: { kind: "inline", value: [content] } }),
    await world.make({ everyMinutes: 9, keyId: revoked.id }),
    await world.make({ everyMinutes: 9, workflowId: gone.id }),
  ];
  await world.workflows.markDeleted(organizationId, gone.id, "2026-01-15T12:01:00.000Z");
  return { world, schedules };
}

/** What people see of the schedules in the end, but for the times of the invocations. */
async function seen({ world, schedules }: Scene): Promise<readonly unknown[]> {
  return await Promise.all(
    schedules.map(async (schedule) => {
      const { dueAt, waitingDueAt, lastDueAt, lastOutcome, disabledReason } = await world.read(schedule);
      const runs = await world.runsOf(schedule);
      return {
        runs: runs.map(({ createdAt, inputAttachmentIds }) => [timeOf(createdAt), inputAttachmentIds.length]),
        due: timeOf(dueAt),
        waiting: timeOf(waitingDueAt),
        last: [timeOf(lastDueAt), lastOutcome],
        disabledReason,
      };
    }),
  );
}

type Invoke = (scene: Scene, place: number) => Promise<void>;

/** Each time is invoked twice, so that the second invocation finds what the first has left. */
async function history(invoke: Invoke): Promise<Scene> {
  const made = await scene();
  const { world, schedules } = made;
  for (const [place, time] of times.entries()) {
    world.goTo(time);
    await invoke(made, place);
    await world.run();
    for (const schedule of schedules) if (schedule.overlap === "queue") await world.endRuns(schedule);
  }
  return made;
}

async function plain() {
  const points: CallPoint[][] = [];
  const made = await history(async ({ world }) => {
    const calls = new KillSwitch();
    await world.instance(calls)();
    points.push(calls.points);
  });
  return { points, expected: await seen(made) };
}

it("has a history in which something of every kind comes about", async () => {
  const { expected, points } = await plain();
  expect(expected).toEqual([
    {
      runs: [
        ["12:04", 0],
        ["12:08", 0],
        ["12:12", 0],
      ],
      due: "12:16",
      last: ["12:12", "started"],
      disabledReason: null,
    },
    { runs: [["12:03", 0]], due: "12:15", last: ["12:12", "skipped"], disabledReason: null },
    {
      runs: [
        ["12:05", 0],
        ["12:10", 0],
      ],
      due: "12:15",
      last: ["12:10", "started"],
      disabledReason: null,
    },
    { runs: [["12:10", 1]], due: "12:20", last: ["12:10", "started"], disabledReason: null },
    { runs: [], last: ["12:09", "refused"], disabledReason: "key_revoked" },
    { runs: [], last: ["12:09", "refused"], disabledReason: "workflow_deleted" },
  ]);
  expect(new Set(points.flat().map(({ name }) => name))).toEqual(
    new Set([
      "QueryCommand",
      "BatchGetItemCommand",
      "GetItemCommand",
      "UpdateItemCommand",
      "TransactWriteItemsCommand",
      "bucket put",
    ]),
  );
});

it("loses no run and makes none twice, wherever an invocation ends", async () => {
  const { points, expected } = await plain();
  const ends: string[] = [];
  for (const [at, ofInvocation] of points.entries()) {
    for (const point of some(ofInvocation)) {
      const made = await history(async ({ world }, place) => {
        if (place !== at) return void (await world.instance()());
        ends.push(await world.instance(KillSwitch.at(point))());
      });
      expect(await seen(made), told(at, point)).toEqual(expected);
    }
  }
  // By their ids schedules share other shards each time, so that a history may have a few calls less.
  const killed = ends.filter((end) => end === "killed");
  expect(killed.length).toBeGreaterThan(0.9 * ends.length);
});

it("loses no run and makes none twice, wherever two invocations meet", async () => {
  const { points, expected } = await plain();
  for (const [at, ofInvocation] of points.entries()) {
    for (const point of some(ofInvocation)) {
      const made = await history(async ({ world }, place) => {
        if (place !== at) return void (await world.instance()());
        const held = hold(world, point);
        await held.isHeld;
        await world.run();
        await held.goOn();
      });
      expect(await seen(made), told(at, point)).toEqual(expected);
    }
  }
});

it("does nothing more where an invocation goes on a day later", async () => {
  const { points } = await plain();
  for (const point of some(points[0] ?? [])) {
    const made = await scene();
    const { world } = made;
    world.goTo(times[0]);
    const held = hold(world, point);
    await held.isHeld;
    world.clock.advance(86_400_000);
    await world.run();
    // What is left for the minute to which the invocation has waited is dealt with, too.
    await world.run();
    const before = await seen(made);
    await held.goOn();
    expect(await seen(made), told(0, point)).toEqual(before);
  }
});

/** An invocation stands still at that point, until it is to go on. */
function hold(world: ScheduleWorld, { number, when }: CallPoint) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const calls = new KillSwitch(
    () => false,
    async (point) => {
      if (point.number !== number || point.when !== when) return;
      reached.resolve();
      await released.promise;
    },
  );
  const invocation = world.instance(calls)();
  return {
    isHeld: Promise.race([reached.promise, invocation]),
    goOn: async () => {
      released.resolve();
      await invocation;
    },
  };
}

/** Queries follow each other by the dozen and write nothing: the first and the last of each such row suffice. */
function some(points: readonly CallPoint[]): readonly CallPoint[] {
  const isQuery = (point: CallPoint | undefined) => point?.name === "QueryCommand";
  return points.filter(
    (point, at) => !isQuery(point) || !isQuery(points[at - 1]) || !isQuery(points[at + 1]),
  );
}

function told(at: number, { name, number, when }: CallPoint): string {
  return `invocation ${at}, ${when} call ${number}, ${name}`;
}
