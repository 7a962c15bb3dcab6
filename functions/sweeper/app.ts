import { type Sweep, sweeps } from "../../shared/contract/service-metrics.ts";
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
  silentConnectionsPerRun,
} from "../../shared/domain/maintenance/close-silent-connections.ts";
import {
  type ExpireRunsDeps,
  expiredRunsPerRun,
  expireRuns,
} from "../../shared/domain/maintenance/expire-runs.ts";
import {
  attachmentsPerRun,
  type ExpireAttachmentsDeps,
  expireAttachments,
  type SettleUploadsDeps,
  settleUploads,
} from "../../shared/domain/maintenance/finish-attachment-deletion.ts";
import {
  type FinishDueDeletionsDeps,
  finishDueDeletions,
} from "../../shared/domain/maintenance/finish-due-deletions.ts";
import type { FleetReader } from "../../shared/domain/maintenance/fleet-reader.ts";
import {
  type EndIdleSessionsDeps,
  endIdleSessions,
} from "../../shared/domain/maintenance/matching/end-idle-sessions.ts";
import {
  type EndRunsOfVanishedDeps,
  endRunsOfVanished,
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
  runSecretsPerRun,
} from "../../shared/domain/maintenance/release-due-run-secrets.ts";
import type { SweptLeftovers } from "../../shared/domain/maintenance/remove-unnamed.ts";
import {
  type RemoveUnnamedObjectsDeps,
  removeUnnamedObjects,
} from "../../shared/domain/maintenance/remove-unnamed-objects.ts";
import {
  type RemoveUnnamedSecretsDeps,
  removeUnnamedSecrets,
} from "../../shared/domain/maintenance/remove-unnamed-secrets.ts";

/** Sweeps that finish what the projector should have finished. */
const leftByProjector = ["deletions", "run_secret_deletions"] as const satisfies readonly Sweep[];

/** How much a sweep does in one run, where it begins with the oldest: one that did so much has left some. */
const doneAtMost: Readonly<Partial<Record<Sweep, number>>> = {
  silent_connections: silentConnectionsPerRun,
  run_secret_deletions: runSecretsPerRun,
  expired_runs: expiredRunsPerRun,
  expired_attachments: attachmentsPerRun,
  due_uploads: attachmentsPerRun,
};

export type SweeperDeps = CloseSilentConnectionsDeps &
  CloseRevokedConnectionsDeps &
  FinishDueDeletionsDeps &
  ReleaseDueRunSecretsDeps &
  ExpireAttachmentsDeps &
  ExpireRunsDeps &
  SettleUploadsDeps &
  RepairMatchingDeps &
  EndRunsOfVanishedDeps &
  CheckExecutionsDeps &
  EndIdleSessionsDeps &
  FinishDueClearingsDeps &
  RemoveUnnamedObjectsDeps &
  RemoveUnnamedSecretsDeps & {
    readonly logger: Logger;
    readonly fleet: FleetReader;
  };

/**
 * Repairs, every minute, what interrupted or lost work has left behind. Each sweep is bounded, and one that fails does
 * not affect the others; the run then fails at its end, which raises an alarm.
 */
export function createSweeper(deps: SweeperDeps): () => Promise<void> {
  let heldBack = 0;
  const leftovers = async (swept: Promise<SweptLeftovers>): Promise<number> => {
    const { removed, heldBack: kept } = await swept;
    heldBack += kept;
    return removed;
  };
  const sweepOf: Readonly<Record<Sweep, () => Promise<number>>> = {
    silent_connections: async () => await closeSilentConnections(deps),
    revoked_connections: async () => await closeRevokedConnections(deps),
    deletions: async () => await finishDueDeletions(deps),
    run_secret_deletions: async () => await releaseDueRunSecrets(deps),
    expired_runs: async () => await expireRuns(deps),
    expired_attachments: async () => await expireAttachments(deps),
    due_uploads: async () => await settleUploads(deps),
    waiting_runs: async () => await repairWaitingRuns(deps),
    idle_machines: async () => await repairIdleMachines(deps),
    vanished_machines: async () => await endRunsOfVanished(deps),
    stray_executions: async () => await checkExecutions(deps),
    idle_sessions: async () => await endIdleSessions(deps),
    interrupted_clearings: async () => await finishDueClearings(deps),
    unnamed_secrets: async () => await leftovers(removeUnnamedSecrets(deps)),
    unnamed_objects: async () => await leftovers(removeUnnamedObjects(deps)),
  };
  return async () => {
    const startedMs = deps.clock.now();
    heldBack = 0;
    const repaired: Partial<Record<Sweep, number>> = {};
    const failed: string[] = [];
    const attempt = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (cause) {
        failed.push(name);
        deps.logger.error("a sweep failed", { sweep: name, cause });
        return undefined;
      }
    };
    const [fleet] = await Promise.all([
      attempt("fleet", async () => await deps.fleet.read()),
      ...sweeps.map(async (name) => {
        const count = await attempt(name, sweepOf[name]);
        if (count !== undefined) repaired[name] = count;
      }),
    ]);
    const now = deps.clock.now();
    deps.logger.info("swept", {
      failed,
      duration_ms: now - startedMs,
      ...repaired,
      deletions_left_over: leftByProjector.reduce((sum, name) => sum + (repaired[name] ?? 0), 0),
      unnamed_held_back: heldBack,
      sweeps_behind:
        failed.length +
        sweeps.filter((name) => (repaired[name] ?? 0) >= (doneAtMost[name] ?? Infinity)).length,
      ...(fleet && {
        connected_machines: fleet.connectedMachines,
        runs_waiting: fleet.runsWaiting,
        oldest_waiting_ms:
          fleet.oldestQueuedAtMs === undefined ? 0 : Math.max(0, now - fleet.oldestQueuedAtMs),
      }),
    });
    if (failed.length > 0) throw new Error(`sweeps failed: ${failed.join(", ")}`);
  };
}
