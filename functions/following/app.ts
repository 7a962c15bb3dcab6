import type { Hono } from "hono";
import { followingOperations } from "../../shared/contract/operations/following-operations.ts";
import type { ExecutionStore } from "../../shared/domain/execution/execution-store.ts";
import { followRun } from "../../shared/domain/following/follow-run.ts";
import { type FollowStepsDeps, followSteps } from "../../shared/domain/following/follow-steps.ts";
import type { WaitDeps, WaitOptions } from "../../shared/domain/following/wait-for.ts";
import type { RelatedDeps } from "../../shared/domain/run/related-to-runs.ts";
import { explainWaiting } from "../../shared/domain/run/waiting/explain-waiting.ts";
import type { WaitingView } from "../../shared/domain/run/waiting/waiting-view.ts";
import { explainProgress } from "../../shared/domain/run-progress/explain-progress.ts";
import type { HowFar } from "../../shared/domain/run-progress/how-far.ts";
import { listRunSteps } from "../../shared/domain/run-progress/list-run-steps.ts";
import type { RunStep } from "../../shared/domain/run-step/run-step.ts";
import type { UnspillDeps } from "../../shared/domain/spill.ts";
import { boundedResponse } from "../../shared/http/bounded-response.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { AccessDeps, AppDeps, RateLimitDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext, HttpEnv } from "../../shared/http/http-env.ts";
import { presentRun } from "../../shared/present/present-run.ts";
import { readHeavy, readIncluded } from "../../shared/present/read-beside-run.ts";
import { fullRetryAfterSeconds } from "../../shared/vocabulary/following.ts";
import { presentStep } from "./present-step.ts";

export interface FollowingAppDeps extends AppDeps, AccessDeps, RateLimitDeps, RelatedDeps {
  readonly calls: AppDeps["calls"] & WaitDeps["calls"];
  readonly waitingPlaces: WaitDeps["waitingPlaces"];
  readonly runs: FollowStepsDeps["runs"];
  readonly executions: Pick<ExecutionStore, "listSteps" | "findLastStep">;
  readonly files: UnspillDeps["files"];
  readonly waitingView: WaitingView;
}

export function createFollowingApp(deps: FollowingAppDeps): Hono<HttpEnv> {
  return createCallersApp(deps, followingOperations, {
    getRun: async ({ c, caller, path, query }) => {
      const input = { runId: path.run_id, revision: query.revision, wait: waitOf(c, query) };
      const { found: run, isFull } = await followRun(deps, caller, input);
      if (isFull) showFull(c);
      const [related, heavy, waiting, progress] = await Promise.all([
        readIncluded(deps, caller, [run], query.include),
        readHeavy(deps, run),
        explainWaiting(deps.waitingView, run),
        explainProgress(deps, run),
      ]);
      return { ...presentRun(run, heavy, { waiting, progress }), ...related };
    },
    listRunSteps: async ({ c, caller, path, query }) => {
      const { skip, limit, after, after_index: afterIndex, wait_seconds: waitSeconds } = query;
      const runId = path.run_id;
      if (afterIndex === undefined && waitSeconds === 0) {
        const { items, total, ...far } = await listRunSteps(deps, caller, {
          runId,
          page: { skip, limit, after },
        });
        return boundedResponse({ ...presentSteps(items, far), total, skip, limit, run: null });
      }
      const input = { runId, afterIndex: afterIndex ?? 0, limit, wait: waitOf(c, query) };
      const { found, isFull } = await followSteps(deps, caller, input);
      if (isFull) showFull(c);
      const { items, total, ended, ...far } = found;
      const run = ended ? presentRun(ended, await readHeavy(deps, ended)) : null;
      return boundedResponse({ ...presentSteps(items, far), total, skip, limit, run });
    },
  });
}

/** The time counts from the beginning of the request. */
function waitOf(c: HttpContext, { wait_seconds }: { readonly wait_seconds: number }): WaitOptions {
  return { untilMs: c.var.startedMs + wait_seconds * 1_000, admission: c.get("admission") };
}

function showFull(c: HttpContext): void {
  c.header("Retry-After", String(fullRetryAfterSeconds));
}

function presentSteps(items: readonly RunStep[], { summary, isSafeToRetry }: HowFar) {
  return { items: items.map(presentStep), summary, is_safe_to_retry: isSafeToRetry };
}
