import type { Clock } from "../clock.ts";
import type { Logger } from "../logger.ts";

const databaseTimeoutMs = 3_000;

export interface CheckDatabaseDeps {
  /** Makes one cheap, strongly consistent read. */
  readonly probeDatabase: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type DatabaseState = { readonly kind: "ok"; readonly latencyMs: number } | { readonly kind: "error" };

export async function checkDatabase(deps: CheckDatabaseDeps): Promise<DatabaseState> {
  const startedMs = deps.clock.now();
  const timedOut = deps.clock.sleep(databaseTimeoutMs).then(() => "timed_out" as const);
  try {
    const first = await Promise.race([deps.probeDatabase(), timedOut]);
    if (first === "timed_out") throw new Error(`no response within ${databaseTimeoutMs} ms`);
    return { kind: "ok", latencyMs: deps.clock.now() - startedMs };
  } catch (cause) {
    deps.logger.error("the table does not respond", { cause });
    return { kind: "error" };
  }
}
