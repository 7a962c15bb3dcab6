import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { LiveTicket } from "../../shared/contract/live.ts";
import { askApi } from "../support/stack/ask-api.ts";
import { LiveViewer } from "../support/stack/live-viewer.ts";
import { newOrganization } from "../support/stack/new-organization.ts";
import type { SpawnedStack } from "../support/stack/spawn-stack.ts";
import { until } from "../support/stack/until.ts";
import { type Figure, median, milliseconds, percentile } from "./figure.ts";
import { type Asked, createNeighbour, type Neighbour } from "./neighbour.ts";
import { openPlainStack } from "./plain-stack.ts";
import { sized } from "./sized.ts";

const viewersOpened = sized(100, 3);
const changesPerSecond = sized(50, 5);
/** The phases with and without viewers come in turns, so that what else the machine does is in both. */
const rounds = sized(3, 1);
const samplesPerPhase = sized(12, 1);
const slowdownMax = 1.2;
const connectsAtOnce = 10;

type Access = Pick<SpawnedStack, "baseUrl" | "websocketUrl" | "apiKey">;

interface Sample extends Asked {
  readonly hintMs: number;
}

/**
 * One organization's machines change all the time. Measures what another organization waits for while a hundred people
 * watch them, against the same changes that nobody watches.
 */
export async function measureLive(): Promise<readonly Figure[]> {
  const stack = await openPlainStack();
  const [busy, quiet] = [
    { ...stack, apiKey: await newOrganization(stack) },
    { ...stack, apiKey: await newOrganization(stack) },
  ];
  const neighbour = await createNeighbour(quiet);
  const looking = await lookingAtOne(quiet);
  const changing = await changeMachines(busy);
  const calm: Sample[] = [];
  const crowded: Sample[] = [];
  let hints = 0;
  try {
    await sample(neighbour, looking.ask, 1);
    for (let round = 0; round < rounds; round += 1) {
      calm.push(...(await sample(neighbour, looking.ask, samplesPerPhase)));
      const viewers = await openViewers(busy, viewersOpened);
      crowded.push(...(await sample(neighbour, looking.ask, samplesPerPhase)));
      hints += viewers.reduce((sum, viewer) => sum + viewer.hints().length, 0);
      await Promise.all(viewers.map((viewer) => viewer.close()));
    }
  } finally {
    await changing.stop();
    await looking.close();
    await neighbour.close();
    await stack.stop();
  }
  const refused = [...calm, ...crowded].reduce((sum, each) => sum + each.refused, 0);
  const watched = `${viewersOpened} viewers of one organization, ${changesPerSecond} changes a second`;
  return [
    compared(`${watched}: another organization's hint, p50 (p95)`, calm, crowded, ({ hintMs }) => hintMs),
    compared(`${watched}: another organization's GET, p50 (p95)`, calm, crowded, ({ getMs }) => getMs),
    compared(`${watched}: another organization's run begins, p50 (p95)`, calm, crowded, ({ runMs }) => runMs),
    compared(
      `${watched}: another organization's webhook, p50 (p95)`,
      calm,
      crowded,
      (each) => each.webhookMs,
    ),
    { figure: `${watched}: hints that the viewers were sent`, measured: `${hints}`, target: "" },
    {
      figure: "requests of the other organization that failed",
      measured: `${refused}`,
      target: "0",
      isReached: refused === 0,
    },
  ];
}

async function sample(
  neighbour: Neighbour,
  hint: () => Promise<number>,
  times: number,
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (let taken = 0; taken < times; taken += 1) {
    const hintMs = await hint();
    samples.push({ ...(await neighbour.ask()), hintMs });
  }
  return samples;
}

function compared(
  figure: string,
  calm: readonly Sample[],
  crowded: readonly Sample[],
  of: (sample: Sample) => number,
): Figure {
  const [before, after] = [calm.map(of), crowded.map(of)];
  const ratio = median(after) / median(before);
  const shown = (values: readonly number[]) =>
    `${milliseconds(median(values))} (${milliseconds(percentile(values, 95))})`;
  return {
    figure,
    measured: `${shown(after)}, unwatched ${shown(before)}: ${ratio.toFixed(2)} ×`,
    target: `at most ${slowdownMax} × without viewers`,
    isReached: ratio <= slowdownMax,
  };
}

async function openViewers(access: Access, count: number): Promise<readonly LiveViewer[]> {
  const viewers: LiveViewer[] = [];
  while (viewers.length < count) {
    const some = Array.from({ length: Math.min(connectsAtOnce, count - viewers.length) }, () =>
      openViewer(access),
    );
    viewers.push(...(await Promise.all(some)));
  }
  await Promise.all(viewers.map((viewer) => viewer.watch("machines")));
  return viewers;
}

async function openViewer(access: Access): Promise<LiveViewer> {
  const { url } = await askApi<LiveTicket>(access, "/v1/live-tickets", "POST");
  const viewer = await LiveViewer.open(url);
  if (viewer === undefined) throw new Error("a viewer was not let in");
  return viewer;
}

/** A viewer of one machine, and the time from the request that changes it until its hint. */
async function lookingAtOne(access: Access) {
  const fingerprint = randomUUID();
  const { id } = await askApi<{ readonly id: string }>(access, "/v1/machines", "POST", { fingerprint });
  const viewer = await openViewer(access);
  await viewer.watch(`machine:${id}`);
  let isAvailable = true;
  return {
    ask: async () => {
      // A change after a quiet second is hinted at once.
      await pause(1_100);
      const before = viewer.hints().length;
      const fromMs = performance.now();
      isAvailable = !isAvailable;
      await askApi(access, `/v1/machines/${id}`, "PATCH", { is_available: isAvailable });
      await until(() => viewer.hints().length > before, 30_000, 2);
      return performance.now() - fromMs;
    },
    close: () => viewer.close(),
  };
}

/** Changes fifty machines in turn, each about once a second, without waiting for responses. */
async function changeMachines(access: Access) {
  const ids: string[] = [];
  for (let made = 0; made < changesPerSecond; made += 1) {
    const fingerprint = randomUUID();
    const { id } = await askApi<{ readonly id: string }>(access, "/v1/machines", "POST", { fingerprint });
    ids.push(id);
  }
  const underWay = new Set<Promise<unknown>>();
  let next = 0;
  const timer = setInterval(() => {
    const is_available = Math.floor(next / ids.length) % 2 === 1;
    const change = askApi(access, `/v1/machines/${ids[next % ids.length]}`, "PATCH", { is_available })
      .catch(() => undefined)
      .finally(() => underWay.delete(change));
    underWay.add(change);
    next += 1;
  }, 1_000 / changesPerSecond);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}
