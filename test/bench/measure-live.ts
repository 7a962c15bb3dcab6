import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { DynamoDBClient, ListTablesCommand, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import type { CallsSnapshot } from "../../infra/local/aws/calls.ts";
import type { LiveTicket } from "../../shared/contract/live.ts";
import type { Machine } from "../../shared/contract/machine.ts";
import { organizationIdOf } from "../../shared/domain/organization-id.ts";
import { machineKey } from "../../shared/storage/table/keys.ts";
import { askApi } from "../support/stack/ask-api.ts";
import { LiveViewer } from "../support/stack/live-viewer.ts";
import { newOrganization } from "../support/stack/new-organization.ts";
import type { SpawnedStack } from "../support/stack/spawn-stack.ts";
import { until } from "../support/stack/until.ts";
import { type Figure, median, milliseconds, percentile } from "./figure.ts";
import { type Asked, createNeighbour, type Neighbour } from "./neighbour.ts";
import { openPlainStack } from "./plain-stack.ts";
import { processorMsOf } from "./processor-of.ts";
import { sized } from "./sized.ts";

const viewersOpened = sized(100, 3);
const changesPerSecond = sized(50, 5);
/** The phases with and without viewers come in turns, so that what else the machine does is in both. */
const rounds = sized(3, 1);
const samplesPerPhase = sized(12, 1);
const slowdownMax = 1.2;
const connectsAtOnce = 10;
const changesAtOnce = 5;

type Access = Pick<SpawnedStack, "baseUrl" | "websocketUrl" | "apiKey">;
type Controlled = Pick<SpawnedStack, "controlUrl" | "controlToken">;

interface Sample extends Asked {
  readonly hintMs: number;
}

/** What a stack does in a second: on AWS the messages count, here the processors that all share. */
interface Load {
  readonly messages: number;
  readonly processors: number;
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
  const loads = { calm: [] as Load[], crowded: [] as Load[] };
  let hints = 0;
  const phase = async (samples: Sample[], into: Load[]) => {
    const load = await loading(stack);
    samples.push(...(await sample(neighbour, looking.ask, samplesPerPhase)));
    into.push(await load());
  };
  try {
    await sample(neighbour, looking.ask, 1);
    for (let round = 0; round < rounds; round += 1) {
      await phase(calm, loads.calm);
      const viewers = await openViewers(busy, viewersOpened);
      await phase(crowded, loads.crowded);
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
    ...loadFigures(watched, loads),
    { figure: "changes of the machines that were made", measured: `${changing.made()}`, target: "" },
    {
      figure: "requests of the other organization that failed",
      measured: `${refused}`,
      target: "0",
      isReached: refused === 0,
    },
  ];
}

function loadFigures(
  watched: string,
  { calm, crowded }: { readonly calm: readonly Load[]; readonly crowded: readonly Load[] },
): readonly Figure[] {
  const [before, after] = [calm, crowded].map((loads) => ({
    messages: median(loads.map(({ messages }) => messages)),
    processors: median(loads.map(({ processors }) => processors)),
  })) as [Load, Load];
  const messages = after.messages - before.messages;
  const perMessageMs = ((after.processors - before.processors) * 1_000) / messages;
  return [
    {
      figure: `${watched}: messages a second of the projector, which no number of changes raises`,
      measured: `${messages.toFixed(0)}`,
      target: "at most 200",
      isReached: messages <= 200,
    },
    {
      figure: "processors that the local stack alone uses for them, which on AWS are nobody else's",
      measured: `${after.processors.toFixed(2)} − ${before.processors.toFixed(2)}, ${milliseconds(perMessageMs)} a message`,
      target: "",
    },
  ];
}

/** @returns what ends it, and tells what the stack has done in a second meanwhile. */
async function loading(stack: Controlled & Pick<SpawnedStack, "pid">): Promise<() => Promise<Load>> {
  const seen = async () => ({
    atMs: performance.now(),
    messages: await countMessages(stack),
    processorMs: processorMsOf(stack.pid),
  });
  const from = await seen();
  return async () => {
    const to = await seen();
    const ms = to.atMs - from.atMs;
    return {
      messages: ((to.messages - from.messages) * 1_000) / ms,
      processors: (to.processorMs - from.processorMs) / ms,
    };
  };
}

async function countMessages(stack: Controlled): Promise<number> {
  const { counts } = await control<CallsSnapshot>(stack, "/aws/calls");
  const ofProjector = Object.entries(counts).filter(([name]) => /projector/i.test(name));
  const calls = ofProjector.flatMap(([, services]) => Object.values(services));
  return calls.reduce((sum, { PostToConnection = 0 }) => sum + PostToConnection, 0);
}

async function control<Body>({ controlUrl, controlToken }: Controlled, path: string): Promise<Body> {
  const response = await fetch(`${controlUrl}${path}`, {
    headers: { authorization: `Bearer ${controlToken}` },
  });
  return (await response.json()) as Body;
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

/**
 * Changes machines in turn, each about once a second. The rows are written past all functions: requests would take the
 * processors of this machine, and leave none to be slower by.
 */
async function changeMachines(access: Access & Controlled) {
  const keys: { readonly pk: string; readonly sk: string }[] = [];
  for (let made = 0; made < changesPerSecond; made += 1) {
    const fingerprint = randomUUID();
    const { organization_id, id } = await askApi<Machine>(access, "/v1/machines", "POST", { fingerprint });
    keys.push(machineKey(organizationIdOf(organization_id), id));
  }
  const { url } = await control<{ readonly url: string }>(access, "/dynamodb");
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint: url, region: "us-east-1", credentials });
  const { TableNames: [TableName] = [] } = await client.send(new ListTablesCommand());
  const change = ({ pk, sk }: (typeof keys)[number]) => ({
    Update: {
      TableName,
      Key: { pk: { S: pk }, sk: { S: sk } },
      UpdateExpression: "ADD revision :one",
      ExpressionAttributeValues: { ":one": { N: "1" } },
    },
  });
  let next = 0;
  let made = 0;
  let underWay: Promise<unknown> | undefined;
  const timer = setInterval(
    () => {
      // A table that is slower than the changes gets fewer, rather than ever more at once.
      if (underWay !== undefined) return;
      const some = Array.from(
        { length: changesAtOnce },
        () => keys[next++ % keys.length] as (typeof keys)[0],
      );
      underWay = client
        .send(new TransactWriteItemsCommand({ TransactItems: some.map(change) }))
        .then(() => {
          made += changesAtOnce;
        })
        .catch(() => undefined)
        .finally(() => {
          underWay = undefined;
        });
    },
    (changesAtOnce * 1_000) / changesPerSecond,
  );
  return {
    made: () => made,
    stop: async () => {
      clearInterval(timer);
      await underWay;
      client.destroy();
    },
  };
}
