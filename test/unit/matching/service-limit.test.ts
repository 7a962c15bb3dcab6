import { describe, expect, it } from "vitest";
import { createMatcher } from "../../../functions/matcher/app.ts";
import { endFailedExecution } from "../../../shared/domain/execution/engine/end-failed-execution.ts";
import { servePlaces } from "../../../shared/domain/maintenance/matching/serve-places.ts";
import { serveLine } from "../../../shared/domain/matching/serve-line.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { explainWaiting } from "../../../shared/domain/run/waiting/explain-waiting.ts";
import {
  allShards,
  executionPlaceOf,
  freedAttribute,
  keptAttribute,
  placeAdded,
  placesGivenBack,
  placesOfShard,
  serviceExecutionsKind,
} from "../../../shared/storage/execution/service-executions.ts";
import { DynamoServicePlaces } from "../../../shared/storage/matching/dynamo-service-places.ts";
import { readMatchTrigger } from "../../../shared/storage/stream/match-triggers.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { dueShards } from "../../../shared/vocabulary/table.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { instead, type MatchWorld, matchWorld } from "../../support/matching/match-world.ts";
import { plain } from "../../support/simulation/view.ts";

const executor = "service";

interface Waiter {
  readonly world: MatchWorld;
  readonly runs: Run[];
}

/** The stream's filter lets through those changes of shards that the line waits for. */
function isMatched(after: Readonly<Record<string, unknown>>): boolean {
  if (after.kind !== serviceExecutionsKind) return true;
  return after[keptAttribute] === true && after[freedAttribute] !== undefined;
}

async function begin(serviceMax: number | undefined, organizationMax = 50) {
  const clock = new FakeClock();
  const model = new DynamoModel();
  const table = new DynamoTable({ client: model.client, tableName: "t", clock });
  const makeWorld = async () => await matchWorld(table, clock, organizationMax, serviceMax).begin();
  const { deps, servicePlaces } = await makeWorld();
  const matcher = createMatcher({ ...deps, readTrigger: readMatchTrigger });
  /** Handles what has been written until nothing more follows from it. */
  const match = async (lost?: string) => {
    for (let given = model.takeRecords(); given.length > 0; given = model.takeRecords()) {
      const Records = given.filter(({ dynamodb }) => {
        const after = plain(dynamodb.NewImage ?? {});
        return after.kind !== lost && isMatched(after);
      });
      const response = await matcher({ Records }, { getRemainingTimeInMillis: () => 60_000 });
      expect(response).toEqual({ batchItemFailures: [] });
      clock.advance(10);
    }
  };
  const organization = async (runs: number, machines = runs): Promise<Waiter> => {
    const world = await makeWorld();
    for (let at = 0; at < machines; at += 1) await world.putMachine();
    const waiter: Waiter = { world, runs: [] };
    for (let at = 0; at < runs; at += 1) waiter.runs.push(await world.queueRun({ executor }));
    return waiter;
  };
  return { clock, table, deps, servicePlaces, match, organization };
}

async function runningOf({ world, runs }: Waiter): Promise<readonly Run[]> {
  const read = await Promise.all(runs.map(({ id }) => world.run(id)));
  return read.filter(({ status }) => status === "running");
}

async function countOf(...waiters: readonly Waiter[]): Promise<readonly number[]> {
  return await Promise.all(waiters.map(async (each) => (await runningOf(each)).length));
}

async function finishOne(waiter: Waiter): Promise<void> {
  const [run] = await runningOf(waiter);
  if (run === undefined) throw new Error("none is running");
  await waiter.world.finish(run.id);
}

describe("the places of the shards", () => {
  it.each([1, 2, 15, 16, 17, 181, 16_000])("are together exactly a limit of %i", (max) => {
    expect(allShards.reduce((sum, shard) => sum + placesOfShard(shard, max), 0)).toBe(max);
  });
});

