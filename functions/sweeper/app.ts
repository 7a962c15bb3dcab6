import { type Sweep, sweeps } from "../../shared/contract/service-metrics.ts";
import { endViewers } from "../../shared/domain/live/end-viewers.ts";
import type { Logger } from "../../shared/domain/logger.ts";
import { checkExecutions } from "../../shared/domain/maintenance/check-executions.ts";
import { closeRevokedConnections } from "../../shared/domain/maintenance/close-revoked-connections.ts";
import {
  closeSilentConnections,
  shardsOfMinute,
  silentConnectionsFound,
} from "../../shared/domain/maintenance/close-silent-connections.ts";
import { endRecordings } from "../../shared/domain/maintenance/end-recordings.ts";
import { expireRuns } from "../../shared/domain/maintenance/expire-runs.ts";
import {
  attachmentsPerRun,
  expireAttachments,
  settleUploads,
} from "../../shared/domain/maintenance/finish-attachment-deletion.ts";
import { finishDueDeletions } from "../../shared/domain/maintenance/finish-due-deletions.ts";
import type { FleetReader } from "../../shared/domain/maintenance/fleet-reader.ts";
import { judgeFleet } from "../../shared/domain/maintenance/judge-fleet.ts";
import { endIdleSessions } from "../../shared/domain/maintenance/matching/end-idle-sessions.ts";
import {
  endRunsOfVanished,
  vanishedPerPage,
} from "../../shared/domain/maintenance/matching/end-runs-of-vanished.ts";
import { finishDueClearings } from "../../shared/domain/maintenance/matching/finish-due-clearings.ts";
import { repairIdleMachines } from "../../shared/domain/maintenance/matching/repair-idle-machines.ts";
import { repairWaitingRuns } from "../../shared/domain/maintenance/matching/repair-waiting-runs.ts";
import { servePlaces } from "../../shared/domain/maintenance/matching/serve-places.ts";
import { releaseDueRunSecrets } from "../../shared/domain/maintenance/release-due-run-secrets.ts";
import type { SweptLeftovers } from "../../shared/domain/maintenance/unnamed/remove-unnamed.ts";
import { removeUnnamedObjects } from "../../shared/domain/maintenance/unnamed/remove-unnamed-objects.ts";
import { removeUnnamedSecrets } from "../../shared/domain/maintenance/unnamed/remove-unnamed-secrets.ts";
import { startDueDeliveries } from "../../shared/domain/webhook/delivery/start-due-deliveries.ts";
import { dueShards } from "../../shared/vocabulary/table.ts";

const leftByProjector = ["deletions", "run_secret_deletions"] as const satisfies readonly Sweep[];

/** The matcher should have done this work; both may find a few of the same items. */
const leftByMatcher = [
  "waiting_runs",
  "idle_machines",
  "stray_executions",
] as const satisfies readonly Sweep[];

/** These need no more than their dependencies, and a helper's shard. */
const verbs = {
  revoked_connections: closeRevokedConnections,
  ended_viewers: endViewers,
  deletions: finishDueDeletions,
  run_secret_deletions: releaseDueRunSecrets,
  expired_runs: expireRuns,
  expired_attachments: expireAttachments,
  due_uploads: settleUploads,
  waiting_runs: repairWaitingRuns,
  idle_machines: repairIdleMachines,
  vanished_machines: endRunsOfVanished,
  service_places: servePlaces,
  waiting_deliveries: startDueDeliveries,
  idle_sessions: endIdleSessions,
  interrupted_clearings: finishDueClearings,
  ended_recordings: endRecordings,
} as const;

type Verb =
  | (typeof verbs)[keyof typeof verbs]
  | typeof closeSilentConnections
  | typeof checkExecutions
  | typeof removeUnnamedSecrets
  | typeof removeUnnamedObjects
  | typeof judgeFleet;

type DepsOfAll = Verb extends (deps: infer Deps, ...more: never[]) => unknown ? Deps : never;

export type SweeperDeps = DepsOfAll & {
  readonly logger: Logger;
  readonly fleet: FleetReader;
  readonly helper: { start(work: SweptShard): Promise<void> };
};

/** A helper sweeps one shard; the schedule's event has neither field. */
export interface SweptShard {
  readonly sweep: string;
  readonly shard: number;
}

/** A sweep continues while it finds something; the next minute's starts where it stopped. */
const sweepingMs = 40_000;

/** These sweeps run once a minute; a count from this number on means that items are left. */
const once: Readonly<Partial<Record<Sweep, number>>> = {
  due_uploads: attachmentsPerRun,
  service_places: Number.POSITIVE_INFINITY,
  waiting_deliveries: Number.POSITIVE_INFINITY,
  unnamed_secrets: Number.POSITIVE_INFINITY,
  unnamed_objects: Number.POSITIVE_INFINITY,
};

