import type { Caller } from "../access/caller.ts";
import type { CallMeter } from "../call-meter.ts";
import type { Clock, Ids } from "../clock.ts";
import type { Logger } from "../logger.ts";
import type { WaitingPlace, WaitingPlaces } from "./waiting-places.ts";

export interface WaitDeps {
  readonly waitingPlaces: WaitingPlaces;
  /** The waiting is no time of the service's own. */
  readonly calls: Pick<CallMeter, "note">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface WaitOptions {
  /** Milliseconds since the epoch; a time in the past means that nothing waits. */
  readonly untilMs: number;
  /** Rejects if the caller's rate limit refuses the request, which then takes no place. */
  readonly admission: Promise<void> | undefined;
}

export interface Awaited<T> {
  /** The state that was read last. */
  readonly found: T;
  /** Nothing was waited for, because all places were taken. */
  readonly isFull: boolean;
}

const quickForMs = 5_000;
const quickPauseMs = 500;
const slowPauseMs = 2_000;

/** The process that gives a place back in time has this long to do it. */
const leaseSpareMs = 5_000;

/**
 * Reads again until there is more or the time is over: at most once in 500 ms for the first 5 s, and once in 2 s
 * afterwards.
 */
export async function waitFor<T>(
  deps: WaitDeps,
  { organizationId, principal }: Caller,
  { untilMs, admission }: WaitOptions,
  {
    first,
    read,
    hasMore,
  }: {
    readonly first: T;
    readonly read: () => Promise<T>;
    readonly hasMore: (found: T) => boolean;
  },
): Promise<Awaited<T>> {
  if (hasMore(first) || untilMs <= deps.clock.now()) return { found: first, isFull: false };
  await admission;
  const wait = { organizationId, principal, id: deps.ids.uuid7(), leaseUntilMs: untilMs + leaseSpareMs };
  const place = await deps.waitingPlaces.take(wait);
  if (place === undefined) return { found: first, isFull: true };
  try {
    return { found: await readAgain(deps, untilMs, { first, read, hasMore }), isFull: false };
  } finally {
    await giveBack(deps, place);
  }
}

async function readAgain<T>(
  { clock, calls }: Pick<WaitDeps, "clock" | "calls">,
  untilMs: number,
  { first, read, hasMore }: { first: T; read: () => Promise<T>; hasMore: (found: T) => boolean },
): Promise<T> {
  const sinceMs = clock.now();
  let found = first;
  for (;;) {
    const nowMs = clock.now();
    const leftMs = untilMs - nowMs;
    if (leftMs <= 0) return found;
    const pauseMs = nowMs - sinceMs < quickForMs ? quickPauseMs : slowPauseMs;
    // The last pause is longer, so that a read follows it at the very end.
    await clock.sleep(leftMs < 2 * pauseMs ? leftMs : pauseMs);
    calls.note("waiting", clock.now() - nowMs);
    if (leftMs < pauseMs) return found;
    found = await read();
    if (hasMore(found)) return found;
  }
}

/** The caller gets the response in any case; a place that stays taken is free when its lease ends. */
async function giveBack({ waitingPlaces, logger }: WaitDeps, place: WaitingPlace): Promise<void> {
  try {
    await waitingPlaces.giveBack(place);
  } catch (cause) {
    logger.warn("a place of a waiting request stays taken until its lease ends", { cause });
  }
}
