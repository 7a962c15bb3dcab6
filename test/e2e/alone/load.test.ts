import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, inject, it } from "vitest";
import type { RunItem } from "../../../shared/contract/run/run.ts";
import { type SpawnedDrivers, spawnDrivers } from "../../support/stack/spawn-drivers.ts";
import { clientOf, createOrganization, keyOf } from "../../support/stack/stack-client.ts";
import { until } from "../../support/stack/until.ts";

const hosts = 5;
const machinesOfHost = 10;
const runsInAll = 220;
/** Each one occupies a worker thread of the stack; more would wait for the same two cores. */
const workersAtOnce = 8;
type HowItEnds = "success" | "error" | "task_failed";

interface BulkFields {
  readonly machine_id?: string;
  readonly pool_ids?: string[];
  readonly start_session?: boolean;
  readonly release_session_after?: boolean;
}

const isOver: ReadonlySet<string> = new Set(["success", "error", "task_failed", "cancelled"]);

const hostsUp = new Set<SpawnedDrivers>();
let stopping = new AbortController();
afterEach(async () => {
  stopping.abort();
  stopping = new AbortController();
  await Promise.all([...hostsUp].map((drivers) => drivers.end("SIGTERM")));
  hostsUp.clear();
});

async function createWorld() {
  const organization = await createOrganization();
  const client = clientOf(keyOf(organization, "full"));
  const { id: workflow_id } = await client.call("createWorkflow", {
    body: { main_prompt: "Open the shop.", executor: "worker" },
  });
  return {
    start: async (fingerprints: readonly string[]): Promise<SpawnedDrivers> => {
      const { websocketUrl } = inject("stack");
      const drivers = await spawnDrivers({
        websocketUrl,
        key: keyOf(organization, "driver"),
        fingerprints,
      });
      hostsUp.add(drivers);
      return drivers;
    },
    kill: async (drivers: SpawnedDrivers) => {
      await drivers.end("SIGKILL");
      hostsUp.delete(drivers);
    },
    pool: async (name: string, machine_ids: readonly string[]): Promise<string> => {
      const { id: pool_id } = await client.call("createPool", { body: { name } });
      const body = { machine_ids: [...machine_ids] };
      await client.call("addMachinesToPool", { path: { pool_id }, body });
      return pool_id;
    },
    bulk: async (count: number, fields: BulkFields = {}): Promise<readonly string[]> => {
      const made = await client.call("createRuns", { body: { workflow_id, count, ...fields } });
      expect(made).toMatchObject({ failed_count: 0, errors: [] });
      return made.created_runs.map(({ id }) => id);
    },
    chain: async (steps: number): Promise<readonly string[]> => {
      const body = { steps: Array.from({ length: steps }, () => ({ workflow_id })) };
      return (await client.call("createChain", { body })).run_ids;
    },
    end: async (run_id: string, status: HowItEnds, assignment_id: string | null | undefined) =>
      await client.call("updateRun", {
        path: { run_id },
        body: { status, ...(typeof assignment_id === "string" ? { assignment_id } : {}) },
      }),
    switchTo: async (machine_id: string, is_available: boolean) =>
      await client.call("updateMachine", { path: { machine_id }, body: { is_available } }),
    machines: async () => await client.call("listMachines", { query: { limit: 100 } }),
    running: async () => await client.call("listRuns", { query: { limit: 100, status: "running" } }),
    page: async (skip: number) => await client.call("listRuns", { query: { limit: 100, skip } }),
  };
}
type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * Starts workers, which find the runs assigned to machines and end each. A run whose desktop is away waits for its
 * return.
 */
function startWorkers(world: World, howItEnds: (runId: string) => HowItEnds) {
  const assignments = new Map<string, Set<string>>();
  const ended = new Set<string>();
  const away = new Set<string>();
  const found = new Set<string>();
  const waiting: RunItem[] = [];
  const { signal } = stopping;
  const look = async (): Promise<void> => {
    while (!signal.aborted) {
      for (const run of (await world.running()).items) {
        const seen = assignments.get(run.id) ?? new Set();
        assignments.set(run.id, seen.add(run.assignment_id ?? "none"));
        if (found.has(run.id) || away.has(run.machine_id ?? "")) continue;
        found.add(run.id);
        waiting.push(run);
      }
      await pause(50);
    }
  };
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const run = waiting.shift();
      if (run === undefined) {
        await pause(20);
        continue;
      }
      const { id, assignment_id } = run;
      await world.end(id, howItEnds(id), assignment_id);
      ended.add(id);
    }
  };
  const working = Promise.all([look(), ...Array.from({ length: workersAtOnce }, work)]);
  // `untilEnded` reports the failure.
  working.catch(() => undefined);
  return {
    assignments,
    ended,
    away,
    stop: async () => {
      stopping.abort();
      await working;
    },
    /** @throws {Error} the failure of a worker. */
    untilEnded: async (count: number, withinMs = 280_000) => {
      const failed = working.then(() => undefined);
      await Promise.race([failed, until(() => ended.size >= count, withinMs)]);
      expect(ended.size).toBeGreaterThanOrEqual(count);
    },
  };
}