interface SharedWork {
  readonly found: number;
  readonly left: readonly number[];
}

/** A sweep that reads all that is due once a minute, and says itself whether it has done all. */
interface WholePass {
  readonly found: number;
  readonly isBehind: boolean;
}

/** A fleet that disappears at once fills these pages; from half a page on, helpers take a shard each. */
const shared: Readonly<Record<string, number>> = {
  silent_connections: silentConnectionsFound,
  vanished_machines: vanishedPerPage,
};

/**
 * Each sweep is bounded. A failed one does not stop the others, but fails the whole run at its end: an alarm follows.
 */
export function createSweeper(deps: SweeperDeps): (event?: Partial<SweptShard>) => Promise<void> {
  let heldBack = 0;
  const leftovers = async (swept: Promise<SweptLeftovers>): Promise<number> => {
    const { removed, heldBack: kept } = await swept;
    heldBack += kept;
    return removed;
  };
  const silent = async (shard: number | undefined, untilMs: number): Promise<SharedWork> => {
    const isShared = shard === undefined;
    const shards = isShared ? shardsOfMinute(deps.clock.now()) : [shard];
    const { closed, left } = await closeSilentConnections(deps, { shards, isShared, untilMs });
    return { found: closed, left };
  };
  const sweepOf: Readonly<
    Record<
      Sweep,
      (
        deps: SweeperDeps,
        shard: number | undefined,
        untilMs: number,
      ) => Promise<number | SharedWork | WholePass>
    >
  > = {
    ...verbs,
    silent_connections: async (_deps, shard, untilMs) => await silent(shard, untilMs),
    stray_executions: async (_deps, _shard, untilMs) => await checkExecutions(deps, untilMs),
    unnamed_secrets: async () => await leftovers(removeUnnamedSecrets(deps)),
    unnamed_objects: async () => await leftovers(removeUnnamedObjects(deps)),
  };
  return async (event) => {
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
    const goOn = async (name: Sweep): Promise<"done" | "behind"> => {
      const untilMs = startedMs + sweepingMs;
      const share = async (shards: readonly number[]) => {
        for (const shard of shards) await deps.helper.start({ sweep: name, shard });
      };
      for (;;) {
        const swept = await sweepOf[name](deps, event?.shard, untilMs);
        const count = typeof swept === "number" ? swept : swept.found;
        repaired[name] = (repaired[name] ?? 0) + count;
        if (typeof swept !== "number" && "isBehind" in swept) return swept.isBehind ? "behind" : "done";
        const left = typeof swept === "number" ? undefined : swept.left;
        const leftFrom = once[name];
        if (leftFrom !== undefined) return count < leftFrom ? "done" : "behind";
        if (!isHelper && count * 2 >= (shared[name] ?? Number.POSITIVE_INFINITY)) {
          await share([...Array(dueShards).keys()]);
          return "behind";
        }
        if (left !== undefined) {
          if (!isHelper) await share(left);
          return isHelper && left.length > 0 ? "behind" : "done";
        }
        if (count === 0) return "done";
        if (deps.clock.now() >= untilMs) return "behind";
      }
    };
    let behind = 0;
    const isHelper = event?.sweep !== undefined;
    const [fleet, falls, places, line] = await Promise.all([
      isHelper ? undefined : attempt("fleet", async () => await deps.fleet.read()),
      isHelper ? undefined : attempt("falls", async () => await judgeFleet(deps)),
      isHelper ? undefined : attempt("places", async () => await deps.servicePlaces?.count()),
      isHelper ? undefined : attempt("line", async () => await deps.servicePlaces?.line()),
      ...sweeps.map(async (name) => {
        if (isHelper && event.sweep !== name) return;
        const went = await attempt(name, async () => await goOn(name));
        if (went !== "done") behind += 1;
      }),
    ]);
    const now = deps.clock.now();
    const sumOf = (names: readonly Sweep[]) => names.reduce((sum, name) => sum + (repaired[name] ?? 0), 0);
    deps.logger.info("swept", {
      failed,
      duration_ms: now - startedMs,
      ...repaired,
      deletions_left_over: sumOf(leftByProjector),
      matching_left_over: sumOf(leftByMatcher),
      unnamed_held_back: heldBack,
      sweeps_behind: behind,
      ...falls,
      ...(fleet && {
        connected_machines: fleet.connectedMachines,
        runs_waiting: fleet.runsWaiting,
        oldest_waiting_ms:
          fleet.oldestQueuedAtMs === undefined ? 0 : Math.max(0, now - fleet.oldestQueuedAtMs),
      }),
      ...(places && { service_runs_under_way: places.underWay, service_runs_max: places.max }),
      ...(line && { service_organizations_in_line: line.length }),
    });
    if (failed.length > 0) throw new Error(`sweeps failed: ${failed.join(", ")}`);
  };
}
