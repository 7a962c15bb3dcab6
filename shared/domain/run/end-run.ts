import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";
import type { RunStatus } from "../../vocabulary/runs.ts";
import { ChangedTooOften } from "../changed-too-often.ts";
import { type Clock, isoTimestamp } from "../clock.ts";
import type { OrganizationId } from "../organization-id.ts";
import { isTerminal } from "./run-status.ts";
import type { RunStore } from "./run-store.ts";

export interface EndRunDeps {
  readonly runs: Pick<RunStore, "find" | "update">;
  readonly clock: Pick<Clock, "now">;
}

export interface RunEnd {
  readonly status: Extract<RunStatus, "cancelled" | "error">;
  readonly reason: string;
  /** @default none */
  readonly errorCode?: RunErrorCode;
  /** The only assignment of the run that is ended. @default whichever it has */
  readonly assignmentId?: string;
}

/** Its worker may report at the same time; each attempt is conditional on the run as read. */
const attemptsMax = 8;

/**
 * Ends a run, whatever its state, on the service's behalf. No-op when it has ended, is gone, or has another assignment.
 *
 * @returns whether it was ended by this.
 * @throws {ChangedTooOften}
 */
export async function endRun(
  deps: EndRunDeps,
  organizationId: OrganizationId,
  runId: string,
  { status, reason, errorCode, assignmentId: only }: RunEnd,
): Promise<boolean> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const run = await deps.runs.find(organizationId, runId);
    if (run === undefined || isTerminal(run.status)) return false;
    const { assignmentId, revision } = run;
    if (only !== undefined && assignmentId !== only) return false;
    const change = {
      status,
      error: [...run.error, reason],
      endedAt: isoTimestamp(deps.clock.now()),
      ...(errorCode !== undefined && { errorCode }),
    };
    const expected = { assignmentId: assignmentId ?? undefined, revision };
    const outcome = await deps.runs.update(organizationId, runId, change, expected);
    if (outcome.kind === "updated" || outcome.kind === "not_found") return outcome.kind === "updated";
  }
  throw new ChangedTooOften("the run");
}