describe("a service that carries out as many runs of all organizations as it may", () => {
  it("begins no further one, says why, and begins those of workers", async () => {
    const { match, organization, servicePlaces } = await begin(3);
    const one = await organization(3, 4);
    await match();
    const other = await organization(2);
    const ofWorker = await one.world.queueRun();
    await match();
    expect(await countOf(one, other)).toEqual([3, 0]);
    expect(await servicePlaces?.count()).toEqual({ underWay: 3, max: 3 });
    expect(await one.world.run(ofWorker.id)).toMatchObject({ status: "running" });
    const [waiting] = other.runs;
    expect(waiting && (await explainWaiting(other.world.waitingView, waiting))).toEqual({
      reason: "service_limit",
      position: 0,
    });
  });

  it("gives each place that becomes free to the next organization in turn, not to the one whose machine became free", async () => {
    const { match, organization } = await begin(2);
    const many = await organization(20, 3);
    await match();
    const [one, other] = [await organization(4), await organization(4)];
    await match();
    expect(await countOf(many, one, other)).toEqual([2, 0, 0]);
    const begun: number[][] = [];
    for (let ends = 0; ends < 9; ends += 1) {
      const waiters = [many, one, other];
      const counts = await countOf(...waiters);
      await finishOne(waiters[counts.indexOf(Math.max(...counts))] ?? many);
      await match();
      const ended = await Promise.all(
        waiters.map(async ({ world, runs }) => {
          const read = await Promise.all(runs.map(({ id }) => world.run(id)));
          return read.filter(({ status }) => status !== "scheduling").length;
        }),
      );
      begun.push(ended);
    }
    // Each organization has had three of the nine places, whatever the others have waiting.
    expect(begun.at(-1)).toEqual([5, 3, 3]);
    for (const [many = 0, one = 0, other = 0] of begun) {
      const had = [many - 2, one, other];
      expect(Math.max(...had) - Math.min(...had)).toBeLessThanOrEqual(1);
    }
  });

  it("fills all places that become free at once, and gives free ones to anybody when nobody waits", async () => {
    const { match, organization, servicePlaces } = await begin(5);
    const first = await organization(5);
    await match();
    const [one, other] = [await organization(2), await organization(1)];
    await match();
    for (let ends = 0; ends < 5; ends += 1) await finishOne(first);
    await match();
    expect(await countOf(first, one, other)).toEqual([0, 2, 1]);
    expect(await servicePlaces?.line()).toEqual([]);
    const late = await organization(3);
    await match();
    expect(await countOf(late)).toEqual([2]);
  });

  it("lets an organization leave the line that has as many under way as it may have itself", async () => {
    const { match, organization, servicePlaces } = await begin(2, 1);
    const [first, second] = [await organization(1), await organization(1)];
    await match();
    const third = await organization(2);
    await match();
    await finishOne(first);
    await match();
    expect(await countOf(first, second, third)).toEqual([0, 1, 1]);
    expect(await servicePlaces?.line()).toHaveLength(1);
    await finishOne(second);
    await match();
    expect(await countOf(third)).toEqual([1]);
    expect(await servicePlaces?.line()).toEqual([]);
    await finishOne(third);
    await match();
    expect(await countOf(third)).toEqual([1]);
  });

  it("keeps places for one that joins the line just as they are released", async () => {
    const { match, organization, deps, table, servicePlaces } = await begin(1);
    if (servicePlaces === undefined) throw new Error("there is no limit");
    const late = await organization(0, 1);
    await match();
    late.runs.push(await late.world.queueRun({ executor }));
    await match("queue");
    const taker = { id: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f", attempt: 1 };
    let reads = 0;
    const line = async () => {
      const read = await servicePlaces.line();
      reads += 1;
      // The place is taken, and the late one refused, after this matcher has found nobody in the line.
      if (reads === 1) {
        expect(read).toEqual([]);
        await servicePlaces.keep();
        await table.transact({ place: placeAdded(taker, 0) });
        await servicePlaces.join(late.world.organizationId, ["idle"]);
      }
      return read;
    };
    const racing = new Proxy(servicePlaces, {
      get: (target, name) => {
        const value: unknown = name === "line" ? line : Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await serveLine({ ...deps, servicePlaces: racing }, deps.clock.now() + 60_000);
    const { key, change } = placesGivenBack(0, [executionPlaceOf(taker)]);
    await table.update(key, change);
    await match();
    expect(await countOf(late)).toEqual([1]);
  });

  it("serves who was refused after the turn whose idle rows were read up to a later one", async () => {
    const { match, organization, servicePlaces } = await begin(1);
    const [one, other] = [await organization(1), await organization(1)];
    await match();
    const [waiting] = (await servicePlaces?.line()) ?? [];
    const turn = waiting && (await servicePlaces?.beginTurn(waiting));
    if (turn === undefined) throw new Error("nobody is in the line");
    await servicePlaces?.endTurn(turn, { refused: ["idle"], idleAfter: "~" });
    other.runs.push(await other.world.queueRun({ executor }));
    await match();
    await finishOne(one);
    await match();
    expect(await countOf(one, other)).toEqual([0, 1]);
  });

  it("serves the others in the line when the turn of one fails, and says in the end what failed", async () => {
    const { match, organization, deps } = await begin(2);
    const first = await organization(2);
    await match();
    const [failing, other] = [await organization(1), await organization(1)];
    await match();
    await finishOne(first);
    await finishOne(first);
    const matches = instead(deps.matches, "idlePage", async (read, organizationId: string) => {
      if (organizationId === failing.world.organizationId) throw new Error("changed too often");
      return await read();
    });
    const { log } = first.world;
    const logged = { ...deps, matches, logger: log.logger };
    await expect(serveLine(logged, deps.clock.now() + 60_000)).rejects.toThrow("turns in the line failed");
    expect(await countOf(failing, other)).toEqual([0, 1]);
    expect(log.lines().filter(({ level }) => level === "warn")).toMatchObject([
      { organization_id: failing.world.organizationId },
    ]);
    await serveLine(deps, deps.clock.now() + 60_000);
    expect(await countOf(failing, other)).toEqual([1, 1]);
  });

  it("has the place of a killed executor again, for the next in the line", async () => {
    const { match, organization, deps } = await begin(1);
    const [one, other] = [await organization(1), await organization(1)];
    await match();
    const [killed] = await runningOf(one);
    const { organizationId } = one.world;
    const [runId, assignmentId] = [killed?.id ?? "", killed?.assignmentId ?? ""];
    const { executions, runs } = one.world;
    const job = { organizationId, runId, assignmentId, part: 1 };
    expect(await endFailedExecution({ ...deps, executions, runs }, job)).toBe(true);
    await match();
    expect(await countOf(one, other)).toEqual([0, 1]);
  });
});

describe("the sweeper", () => {
  it("gives back a place whose run is over, and serves who waited for it", async () => {
    const { match, organization, deps, table, servicePlaces } = await begin(1);
    const gone = { id: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f", attempt: 1 };
    await table.transact({ place: placeAdded(gone, 0) });
    const waiter = await organization(1);
    await match();
    expect(await countOf(waiter)).toEqual([0]);
    expect(await servePlaces(deps)).toBe(1);
    expect(await countOf(waiter)).toEqual([1]);
    expect(await servicePlaces?.count()).toEqual({ underWay: 1, max: 1 });
    expect(await servePlaces(deps)).toBe(0);
  });

  it("counts a run that has no place, from when the limit was not set", async () => {
    const { match, organization, deps, table, clock } = await begin(undefined);
    const waiter = await organization(2);
    await match();
    const limited = await matchWorld(table, clock, 50, 1).begin();
    expect(await servePlaces({ ...deps, servicePlaces: limited.servicePlaces })).toBe(2);
    expect(await limited.servicePlaces?.count()).toEqual({ underWay: 2, max: 1 });
    await finishOne(waiter);
    await finishOne(waiter);
    expect(await limited.servicePlaces?.count()).toEqual({ underWay: 0, max: 1 });
  });

  it("leaves alone what begins and ends while it counts", async () => {
    const { match, organization, deps, clock, servicePlaces } = await begin(4);
    const waiter = await organization(4);
    await match();
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (ms) => {
      await finishOne(waiter);
      waiter.runs.push(await waiter.world.queueRun({ executor }));
      await match();
      await sleep(ms);
    };
    expect(await servePlaces(deps)).toBe(0);
    expect(await servicePlaces?.count()).toEqual({ underWay: 4, max: 4 });
  });

  it("leaves alone a run that the index misses once, since it is about to be listed elsewhere", async () => {
    const { match, organization, deps, table, clock, servicePlaces } = await begin(2);
    await organization(2);
    await match();
    let misses = dueShards;
    const missing = new Proxy(table, {
      get: (target, name) => {
        if (name === "queryPage" && misses > 0) {
          misses -= 1;
          return async () => ({ Items: [], Count: 0 });
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const counting = new DynamoServicePlaces({ table: missing, clock, serviceExecutionsMax: 2 });
    expect(await servePlaces({ ...deps, servicePlaces: counting })).toBe(0);
    expect([misses, await servicePlaces?.count()]).toEqual([0, { underWay: 2, max: 2 }]);
  });

  it("serves the line when the event of a place that became free was lost", async () => {
    const { match, organization, deps } = await begin(1);
    const [one, other] = [await organization(1), await organization(1)];
    await match();
    await finishOne(one);
    await match("service_executions");
    expect(await countOf(one, other)).toEqual([0, 0]);
    await servePlaces(deps);
    expect(await countOf(one, other)).toEqual([0, 1]);
  });

  it("leaves the rest of a long line to the next minute", async () => {
    const { match, organization, deps, table, clock, servicePlaces } = await begin(1);
    if (servicePlaces === undefined) throw new Error("there is no limit");
    const gone = { id: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f", attempt: 1 };
    await table.transact({ place: placeAdded(gone, 0) });
    const waiter = await organization(1);
    await match();
    const slow = instead(servicePlaces, "line", async (line) => {
      clock.advance(60_000);
      return await line();
    });
    expect(await servePlaces({ ...deps, servicePlaces: slow })).toBe(1);
    expect(await countOf(waiter)).toEqual([0]);
    expect(await servePlaces(deps)).toBe(0);
    expect(await countOf(waiter)).toEqual([1]);
  });

  it("has the place of an attempt given back once, however often", async () => {
    const { match, organization, table, servicePlaces } = await begin(2);
    const waiter = await organization(2);
    await match();
    const [run] = await runningOf(waiter);
    await finishOne(waiter);
    if (run === undefined) throw new Error("none is running");
    const { key, change } = placesGivenBack(run.serviceShard ?? 0, [executionPlaceOf(run)]);
    await table.update(key, change);
    expect(await servicePlaces?.count()).toEqual({ underWay: 1, max: 2 });
    await table.transact({ place: placeAdded({ ...run, attempt: run.attempt + 1 }, run.serviceShard ?? 0) });
    await table.update(key, change);
    expect(await servicePlaces?.count()).toEqual({ underWay: 2, max: 2 });
  });
});
