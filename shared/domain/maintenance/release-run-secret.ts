import type { OrganizationId } from "../access/organization-id.ts";
import type { Clock } from "../clock.ts";
import type { RunStore } from "../run/run-store.ts";
import type { SecretStore } from "../secret-store.ts";
import { forEachBounded } from "./bounded-parallel.ts";
import { projectorGraceMs } from "./finish-due-deletions.ts";

export interface ReleaseRunSecretDeps {
  readonly runs: Pick<RunStore, "releaseSecret">;
  readonly secrets: Pick<SecretStore, "remove">;
}

const runsPerRun = 100;

/**
 * Removes an ended run's secret once no other run of the same request uses it. Its aliases stay, so that a retry can
 * say which values must be sent again.
 *
 * Idempotent, also when interrupted between the two calls.
 *
 * @returns whether the secret is gone.
 */
export async function releaseRunSecret(
  deps: ReleaseRunSecretDeps,
  ended: { readonly organizationId: OrganizationId; readonly runId: string; readonly secretName: string },
): Promise<boolean> {
  const { organizationId, runId, secretName } = ended;
  if (!(await deps.runs.releaseSecret(organizationId, runId, secretName))) return false;
  await deps.secrets.remove(secretName);
  return true;
}

export interface ReleaseDueRunSecretsDeps extends ReleaseRunSecretDeps {
  readonly runs: Pick<RunStore, "releaseSecret" | "listSecretsDue">;
  readonly clock: Pick<Clock, "now">;
}

/** Releases what the projector failed to release or never saw. @returns how many. */
export async function releaseDueRunSecrets(deps: ReleaseDueRunSecretsDeps): Promise<number> {
  const before = deps.clock.now() - projectorGraceMs;
  const due = await deps.runs.listSecretsDue(runsPerRun);
  const overdue = due.filter(({ endedAt }) => endedAt !== null && Date.parse(endedAt) < before);
  return await forEachBounded(overdue, async ({ organizationId, id, secretName }) => {
    if (secretName !== null) await releaseRunSecret(deps, { organizationId, runId: id, secretName });
  });
}
