import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";
import type { RunStatus } from "../../vocabulary/runs.ts";
import { type Clock, isoTimestamp } from "../clock.ts";
import type { OrganizationId } from "../organization-id.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { isTerminal } from "./run-status.ts";
import type { RunStore } from "./run-store.ts";

export interface EndRunDeps {
  readonly runs: Pick<RunStore, "find" | "update">;
  readonly clock: Clock;
}

export interface RunEnd {
  readonly status: Extract<RunStatus, "cancelled" | "error">;
  readonly reason: string;
  readonly errorCode?: RunErrorCode;
  /** @default any */
  readonly assignmentId?: string;
}

/** Returns false when the run has ended, is gone, or has another assignment. @throws {ChangedTooOften} */
export async function endRun(
  deps: EndRunDeps,
  organizationId: OrganizationId,
  runId: string,
  { status, reason, errorCode, assignmentId: only }: RunEnd,
): Promise<boolean> {
  return await untilWritten(deps, {
    what: "the run",
    read: () => deps.runs.find(organizationId, runId),
    decide: async (run) => {
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
      const { kind } = await deps.runs.update(organizationId, runId, change, expected);
      return kind === "updated" || (kind === "not_found" ? false : overtaken);
    },
  });
}