async function allRuns(world: World): Promise<{ readonly runs: readonly RunItem[]; readonly total: number }> {
  const runs: RunItem[] = [];
  for (;;) {
    const page = await world.page(runs.length);
    runs.push(...page.items);
    if (page.items.length === 0 || runs.length >= page.total) return { runs, total: page.total };
  }
}

function inOrder(runs: readonly RunItem[]): ReadonlyMap<string, readonly RunItem[]> {
  const started = runs.filter(({ started_at }) => (started_at ?? null) !== null);
  const sorted = started.toSorted((a, b) => Date.parse(a.started_at ?? "") - Date.parse(b.started_at ?? ""));
  return Map.groupBy(sorted, ({ machine_id }) => machine_id ?? "");
}

it("220 runs end on 50 machines that come and go, each given to one machine once", async () => {
  const world = await createWorld();
  const fingerprints = Array.from({ length: hosts }, () =>
    Array.from({ length: machinesOfHost }, () => randomUUID()),
  );
  const drivers: SpawnedDrivers[] = [];
  for (const of of fingerprints) drivers.push(await world.start(of));
  const machineIds = drivers.flatMap((host) => host.machineIds);
  expect(new Set(machineIds).size).toBe(hosts * machinesOfHost);
  const [north, south] = [
    await world.pool("north", machineIds.slice(0, 25)),
    await world.pool("south", machineIds.slice(15, 40)),
  ];

  const chains = await Promise.all(Array.from({ length: 4 }, () => world.chain(5)));
  const steps = new Set(chains.flat());
  const failing = chains[0]?.[2];
  const workers = startWorkers(world, (id) => {
    if (id === failing) return "task_failed";
    return id.endsWith("7") && !steps.has(id) ? "error" : "success";
  });
  for (const fields of [{}, { pool_ids: [north] }, { machine_id: machineIds[0] ?? "" }])
    await world.bulk(10, { ...fields, start_session: true, release_session_after: true });
  for (const at of [0, 12, 17, 22, 30, 49]) await world.bulk(5, { machine_id: machineIds[at] ?? "" });
  await world.bulk(40, { pool_ids: [north] });
  await world.bulk(40, { pool_ids: [south] });
  await world.bulk(30, { pool_ids: [south, north] });
  await world.bulk(30);

  const switchTo = async (is_available: boolean) => {
    for (const id of machineIds.slice(20, 25)) await world.switchTo(id, is_available);
  };
  const replace = async (host: number) => {
    const [lost, of] = [drivers[host], fingerprints[host]];
    if (lost === undefined || of === undefined) throw new Error(`there is no host ${host}`);
    for (const id of lost.machineIds) workers.away.add(id);
    await world.kill(lost);
    await pause(1_000);
    drivers[host] = await world.start(of);
    expect(drivers[host].machineIds).toEqual(lost.machineIds);
    for (const id of lost.machineIds) workers.away.delete(id);
  };
  await workers.untilEnded(40);
  await Promise.all([switchTo(false), replace(1)]);
  await workers.untilEnded(110);
  await Promise.all([switchTo(true), replace(3)]);
  // Two steps never begin.
  await workers.untilEnded(runsInAll - 2);
  await workers.stop();

  const { runs, total } = await allRuns(world);
  expect([runs.length, total]).toEqual([runsInAll, runsInAll]);
  expect(runs.filter(({ status }) => !isOver.has(status))).toEqual([]);
  const cancelled = runs.filter(({ status }) => status === "cancelled").map(({ id }) => id);
  expect(cancelled.sort()).toEqual(chains[0]?.slice(3).sort());
  expect(workers.assignments.size).toBe(runsInAll - cancelled.length);
  for (const { id, assignment_id } of runs) {
    const seen = workers.assignments.get(id);
    if (seen !== undefined) expect([...seen]).toEqual([assignment_id]);
  }
  expect(new Set(runs.map(({ assignment_id }) => assignment_id)).size).toBe(runsInAll - cancelled.length + 1);
  for (const [machineId, own] of inOrder(runs)) {
    for (const [at, { started_at }] of own.entries()) {
      const before = Date.parse(own[at - 1]?.ended_at ?? "1970-01-01T00:00:00Z");
      expect(Date.parse(started_at ?? ""), `two runs at once on ${machineId}`).toBeGreaterThanOrEqual(before);
    }
  }

  // No machine is reserved or busy: each can take the next run.
  const { items: machines } = await world.machines();
  expect(machines.map(({ id }) => id).sort()).toEqual([...machineIds].sort());
  for (const machine of machines) {
    expect(machine).toMatchObject({ status: "connected", is_available: true, reserved_session_id: null });
  }
  for (const machine_id of machineIds) await world.bulk(1, { machine_id });
  const running = async () => (await world.running()).items;
  await until(async () => (await running()).length === machineIds.length);
  expect((await running()).map(({ machine_id }) => machine_id).sort()).toEqual([...machineIds].sort());
  expect((await allRuns(world)).total).toBe(runsInAll + machineIds.length);
}, 480_000);
