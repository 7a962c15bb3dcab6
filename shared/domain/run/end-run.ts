import type { OrganizationId } from "../access/organization-id.ts";
import { ChangedTooOften } from "../changed-too-often.ts";
import { type Clock, isoTimestamp } from "../clock.ts";
import type { RunStatus } from "./run-status.ts";
import { isTerminal } from "./run-status.ts";
import type { RunStore } from "./run-store.ts";

export interface EndRunDeps {
  readonly runs: Pick<RunStore, "find" | "update">;
  readonly clock: Pick<Clock, "now">;
}

/** Its worker may report at the same time; each attempt is conditional on the run as read. */
const attemptsMax = 8;

/**
 * Ends a run, whatever its state, on the service's behalf. No-op when it has ended or is gone.
 *
 * @throws {ChangedTooOften}
 */
export async function endRun(
  deps: EndRunDeps,
  organizationId: OrganizationId,
  runId: string,
  { status, reason }: { readonly status: Extract<RunStatus, "cancelled" | "error">; readonly reason: string },
): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const run = await deps.runs.find(organizationId, runId);
    if (run === undefined || isTerminal(run.status)) return;
    const { assignmentId, revision } = run;
    const change = { status, error: [...run.error, reason], endedAt: isoTimestamp(deps.clock.now()) };
    const expected = { assignmentId: assignmentId ?? undefined, revision };
    const outcome = await deps.runs.update(organizationId, runId, change, expected);
    if (outcome.kind === "updated" || outcome.kind === "not_found") return;
  }
  throw new ChangedTooOften("the run");
}
