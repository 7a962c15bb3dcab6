import type { Hono } from "hono";
import { followingOperations } from "../../shared/contract/operations/following-operations.ts";
import type { ExecutionStore } from "../../shared/domain/execution/execution-store.ts";
import { getRun } from "../../shared/domain/run/get-run.ts";
import type { RelatedDeps } from "../../shared/domain/run/related-to-runs.ts";
import { explainWaiting } from "../../shared/domain/run/waiting/explain-waiting.ts";
import type { WaitingView } from "../../shared/domain/run/waiting/waiting-view.ts";
import { explainProgress } from "../../shared/domain/run-progress/explain-progress.ts";
import { type ListStepsDeps, listRunSteps } from "../../shared/domain/run-progress/list-run-steps.ts";
import type { UnspillDeps } from "../../shared/domain/spill.ts";
import { boundedResponse } from "../../shared/http/bounded-response.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { AccessDeps, AppDeps, RateLimitDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { presentRun } from "../../shared/present/present-run.ts";
import { readHeavy, readIncluded } from "../../shared/present/read-beside-run.ts";
import { presentStep } from "./present-step.ts";

export interface FollowingAppDeps extends AppDeps, AccessDeps, RateLimitDeps, RelatedDeps {
  readonly runs: ListStepsDeps["runs"];
  readonly executions: Pick<ExecutionStore, "listSteps" | "findLastStep">;
  readonly files: UnspillDeps["files"];
  readonly waitingView: WaitingView;
}

export function createFollowingApp(deps: FollowingAppDeps): Hono<HttpEnv> {
  return createCallersApp(deps, followingOperations, {
    getRun: async ({ caller, path, query }) => {
      const run = await getRun(deps, caller, { runId: path.run_id });
      const [related, heavy, waiting, progress] = await Promise.all([
        readIncluded(deps, caller, [run], query.include),
        readHeavy(deps, run),
        explainWaiting(deps.waitingView, run),
        explainProgress(deps, run),
      ]);
      return { ...presentRun(run, heavy, { waiting, progress }), ...related };
    },
    listRunSteps: async ({ caller, path, query }) => {
      const { skip, limit, after } = query;
      const input = { runId: path.run_id, page: { skip, limit, after } };
      const { items, total, summary, isSafeToRetry } = await listRunSteps(deps, caller, input);
      const page = { items: items.map(presentStep), total, skip, limit };
      return boundedResponse({ ...page, summary, is_safe_to_retry: isSafeToRetry });
    },
  });
}
