import { demoRecording } from "../support/execution/demo-recording.ts";
import { type ExecutionWorld, executionWorld } from "../support/execution/execution-world.ts";
import { type CallPoint, KillSwitch } from "../support/execution/kill-switch.ts";
import { formats, lookingProvider, ordersTask, overTheWire } from "../support/execution/looking-provider.ts";
import { recordingByModel } from "../support/execution/recorded-by-model.ts";
import type { ProviderServer } from "../support/providers/provider-server.ts";
import type { ProviderKind } from "../support/providers/start-provider.ts";
import { canariesIn } from "../support/stack/canaries.ts";
import { staysAlive } from "./bench-alive.ts";
import { type Figure, median, milliseconds } from "./figure.ts";
import { measureModelsLoad } from "./measure-models-load.ts";
import { sized } from "./sized.ts";

const kinds = sized(formats, formats.slice(0, 1));
const seeds = sized(10, 1);
const stepsMin = 20;
const replyMs = 3_000;
const fasterMin = 5;
const stepMsMax = 80;
const callsMax = 12;
const orders = sized(2, 1);
/** A task whose run replaces pictures by words several times. */
const manyOrders = sized(6, 1);
const resentShareMax = 0.25;
const pin = "canary-4711";

/** Tasks of the demo desk by models that see it, over the wire of each provider, and what they cost. */
export async function measureModels(): Promise<readonly Figure[]> {
  return await staysAlive(async () => {
    const runs: Done[] = [];
    for (const kind of kinds) {
      for (let seed = 0; seed < seeds; seed += 1) runs.push(await carriedOut(kind, seed, orders));
    }
    const long: Done[] = [];
    for (const kind of kinds) long.push(await carriedOut(kind, 0, manyOrders));
    return [
      ...tasks(runs),
      ...replays(runs),
      ...steps([...runs, ...long]),
      ...long.map(requests),
      ...(await measureModelsLoad()),
    ];
  });
}

/** A model's step: from the request of one decision to the next. */
interface StepCost {
  /** Time without the model and the desktop. */
  readonly ms: number;
  /** Calls other than those to the model and the desktop. */
  readonly calls: readonly string[];
}

interface Done {
  readonly kind: ProviderKind;
  readonly isRight: boolean;
  readonly steps: number;
  readonly refused: number;
  readonly leaked: number;
  readonly costs: readonly StepCost[];
  readonly requestBytes: readonly number[];
  readonly tokens: ProviderServer["tokens"];
  readonly replay: { readonly isRight: boolean; readonly asked: number; readonly fasterBy: number };
}

async function carriedOut(kind: ProviderKind, seed: number, count: number): Promise<Done> {
  const provider = await lookingProvider(kind);
  const { server } = provider;
  try {
    const { inputs, mainPrompt } = ordersTask(count);
    const points: (CallPoint & { readonly atMs: number; readonly serverMs: number })[] = [];
    const kills = new KillSwitch(undefined, async (point) => {
      points.push({ ...point, atMs: performance.now(), serverMs: server.busyMs });
    });
    const given = { desk: { seed }, inputs, secrets: { pin } };
    const workflow = { mainPrompt, maxSteps: 200 };
    const model = overTheWire(provider);
    const world = await executionWorld({ ...given, recording: demoRecording(), workflow, kills, model });
    const decidedMs = await elapsed(world);
    const run = await world.find();
    const sent = server.requests.map(({ path, headers, text }) => `${path}${JSON.stringify(headers)}${text}`);
    const replay = await executionWorld({
      ...given,
      recording: await recordingByModel(world),
      workflow,
      model: { ...model, hasTrajectory: true },
    });
    const replayedMs = await elapsed(replay);
    return {
      kind,
      isRight: isRight(world, count) && run?.status === "success",
      steps: (await world.steps()).filter(({ source }) => source === "model").length,
      refused: server.refusals.length,
      leaked: sent.filter((text) => canariesIn(text, { pin }).length > 0).length,
      costs: costsOf(points),
      requestBytes: server.requests.map(({ text }) => Buffer.byteLength(text)),
      tokens: server.tokens,
      replay: {
        isRight: isRight(replay, count) && (await replay.find())?.status === "success",
        asked: replay.requests.length,
        fasterBy: (decidedMs + replyMs * world.requests.length) / replayedMs,
      },
    };
  } finally {
    await server.stop();
  }
}

/** The time elapsed, including the time by which the clock was advanced. */
async function elapsed(world: ExecutionWorld): Promise<number> {
  const { clock } = world;
  const [fromMs, clockMs] = [performance.now(), clock.now()];
  await world.executeAll();
  return performance.now() - fromMs + clock.now() - clockMs;
}

