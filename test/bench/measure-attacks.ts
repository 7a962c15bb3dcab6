import { setTimeout as pause } from "node:timers/promises";
import { newOrganization } from "../support/stack/new-organization.ts";
import { type SpawnedStack, spawnStack } from "../support/stack/spawn-stack.ts";
import { startAttack } from "./attack-thread.ts";
import { type Attack, attacks, everyAttack, noAttack, slowServer } from "./attacks.ts";
import { type Figure, percentile } from "./figure.ts";
import { memoryOf } from "./memory-of.ts";
import { type Asked, createNeighbour, type Neighbour } from "./neighbour.ts";
import { openPlainStack } from "./plain-stack.ts";
import { isSmoke, sized } from "./sized.ts";

/** Enough for the second that an attack takes to begin to be less than a twentieth of them. */
const samples = sized(60, 1);
/** The desktops of an attack stay mute for 25 s. */
const sampledMs = sized(20_000, 2_000);
/** Longer than an idle environment lives. */
const quietMs = sized(75_000, 0);
const ratioMax = 3;
const memoryRatioMax = 1.3;
const closedWithinMsMax = 1_000;

/**
 * Measures what attacks of one organization cost another one: times of its requests, refusals, and the stack's memory.
 *
 * @param part leaves only the attacks whose names contain it.
 */
export async function measureAttacks(part = ""): Promise<readonly Figure[]> {
  // The stack of a smoke is shared and asks real providers, so no key is tried out there.
  const all = isSmoke ? attacks : everyAttack.filter((each) => each !== noAttack);
  const chosen = all.filter(({ name }) => name.includes(part));
  if (chosen.length === 0) throw new Error(`no attack's name contains "${part}"`);
  const provider = await slowServer(401);
  const variables = { MODEL_ENDPOINTS: JSON.stringify({ openai: provider.url }) };
  const stack = isSmoke
    ? await openPlainStack()
    : await spawnStack({ desktop: false, timers: false, variables });
  try {
    if (!isSmoke) await measured(stack, noAttack);
    await pause(quietMs);
    const before = memoryOf(stack.pid).pssMb;
    const figures: Figure[] = [];
    const closedAfterMs: number[] = [];
    for (const attack of chosen) {
      const { figure, closed } = await measured(stack, attack);
      figures.push(figure);
      closedAfterMs.push(...closed);
      await pause(sized(5_000, 0));
    }
    await pause(quietMs);
    const floods = closedAfterMs.length > 0 ? [floodFigure(closedAfterMs)] : [];
    return [...figures, ...floods, memoryFigure(before, memoryOf(stack.pid).pssMb)];
  } finally {
    await stack.stop();
    await provider.close();
  }
}

interface Measured {
  readonly figure: Figure;
  readonly closed: readonly number[];
}

async function measured(stack: SpawnedStack, { name }: Attack): Promise<Measured> {
  const neighbour = await createNeighbour({ ...stack, apiKey: await newOrganization(stack) });
  try {
    await asked(neighbour, sized(3, 1));
    const before = await asked(neighbour, samples);
    const attack = startAttack(name, { ...stack, apiKey: await newOrganization(stack) });
    try {
      await attack.begun;
      const figure = figureOf(name, before, await asked(neighbour, samples));
      console.error(`${figure.figure}: ${figure.measured}`);
      return { figure, closed: await attack.end() };
    } catch (error) {
      await attack.end();
      throw error;
    }
  } finally {
    await neighbour.close();
  }
}

async function asked(neighbour: Neighbour, count: number): Promise<readonly Asked[]> {
  const all: Asked[] = [];
  const until = performance.now() + sampledMs;
  while (all.length < count && performance.now() < until) all.push(await neighbour.ask());
  return all;
}

function figureOf(name: string, before: readonly Asked[], during: readonly Asked[]): Figure {
  const compared = (["getMs", "runMs", "webhookMs"] as const).map((kind) => {
    const p95 = (of: readonly Asked[]) =>
      percentile(
        of.map((each) => each[kind]),
        95,
      );
    return {
      kind: kind.slice(0, -2),
      before: p95(before),
      during: p95(during),
      ratio: p95(during) / p95(before),
    };
  });
  const refused = during.reduce((sum, each) => sum + each.refused, 0);
  const words = compared.map(
    (each) =>
      `${each.kind} ${each.before.toFixed(0)} → ${each.during.toFixed(0)} ms (${each.ratio.toFixed(1)})`,
  );
  return {
    figure: `another organization's p95 during ${name}, of ${during.length}`,
    measured: `${words.join(", ")}; refused ${refused}`,
    target: `at most ${ratioMax} each, none refused`,
    isReached: refused === 0 && compared.every(({ ratio }) => ratio <= ratioMax),
  };
}

function floodFigure([first = Number.POSITIVE_INFINITY, ...others]: readonly number[]): Figure {
  return {
    figure: "a socket that floods: until it is closed (the longest of those that follow at once)",
    measured: `${first.toFixed(0)} (${Math.max(first, ...others).toFixed(0)}) ms`,
    target: `at most ${closedWithinMsMax} ms`,
    isReached: first <= closedWithinMsMax,
  };
}

function memoryFigure(beforeMb: number, afterMb: number): Figure {
  const ratio = afterMb / beforeMb;
  return {
    figure: "the stack's memory after all attacks ÷ before them, proportional set size",
    measured: `${afterMb.toFixed(0)} ÷ ${beforeMb.toFixed(0)} MB = ${ratio.toFixed(2)}`,
    target: `at most ${memoryRatioMax}`,
    isReached: ratio <= memoryRatioMax,
  };
}
