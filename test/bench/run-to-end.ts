import { setTimeout as sleep } from "node:timers/promises";
import type { DemoApi } from "../../infra/local/demo/demo-client.ts";
import { askApi } from "../support/stack/ask-api.ts";

export interface EndedRun {
  readonly id: string;
  readonly status: string;
  readonly error: readonly string[];
  readonly started_at: string | null;
}

/**
 * Creates a run, and waits until it has ended.
 *
 * @param options.pauseMs pause between two polls: short to measure its end, long to measure its steps.
 * @throws {Error} when the run has not succeeded.
 */
export async function runToEnd(
  api: DemoApi,
  body: object,
  { pauseMs = 100 }: { readonly pauseMs?: number } = {},
): Promise<EndedRun> {
  const { id } = await askApi<{ id: string }>(api, "/v1/runs", "POST", body);
  let run: EndedRun;
  do {
    await sleep(pauseMs);
    run = await askApi<EndedRun>(api, `/v1/runs/${id}`);
  } while (run.status === "scheduling" || run.status === "running");
  if (run.status !== "success") throw new Error(`a run ended as ${run.status}: ${run.error.join(" ")}`);
  return run;
}