function isRight({ driver }: ExecutionWorld, count: number): boolean {
  const { inputs } = ordersTask(count);
  const ordered = driver.screen.desk.orders.flatMap(({ item, quantity }) => [item, quantity]);
  return JSON.stringify(ordered) === JSON.stringify(Object.values(inputs));
}

function costsOf(
  points: readonly (CallPoint & { readonly atMs: number; readonly serverMs: number })[],
): readonly StepCost[] {
  const asks = points.flatMap(({ name, when }, at) => (name === "model" && when === "before" ? [at] : []));
  return asks.slice(0, -1).flatMap((from, nth): StepCost[] => {
    const within = points.slice(from, (asks[nth + 1] ?? 0) + 1);
    const [first, last] = [within[0], within.at(-1)];
    if (first === undefined || last === undefined) return [];
    const desktopMs = within
      .filter(({ name }) => name.startsWith("desktop"))
      .reduce((sum, { when, atMs }) => sum + (when === "after" ? atMs : -atMs), 0);
    const ofModel = last.serverMs - first.serverMs;
    const names = within.filter(({ when }) => when === "before").map(({ name }) => name.replace(/ \d+$/, ""));
    return [
      {
        ms: last.atMs - first.atMs - desktopMs - ofModel,
        calls: names.slice(0, -1).filter((name) => name !== "model" && !name.startsWith("desktop")),
      },
    ];
  });
}

function tasks(runs: readonly Done[]): readonly Figure[] {
  const byKind = Map.groupBy(runs, ({ kind }) => kind);
  const good = [...byKind].map(([kind, each]) => `${kind} ${each.filter((run) => run.isRight).length}`);
  const fewest = Math.min(...runs.map(({ steps }) => steps));
  const sum = (of: (run: Done) => number) => runs.reduce((all, run) => all + of(run), 0);
  return [
    {
      figure: `two orders by a model that looks at the pictures it is sent, ${seeds} seeds a format: done; fewest steps`,
      measured: `${good.join(", ")}; ${fewest}`,
      target: `${seeds} each; at least ${stepsMin}`,
      isReached: runs.every((run) => run.isRight) && fewest >= stepsMin,
    },
    zero(
      "requests that a strict provider refuses",
      sum(({ refused }) => refused),
    ),
    zero(
      "requests with a secret in them",
      sum(({ leaked }) => leaked),
    ),
  ];
}

function zero(figure: string, count: number): Figure {
  return { figure, measured: `${count}`, target: "0", isReached: count === 0 };
}

function replays(runs: readonly Done[]): readonly Figure[] {
  const good = runs.filter(({ replay }) => replay.isRight).length;
  const faster = runs.map(({ replay }) => replay.fasterBy);
  return [
    {
      figure: "runs after them by what was recorded: done",
      measured: `${good}`,
      target: `${runs.length}`,
      isReached: good === runs.length,
    },
    zero(
      "calls of a model in them",
      runs.reduce((sum, { replay }) => sum + replay.asked, 0),
    ),
    {
      figure: `how much faster than with a model that replies after ${replyMs / 1_000} s: least, p50`,
      measured: `${Math.min(...faster).toFixed(1)}, ${median(faster).toFixed(1)} times`,
      target: `at least ${fasterMin}`,
      isReached: Math.min(...faster) >= fasterMin,
    },
  ];
}

function steps(runs: readonly Done[]): readonly Figure[] {
  const costs = runs.flatMap(({ costs }) => costs);
  const p50 = median(costs.map(({ ms }) => ms));
  const counts = costs.map(({ calls }) => calls.length);
  const most = Math.max(...counts);
  const typical = costs.find(({ calls }) => calls.length === median(counts))?.calls ?? [];
  const each = [...Map.groupBy(typical, (name) => name)].map(([name, all]) => `${all.length} ${name}`);
  return [
    {
      figure: `a step beside model and desktop, in one process on the model of DynamoDB, of ${costs.length}: p50`,
      measured: milliseconds(p50),
      target: `at most ${stepMsMax} ms`,
      isReached: p50 <= stepMsMax,
    },
    {
      figure: "AWS calls of a model's step, its tunnel's and its key's beside: p50, most",
      measured: `${median(counts)}, ${most}: ${each.join(", ")}`,
      target: `at most ${callsMax}`,
      isReached: most <= callsMax,
    },
  ];
}

function requests({ kind, isRight: isDone, tokens, requestBytes }: Done): Figure {
  const { input, cached, resent } = tokens;
  const share = (count: number) => `${((100 * count) / input).toFixed(1)} %`;
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
  return {
    figure: `${requestBytes.length} requests of one task, ${kind}: input sent again that no cache had; cached; size p50, most`,
    measured: `${share(resent)}; ${share(cached)}; ${mb(median(requestBytes))}, ${mb(Math.max(...requestBytes))}`,
    target: `at most ${100 * resentShareMax} % sent again`,
    isReached: isDone && resent / input <= resentShareMax,
  };
}
