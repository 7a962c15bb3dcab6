import { waitSecondsMax } from "../vocabulary/following.ts";
import { terminalRunStatuses } from "../vocabulary/runs.ts";
import type { CallArguments, CallResponse } from "./call-types.ts";

type FollowedRun = Omit<CallResponse<"getRun">, "included">;
type FollowedStep = CallResponse<"listRunSteps">["items"][number];

interface FollowOptions {
  /** Gets each step once, in order, with its outcome; the next one is not read before it is done. */
  readonly onStep?: (step: FollowedStep) => unknown;
  readonly signal?: AbortSignal;
}

export interface RunsClient {
  /**
   * Waits until the run has ended. It takes at most as many requests as the run has steps, and one more in each 20 s
   * without a change; without `onStep` it asks only for the run.
   *
   * @throws {ApiError} `not_found` when the run is deleted meanwhile. @throws {ApiUnreachable}
   */
  waitUntilEnded(id: string, options?: FollowOptions): Promise<FollowedRun>;
}

export interface FollowDeps {
  readonly call: <const Id extends "getRun" | "listRunSteps">(
    id: Id,
    input: CallArguments<Id>[0],
  ) => Promise<{ readonly body: CallResponse<Id>; readonly retryAfterSeconds: number | undefined }>;
  readonly pause: (ms: number) => Promise<void>;
  readonly attemptMs: number;
}

/** A response needs this long beyond the wait. */
const responseMs = 5_000;

export function runsClient({ call, pause, attemptMs }: FollowDeps): RunsClient {
  const longestSeconds = Math.floor((attemptMs - responseMs) / 1_000);
  const wait_seconds = Math.min(waitSecondsMax, Math.max(1, longestSeconds));
  /** The header says that the request did not wait. */
  const pauseFor = async (seconds: number | undefined) => {
    if (seconds !== undefined) await pause(seconds * 1_000);
  };

  const waitUntilEnded = async (run_id: string, signal: AbortSignal | undefined): Promise<FollowedRun> => {
    for (let revision = 0; ; ) {
      const input = { path: { run_id }, query: { wait_seconds, revision }, ...(signal && { signal }) };
      const { body: run, retryAfterSeconds } = await call("getRun", input);
      if (terminalRunStatuses.some((ended) => ended === run.status)) return run;
      await pauseFor(retryAfterSeconds);
      revision = run.revision;
    }
  };
  const stepByStep = async (
    run_id: string,
    onStep: NonNullable<FollowOptions["onStep"]>,
    signal: AbortSignal | undefined,
  ): Promise<FollowedRun> => {
    for (let after_index = 0; ; ) {
      const input = { path: { run_id }, query: { wait_seconds, after_index }, ...(signal && { signal }) };
      const { body: page, retryAfterSeconds } = await call("listRunSteps", input);
      for (const step of page.items) {
        await onStep(step);
        after_index = step.index;
      }
      if (page.run !== null) return page.run;
      await pauseFor(retryAfterSeconds);
    }
  };
  return {
    waitUntilEnded: async (id, { onStep, signal } = {}) =>
      onStep === undefined ? await waitUntilEnded(id, signal) : await stepByStep(id, onStep, signal),
  };
}
