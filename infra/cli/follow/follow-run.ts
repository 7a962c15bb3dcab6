import type { ApiClient } from "../../../shared/client/api-client.ts";
import type { CallResponse } from "../../../shared/client/call-types.ts";
import { fullRetryAfterSeconds, waitSecondsMax } from "../../../shared/vocabulary/following.ts";
import { terminalRunStatuses } from "../../../shared/vocabulary/runs.ts";
import { Changes } from "./changes.ts";
import type { Live } from "./live.ts";

export type FollowedRun = CallResponse<"getRun">;
export type FollowedStep = CallResponse<"listRunSteps">["items"][number];

export interface RunFollower {
  /** Gets the run as it is at first, and after each change of it or of its progress. */
  onRun(run: FollowedRun): void;
  /** Gets each step once, in order, with its outcome. */
  onStep(step: FollowedStep): void;
}

export interface FollowRunDeps {
  readonly client: Pick<ApiClient, "call">;
  readonly live: Live;
  readonly signal: AbortSignal;
  readonly now?: () => number;
}

const pageSteps = 500;
/** The reason why a run waits is no change of the run. */
const waitingMs = 10_000;
/** A read that was to wait and came back sooner, with nothing, found no place to wait at. */
const noWaitMs = 1_000;

/**
 * Follows a run to its end: by hints while the live channel is open, else by reads that wait at the service.
 *
 * @returns the run, after its last step was handed on; undefined once the signal is aborted. @throws {ApiError}
 */
export async function followRun(
  { client, live, signal, now = Date.now }: FollowRunDeps,
  run_id: string,
  { onRun, onStep }: RunFollower,
): Promise<FollowedRun | undefined> {
  const path = { run_id };
  const changes = new Changes();
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  const unwatch = live.watch([`run:${run_id}`], () => changes.note());
  let run: FollowedRun | undefined;
  let after_index = 0;
  let isRunAwaited = false;

  const readRun = async (wait_seconds: number) => {
    const revision = run?.revision ?? 0;
    const isWaiting = wait_seconds > 0;
    if (isWaiting) isRunAwaited = true;
    const found = await client.call("getRun", { path, query: { wait_seconds, revision }, signal: ending });
    if (isWaiting) isRunAwaited = false;
    const isNew = found.revision > revision;
    // The other loop may have read it meanwhile.
    if (found.revision >= (run?.revision ?? 0)) {
      run = found;
      onRun(found);
    }
    // It wakes the other loop, which may have read the last steps just before.
    if (isEnded(found)) changes.note();
    return { isNew, isOver: isEnded(found), hasMore: false };
  };
  const readSteps = async (wait_seconds: number) => {
    const query = { wait_seconds, after_index, limit: pageSteps };
    const page = await client.call("listRunSteps", { path, query, signal: ending });
    for (const step of page.items) {
      onStep(step);
      after_index = step.index;
    }
    const isNew = page.items.length > 0;
    // Progress is no change that a read of the run waits for, such as one that began before the channel was open.
    if (isNew && isRunAwaited && page.run === null) await readRun(0);
    return { isNew, isOver: page.run !== null, hasMore: page.items.length >= pageSteps };
  };
  const repeat = async (read: typeof readRun) => {
    for (;;) {
      const seen = changes.count;
      const startedMs = now();
      // The last steps of a run that has ended come without a hint.
      const isHinted = live.isLive() && (run === undefined || !isEnded(run));
      const { isNew, isOver, hasMore } = await read(isHinted ? 0 : waitSecondsMax);
      if (isOver) return;
      if (hasMore) continue;
      if (isHinted) await changes.after(seen, ending, run?.status === "scheduling" ? waitingMs : undefined);
      else if (!isNew && now() - startedMs < noWaitMs) {
        await changes.after(changes.count, ending, fullRetryAfterSeconds * 1_000);
      }
      if (ending.aborted) return;
    }
  };
  const untilOver = async (read: typeof readRun) => {
    try {
      await repeat(read);
    } catch (failure) {
      if (ending.aborted) return;
      failing.abort();
      throw failure;
    }
  };
  try {
    await readRun(0);
    await Promise.all([untilOver(readRun), untilOver(readSteps)]);
    return signal.aborted ? undefined : run;
  } catch (failure) {
    if (signal.aborted) return undefined;
    throw failure;
  } finally {
    unwatch();
  }
}

function isEnded({ status }: FollowedRun): boolean {
  return terminalRunStatuses.some((ended) => ended === status);
}
