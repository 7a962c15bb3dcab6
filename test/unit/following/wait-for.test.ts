import { beforeEach, expect, it } from "vitest";
import { serviceCaller } from "../../../shared/domain/access/caller.ts";
import { type WaitDeps, waitFor } from "../../../shared/domain/following/wait-for.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { SequentialIds } from "../../support/fakes/sequential-ids.ts";
import { captureLog } from "../../support/shared/captured-log.ts";

const caller = serviceCaller(organizationIdOf("org"), "run");

let clock: FakeClock;
let startMs: number;
let places: { taken: number; givenBack: number; leaseUntilMs: number };
let deps: WaitDeps;
let waitedMs: number;

beforeEach(() => {
  clock = new FakeClock();
  startMs = clock.now();
  waitedMs = 0;
  places = { taken: 0, givenBack: 0, leaseUntilMs: 0 };
  deps = {
    clock,
    ids: new SequentialIds(clock),
    logger: captureLog(clock).logger,
    calls: {
      note: (_, ms) => {
        waitedMs += ms;
      },
    },
    waitingPlaces: {
      take: async (wait) => {
        places.taken += 1;
        places.leaseUntilMs = wait.leaseUntilMs;
        return { wait, shard: 0 };
      },
      giveBack: async () => {
        places.givenBack += 1;
      },
    },
  };
});

/** @returns the times of the reads, and of the response, in ms since the request. */
async function wait(seconds: number, moreAtMs = Number.POSITIVE_INFINITY, readTakesMs = 0) {
  const reads: number[] = [];
  const atMs = () => clock.now() - startMs;
  const { found, isFull } = await waitFor(
    deps,
    caller,
    { untilMs: startMs + seconds * 1_000, admission: undefined },
    {
      first: 0,
      read: async () => {
        reads.push(atMs());
        clock.advance(readTakesMs);
        return atMs();
      },
      hasMore: (readAtMs) => readAtMs >= moreAtMs,
    },
  );
  return { reads, endedAtMs: atMs(), found, isFull };
}

it("reads every half second for five seconds, then every two, and a last time at the end", async () => {
  const { reads, endedAtMs } = await wait(20);
  const quick = Array.from({ length: 10 }, (_, place) => (place + 1) * 500);
  expect(reads).toEqual([...quick, 7_000, 9_000, 11_000, 13_000, 15_000, 17_000, 20_000]);
  expect(endedAtMs).toBe(20_000);
  expect(waitedMs).toBe(20_000);
});

it.each(Array.from({ length: 20 }, (_, place) => place + 1))(
  "waits %i s, and reads no more often than that, however long a read takes",
  async (seconds) => {
    for (const readTakesMs of [0, 7, 130]) {
      startMs = clock.now();
      const { reads, endedAtMs } = await wait(seconds, Number.POSITIVE_INFINITY, readTakesMs);
      expect(endedAtMs).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(endedAtMs).toBeLessThanOrEqual(seconds * 1_000 + readTakesMs);
      const gaps = reads.map((atMs, place) => [atMs, atMs - (reads[place - 1] ?? 0)] as const);
      expect(gaps.filter(([atMs, gapMs]) => gapMs < (atMs > 5_500 ? 2_000 : 500))).toEqual([]);
    }
  },
);

it("ends with the first read that finds more, and gives its place back", async () => {
  expect(await wait(20, 1_400)).toMatchObject({ reads: [500, 1_000, 1_500], endedAtMs: 1_500 });
  expect(places).toEqual({ taken: 1, givenBack: 1, leaseUntilMs: startMs + 25_000 });
});

it("neither reads again nor takes a place when there is more already, or no time", async () => {
  expect(await wait(20, 0)).toMatchObject({ reads: [], endedAtMs: 0, isFull: false });
  expect(await wait(0)).toMatchObject({ reads: [], endedAtMs: 0, isFull: false });
  expect(places.taken).toBe(0);
});

it("ends at once when all places are taken, and says so", async () => {
  deps = { ...deps, waitingPlaces: { ...deps.waitingPlaces, take: async () => undefined } };
  expect(await wait(20)).toEqual({ reads: [], endedAtMs: 0, found: 0, isFull: true });
  expect(places.givenBack).toBe(0);
});

it("takes no place for a request that the rate limit refuses", async () => {
  const admission = Promise.reject(new Error("refused"));
  const never = { first: 0, read: async () => 0, hasMore: () => false };
  const waiting = waitFor(deps, caller, { untilMs: startMs + 1_000, admission }, never);
  await expect(waiting).rejects.toThrow("refused");
  expect(places.taken).toBe(0);
});

it("gives its place back when a read fails", async () => {
  const failing = { first: 0, read: async () => Promise.reject(new Error("away")), hasMore: () => false };
  const waiting = waitFor(deps, caller, { untilMs: startMs + 1_000, admission: undefined }, failing);
  await expect(waiting).rejects.toThrow("away");
  expect(places.givenBack).toBe(1);
});

it("has its result when the place cannot be given back, which the lease does", async () => {
  const giveBack = async () => Promise.reject(new Error("away"));
  deps = { ...deps, waitingPlaces: { ...deps.waitingPlaces, giveBack } };
  expect(await wait(20, 500)).toMatchObject({ found: 500, isFull: false });
});
