import { setTimeout as pause } from "node:timers/promises";
import { callsShareOfPlaces } from "../../infra/concurrency.ts";
import { environmentsMax } from "../../infra/local/lambda/limits.ts";
import type { Machine } from "../../shared/domain/machine/machine.ts";
import { driverCallTimeoutMs } from "../../shared/domain/tunnel/call-driver.ts";
import { createDriverChannel } from "../../shared/tunnel/tunnel-driver-channel.ts";
import { anActor } from "../support/builders/entities.ts";
import { FakePeer } from "../support/fake-peer/fake-peer.ts";
import { newOrganization } from "../support/stack/new-organization.ts";
import type { SpawnedStack } from "../support/stack/spawn-stack.ts";
import { tunnelWorld } from "../support/tunnel-world/tunnel-world.ts";
import { type Figure, milliseconds, percentile } from "./figure.ts";
import { openPlainStack } from "./plain-stack.ts";
import { sized } from "./sized.ts";

/** All calls that an organization may have under way in the local stack. */
const muteDesktops = sized(callsShareOfPlaces(environmentsMax, environmentsMax), 2);
const samples = sized(60, 2);
const muteWithinMs = 20_000;
const ratioMax = 3;
const modelMachines = sized(50, 2);
const modelCalls = sized(200, 10);

const looking = {
  method: "GET",
  path: "/computer/display/dimensions",
  query: "",
  headers: {},
  largeResponse: false,
  isUrgent: false,
  repeat: false,
  timeoutMs: driverCallTimeoutMs,
} as const;

/** Measures what calls to desktops that never respond cost everybody else. */
export async function measureMute(): Promise<readonly Figure[]> {
  return [...(await measureModel()), ...(await measureOthers())];
}

/** Measures another organization's sequential calls before and while one has all its calls to mute desktops. */
async function measureOthers(): Promise<readonly Figure[]> {
  const stack = await openPlainStack();
  try {
    const other = await newOrganization(stack);
    const desktop = await connect(stack, other);
    const idle = await timesOf(() => look(stack, desktop.machineId, other));
    const mute = [];
    for (let count = 0; count < muteDesktops; count += 1) mute.push(await connect(stack, stack.apiKey));
    // This warms as many instances as will wait.
    await Promise.all(mute.map(({ machineId }) => look(stack, machineId, stack.apiKey)));
    for (const { peer } of mute) peer.stayMute();
    const startedMs = performance.now();
    const waiting = mute.map(({ machineId }) => look(stack, machineId, stack.apiKey));
    while (mute.some(({ peer }) => peer.requests.length < 2)) {
      if (performance.now() - startedMs > muteWithinMs) throw new Error("not all mute desktops were asked");
      await pause(50);
    }
    const busy = await timesOf(() => look(stack, desktop.machineId, other));
    const [idleP95, busyP95] = [percentile(idle.ms, 95), percentile(busy.ms, 95)];
    const refused = [...idle.statuses, ...busy.statuses].filter((status) => status !== 200).length;
    for (const { peer } of [...mute, desktop]) await peer.close();
    await Promise.all(waiting);
    return [
      {
        figure: `calls of another organization while one has ${muteDesktops} to mute desktops, refused of ${2 * samples}`,
        measured: String(refused),
        target: "none",
        isReached: refused === 0,
      },
      {
        figure: "the same, p95 / p95 before (p50)",
        measured: `${milliseconds(busyP95)} / ${milliseconds(idleP95)} = ${(busyP95 / idleP95).toFixed(2)} (${milliseconds(percentile(busy.ms, 50))})`,
        target: `at most ${ratioMax}`,
        isReached: busyP95 <= ratioMax * idleP95,
      },
    ];
  } finally {
    await stack.stop();
  }
}

/** Counts on the model of DynamoDB the reads and writes of 200 calls to mute desktops until they time out. */
async function measureModel(): Promise<readonly Figure[]> {
  const world = tunnelWorld();
  const key = await world.key();
  const machines: Machine[] = [];
  for (let count = 0; count < modelMachines; count += 1) {
    machines.push(await world.machineOf(await world.driver({ key })));
    world.clock.advance(2_000);
  }
  const startMs = world.clock.now();
  world.model.takeRecords();
  const requester = { requestId: "bench", logger: world.logger, actor: anActor("bench") };
  const polls: number[] = [];
  const read = world.callRecords.read.bind(world.callRecords);
  world.callRecords.read = async (...given) => {
    polls.push(world.clock.now() - startMs);
    return await read(...given);
  };
  // Each caller has an instance of its own, with a mailbox of its own.
  const calls = Array.from({ length: modelCalls }, async (_, call) => {
    const machine = machines[call % modelMachines];
    if (machine?.connection == null) throw new Error("a machine is not connected");
    const channel = createDriverChannel(world, requester);
    const { organizationId, id: machineId, connection } = machine;
    const request = { organizationId, machineId, connection, actionId: `${call}`, ...looking };
    return (await channel.request(request)).kind;
  });
  const outcomes = await Promise.all(calls);
  const written = world.model.takeRecords().filter(({ dynamodb }) => isOfCall(dynamodb?.NewImage));
  // Only whole pauses count: the first ends after 5 s, the last at the deadline.
  const late = polls.filter((atMs) => atMs > 6_000 && atMs <= 24_000).length;
  const perSecond = late / modelCalls / 18;
  const refused = outcomes.filter((kind) => kind !== "timeout").length;
  return [
    {
      figure: `${modelCalls} calls to ${modelMachines} mute desktops on the model, polls of a call a second after 5 s`,
      measured: `${perSecond.toFixed(2)} (${(polls.length / modelCalls).toFixed(1)} polls a call in all)`,
      target: "at most 1",
      isReached: perSecond <= 1,
    },
    {
      figure: "the same, places refused",
      measured: String(refused),
      target: "none: four a connection",
      isReached: refused === 0,
    },
    {
      figure: "the same, writes of records and slots a call",
      measured: (written.length / modelCalls).toFixed(2),
      target: "4",
      isReached: written.length === 4 * modelCalls,
    },
  ];
}

function isOfCall(image: unknown): boolean {
  return /"call_(slot|place)"/.test(JSON.stringify(image ?? {}));
}

async function connect(stack: SpawnedStack, key: string) {
  const size = Buffer.from('{"width":1,"height":1}');
  const dialled = await FakePeer.dial({ url: stack.websocketUrl, authorization: `Bearer ${key}` });
  if (dialled.kind === "refused") throw new Error(`a handshake was answered ${dialled.status}`);
  const { peer } = dialled;
  peer.onRequest((request) => peer.answer(request, size));
  return { peer, machineId: await peer.sayHello() };
}

async function look({ baseUrl }: SpawnedStack, machineId: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const path = `/v1/computer/${machineId}/display/dimensions`;
  // 0 when the stack ends meanwhile.
  const response = await fetch(`${baseUrl}${path}`, { headers }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

async function timesOf(call: () => Promise<number>) {
  const [ms, statuses]: [number[], number[]] = [[], []];
  for (let sample = 0; sample < samples; sample += 1) {
    const startedMs = performance.now();
    statuses.push(await call());
    ms.push(performance.now() - startedMs);
  }
  return { ms, statuses };
}
