import { randomUUID } from "node:crypto";
import { createApiClient } from "../../shared/client/api-client.ts";
import { Cleanup } from "./cleanup.ts";
import type { Smoke, SmokeOptions } from "./smoke.ts";
import { failureOf, type SmokeFailure } from "./smoke-failure.ts";
import type { Step, TrySteps } from "./steps.ts";

export interface Row {
  readonly step: string;
  readonly outcome: "ok" | "not tried" | "failed";
  readonly ms: number;
  readonly note: string;
}

export interface SmokeResult {
  readonly rows: readonly Row[];
  /** The first step's that failed; those after it are not tried. */
  readonly failure: SmokeFailure | undefined;
}

/** @param trySteps makes what `removal` then removes. */
export async function runSmoke(
  options: SmokeOptions,
  trySteps: TrySteps,
  report: (row: Row) => void,
): Promise<SmokeResult> {
  const { url, adminKey, timeoutMs, signal } = options;
  const rows: Row[] = [];
  const add = (row: Row): void => {
    rows.push(row);
    report(row);
  };
  const step: Step = async (name, part, act, noteOf = () => "") => {
    const startedAt = performance.now();
    const ms = () => Math.round(performance.now() - startedAt);
    try {
      const value = await act();
      add({ step: name, outcome: "ok", ms: ms(), note: noteOf(value) });
      return value;
    } catch (error) {
      const failed = failureOf(error, part);
      add({ step: name, outcome: "failed", ms: ms(), note: `${failed.part}: ${failed.message}` });
      throw failed;
    }
  };
  const clientOf = (credentials: string) =>
    createApiClient({ baseUrl: url, credentials, attemptMs: timeoutMs, totalMs: timeoutMs });
  const smoke: Smoke = {
    ...options,
    name: `smoke-${randomUUID().slice(0, 8)}`,
    admin: clientOf(adminKey),
    cleanup: new Cleanup(),
    clientOf,
  };
  const untilAborted: Step = async (...step_) => {
    signal.throwIfAborted();
    return await step(...step_);
  };
  const failures: SmokeFailure[] = [];
  const noted = (error: unknown) => void failures.push(failureOf(error, "smoke"));
  await trySteps(smoke, untilAborted, (name, note) =>
    add({ step: name, outcome: "not tried", ms: 0, note }),
  ).catch(noted);
  await step(
    "removal",
    "what is left",
    () => smoke.cleanup.run(),
    (count) => `${count} things of ${smoke.name}`,
  ).catch(noted);
  return { rows, failure: failures[0] };
}
