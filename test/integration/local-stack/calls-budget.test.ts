import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { inARow, type MeteredCall } from "../../support/capacity/call-meter.ts";
import { sum } from "../../support/capacity/capacity.ts";
import { type HotPath, openHotPaths } from "../../support/capacity/hot-paths.ts";

type Figures = Readonly<Record<string, number>>;
type Budget = Readonly<Record<string, Figures>>;

const file = new URL("calls-budget.json", import.meta.url);
const isRaising = process.env.BUDGET === "raise";
const isWriting = process.env.CI === undefined;

/**
 * Holds each hot path to its figures in calls-budget.json: the calls in a row that its caller waits for, and calls, read
 * units and write units of each function. One that has fallen is written there; one that has risen fails, until the same
 * commit changes the file: `BUDGET=raise` writes it.
 */
it("what the hot paths call is in the budget", { timeout: 300_000 }, async () => {
  const budget: Budget = JSON.parse(readFileSync(file, "utf8"));
  const measured: Record<string, Figures> = {};
  const world = await openHotPaths();
  try {
    for (const [name, path] of Object.entries<HotPath>(world.paths)) {
      measured[name] = await figuresOf(path, world);
      // An instance that a busy machine has started anew notes once what a warm one knows: what stays is the path's.
      if (!isDeepStrictEqual(measured[name], budget[name])) measured[name] = await figuresOf(path, world);
    }
  } finally {
    await world.close();
  }
  const [before, now] = [flat(budget), flat(measured)];
  const changed = [...new Set([...before.keys(), ...now.keys()])].flatMap((figure) => {
    const [was = 0, is = 0] = [before.get(figure), now.get(figure)];
    return was === is ? [] : [{ was, is, text: `${figure}: ${was} -> ${is}` }];
  });
  const risen = changed.filter(({ was, is }) => is > was);
  if (isWriting && (isRaising || risen.length === 0)) {
    writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
  } else {
    expect((isWriting ? risen : changed).map(({ text }) => text)).toEqual([]);
  }
});

/** The figures of a warm path. */
async function figuresOf(
  path: HotPath,
  { metered, renewKey }: Awaited<ReturnType<typeof openHotPaths>>,
): Promise<Figures> {
  const { act, without, undo } = path;
  await renewKey();
  await metered(without ?? act);
  await undo?.();
  const less = without && figuresOfCalls(await metered(without), path);
  const more = figuresOfCalls(await metered(act), path);
  await undo?.();
  const names = Object.keys({ ...less, ...more });
  return Object.fromEntries(
    names
      .map((name): [string, number] => [name, (more[name] ?? 0) - (less?.[name] ?? 0)])
      .filter(([, figure]) => figure !== 0),
  );
}

function figuresOfCalls(
  { calls, untilMs }: { readonly calls: readonly MeteredCall[]; readonly untilMs: number },
  { isAwaited, isCounted = () => true }: HotPath,
): Figures {
  const awaited = calls.filter((call) => call.fromMs < untilMs && isAwaited(call));
  const byFunction = Map.groupBy(calls.filter(isCounted), ({ functionName }) => functionName);
  const figures = [...byFunction].toSorted().flatMap(([name, own]): [string, number][] => [
    [`${name} calls`, own.length],
    [`${name} read units`, sum(own.map(({ reads }) => reads))],
    [`${name} write units`, sum(own.map(({ writes }) => writes))],
  ]);
  return { "calls in a row": inARow(awaited), ...Object.fromEntries(figures) };
}

function flat(budget: Budget): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(budget).flatMap(([path, figures]) =>
      Object.entries(figures).map(([name, figure]): [string, number] => [`${path}, ${name}`, figure]),
    ),
  );
}
