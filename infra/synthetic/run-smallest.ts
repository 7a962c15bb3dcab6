import { createApiClient } from "../../shared/client/api-client.ts";
import { type Row, runSmoke } from "../smoke/run-smoke.ts";
import { smallestRun } from "../smoke/steps.ts";
import { removeLeft } from "./remove-left.ts";

/** One step's longest time, and all steps'; the removal after them has the rest of the function's three minutes. */
const stepMs = 20_000;
const stepsMs = 80_000;

export interface SmallestRunInput {
  readonly url: string;
  /** An API key with the scopes `read` and `write`, of an organization that has nothing else. */
  readonly key: string;
  readonly report: (row: Row) => void;
}

/** @throws {Error} that names the part to look at. Lambda counts it as an error, which the alarm watches. */
export async function runSmallest({ url, key, report }: SmallestRunInput): Promise<void> {
  const limits = { attemptMs: stepMs, totalMs: stepMs };
  await removeLeft(createApiClient({ baseUrl: url, credentials: key, ...limits }));
  const signal = AbortSignal.timeout(stepsMs);
  const options = { url, adminKey: key, timeoutMs: stepMs, signal };
  const { failure } = await runSmoke(options, smallestRun, report);
  if (failure !== undefined) throw new Error(`${failure.part}: ${failure.message}`, { cause: failure });
}
