import type { Caller } from "../access/caller.ts";
import type { CallMeter } from "../call-meter.ts";
import type { Clock, Ids } from "../clock.ts";
import { inWaitingPlace, type WaitingPlaceDeps } from "../waiting-places/in-waiting-place.ts";

export interface WaitDeps extends WaitingPlaceDeps {
  /** The waiting is no time of the service's own. */
  readonly calls: Pick<CallMeter, "note">;
  readonly clock: Clock;
  readonly ids: Ids;
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
  const id = deps.ids.uuid7();
  const wait = { organizationId, holder: principal, id, leaseUntilMs: untilMs + leaseSpareMs };
  const waited = await inWaitingPlace(deps, wait, () => readAgain(deps, untilMs, { first, read, hasMore }));
  return waited.kind === "full" ? { found: first, isFull: true } : { found: waited.result, isFull: false };
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
