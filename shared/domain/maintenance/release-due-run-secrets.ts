import { forEachBounded } from "../bounded-parallel.ts";
import type { Clock } from "../clock.ts";
import type { RunStore } from "../run/run-store.ts";
import { projectorGraceMs } from "./finish-due-deletions.ts";

export interface ReleaseDueRunSecretsDeps {
  readonly runs: Pick<RunStore, "releaseSecret" | "listSecretsDue">;
  readonly clock: Pick<Clock, "now">;
}

const runSecretsPerRun = 100;

/** Ends uses of secrets that the projector failed to end, or whose run's end it never received. */
export async function releaseDueRunSecrets(deps: ReleaseDueRunSecretsDeps): Promise<number> {
  const before = deps.clock.now() - projectorGraceMs;
  const due = await deps.runs.listSecretsDue(runSecretsPerRun);
  const overdue = due.filter(({ endedAt }) => endedAt !== null && Date.parse(endedAt) < before);
  return await forEachBounded(overdue, async ({ organizationId, id, secretId }) => {
    if (secretId !== null) await deps.runs.releaseSecret(organizationId, id, secretId);
  });
}
