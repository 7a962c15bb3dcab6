import { setTimeout as pause } from "node:timers/promises";
import type { ApiClient } from "../../shared/client/api-client.ts";
import type { Cleanup } from "./cleanup.ts";

export interface SmokeOptions {
  /** The HTTP API's address. */
  readonly url: string;
  readonly adminKey: string;
  readonly dashboardToken?: string | undefined;
  /** A page's origin, which must be one of `corsOrigins`. */
  readonly origin?: string | undefined;
  readonly webhookUrl?: string | undefined;
  /** Bounds each wait and each call. */
  readonly timeoutMs: number;
  /** Ends the smoke test; what it made is removed all the same. */
  readonly signal: AbortSignal;
}

export interface Smoke extends SmokeOptions {
  /** Everything that is made has this name. */
  readonly name: string;
  readonly admin: ApiClient;
  readonly cleanup: Cleanup;
  readonly clientOf: (credentials: string) => ApiClient;
}

const pollMs = 100;

/** @returns the first value that is found, or undefined once the time is over. */
export async function findInTime<Found>(
  { timeoutMs, signal }: Pick<SmokeOptions, "timeoutMs" | "signal">,
  find: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found | undefined> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found !== undefined || performance.now() > untilMs) return found;
    await pause(pollMs, undefined, { signal });
  }
}
