import type { Logger } from "../../shared/domain/logger.ts";
import {
  type CheckExecutionsDeps,
  checkExecutions,
} from "../../shared/domain/maintenance/check-executions.ts";
import {
  type CloseRevokedConnectionsDeps,
  closeRevokedConnections,
} from "../../shared/domain/maintenance/close-revoked-connections.ts";
import {
  type CloseSilentConnectionsDeps,
  closeSilentConnections,
  silentPerPage,
} from "../../shared/domain/maintenance/close-silent-connections.ts";
import {
  type ExpireAttachmentsDeps,
  expireAttachments,
  type SettleUploadsDeps,
  settleUploads,
} from "../../shared/domain/maintenance/finish-attachment-deletion.ts";
import {
  type FinishDueDeletionsDeps,
  finishDueDeletions,
} from "../../shared/domain/maintenance/finish-due-deletions.ts";
import {
  type EndIdleSessionsDeps,
  endIdleSessions,
} from "../../shared/domain/maintenance/matching/end-idle-sessions.ts";
import {
  type EndRunsOfVanishedDeps,
  endRunsOfVanished,
  vanishedPerPage,
} from "../../shared/domain/maintenance/matching/end-runs-of-vanished.ts";
import {
  type FinishDueClearingsDeps,
  finishDueClearings,
} from "../../shared/domain/maintenance/matching/finish-due-clearings.ts";
import { repairIdleMachines } from "../../shared/domain/maintenance/matching/repair-idle-machines.ts";
import {
  type RepairMatchingDeps,
  repairWaitingRuns,
} from "../../shared/domain/maintenance/matching/repair-waiting-runs.ts";
import {
  type ReleaseDueRunSecretsDeps,
  releaseDueRunSecrets,
} from "../../shared/domain/maintenance/release-due-run-secrets.ts";
import {
  type RemoveUnnamedObjectsDeps,
  removeUnnamedObjects,
} from "../../shared/domain/maintenance/remove-unnamed-objects.ts";
import type { RemoveUnnamedSecretsDeps } from "../../shared/domain/maintenance/remove-unnamed-secrets.ts";
import { createSecretSweep } from "./secret-sweep.ts";
import { sweepMetric } from "./sweep-metric.ts";

export type SweeperDeps = CloseSilentConnectionsDeps &
  CloseRevokedConnectionsDeps &
  FinishDueDeletionsDeps &
  ReleaseDueRunSecretsDeps &
  ExpireAttachmentsDeps &
  SettleUploadsDeps &
  RepairMatchingDeps &
  EndRunsOfVanishedDeps &
  CheckExecutionsDeps &
  EndIdleSessionsDeps &
  FinishDueClearingsDeps &
  RemoveUnnamedObjectsDeps &
  RemoveUnnamedSecretsDeps & {
    readonly logger: Logger;
    /** Writes the metric's line regardless of the log level: an alarm needs it. */
    readonly metrics: Pick<Logger, "info">;
    /** Dimension of the metric. */
    readonly deployment: string;
    /** Starts another invocation. */
    readonly helper: { start(work: SweptShard): Promise<void> };
  };

/** What a helper does: one sweep of one shard. The schedule's event has neither. */
export interface SweptShard {
  readonly sweep: string;
  readonly shard: number;
}

/** A sweep goes on while it finds something, and the next minute's begins where it has stopped. */
const sweepingMs = 40_000;

/** These keep what they look at, or a pace of their own. */
const once: readonly string[] = ["due_uploads", "stray_executions", "unnamed_secrets", "unnamed_objects"];

/** What a fleet that disappears at once leaves, with the size of a page: from half of one on, helpers take a shard each. */
const shared: Readonly<Record<string, number>> = {
  silent_connections: silentPerPage,
  vanished_machines: vanishedPerPage,
};

const shards = 16;

/**
 * Repairs, every minute, what interrupted or lost work has left behind. Each sweep is bounded, and one that fails does
 * not affect the others; the run then fails at its end, which raises an alarm.
 */
export function createSweeper(deps: SweeperDeps): (event?: Partial<SweptShard>) => Promise<void> {
  const sweeps: Readonly<Record<string, (shard?: number) => Promise<number>>> = {
    silent_connections: async (shard) => await closeSilentConnections(deps, shard),
    revoked_connections: async () => await closeRevokedConnections(deps),
    deletions: async () => await finishDueDeletions(deps),
    run_secret_deletions: async () => await releaseDueRunSecrets(deps),
    expired_attachments: async () => await expireAttachments(deps),
    due_uploads: async () => await settleUploads(deps),
    waiting_runs: async () => await repairWaitingRuns(deps),
    idle_machines: async () => await repairIdleMachines(deps),
    vanished_machines: async (shard) => await endRunsOfVanished(deps, shard),
    stray_executions: async () => await checkExecutions(deps),
    idle_sessions: async () => await endIdleSessions(deps),
    interrupted_clearings: async () => await finishDueClearings(deps),
    unnamed_secrets: createSecretSweep(deps),
    unnamed_objects: async () => await removeUnnamedObjects(deps),
  };
  return async (event) => {
    const startedMs = deps.clock.now();
    const repaired: Record<string, number> = {};
    const failed: string[] = [];
    await Promise.all(
      Object.entries(sweeps).map(async ([name, sweep]) => {
        if (event?.sweep !== undefined && event.sweep !== name) return;
        try {
          for (let count = 1; count > 0 && deps.clock.now() < startedMs + sweepingMs; ) {
            count = await sweep(event?.shard);
            repaired[name] = (repaired[name] ?? 0) + count;
            if (once.includes(name)) break;
            if (event?.sweep !== undefined || count * 2 < (shared[name] ?? Number.POSITIVE_INFINITY))
              continue;
            for (let shard = 0; shard < shards; shard += 1) await deps.helper.start({ sweep: name, shard });
            break;
          }
        } catch (cause) {
          failed.push(name);
          deps.logger.error("a sweep failed", { sweep: name, cause });
        }
      }),
    );
    const now = deps.clock.now();
    deps.metrics.info("swept", {
      failed,
      duration_ms: now - startedMs,
      ...sweepMetric(deps.deployment, now, repaired),
    });
    if (failed.length > 0) throw new Error(`sweeps failed: ${failed.join(", ")}`);
  };
}
