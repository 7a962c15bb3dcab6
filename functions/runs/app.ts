import type { Hono } from "hono";
import { runOperations } from "../../shared/contract/operations/run-operations.ts";
import type { RunField, RunInputs } from "../../shared/contract/run/run.ts";
import type { RunMetadataKeys } from "../../shared/contract/run/run-metadata-keys.ts";
import { deleteRun } from "../../shared/domain/entity/delete-entity.ts";
import {
  getIndexedKeys,
  type IndexedKey,
  type IndexedKeyStore,
  setIndexedKeys,
} from "../../shared/domain/metadata/indexed-keys.ts";
import { cancelRun } from "../../shared/domain/run/cancel-run.ts";
import { createChain } from "../../shared/domain/run/create/create-chain.ts";
import { createRun } from "../../shared/domain/run/create/create-run.ts";
import { createRuns } from "../../shared/domain/run/create/create-runs.ts";
import { type HoldRunDeps, holdRun } from "../../shared/domain/run/hold/hold-run.ts";
import { type ResumeRunDeps, resumeRun } from "../../shared/domain/run/hold/resume-run.ts";
import { getRunInputs } from "../../shared/domain/run/inputs/get-run-inputs.ts";
import type { InheritedSecretDeps } from "../../shared/domain/run/inputs/inherited-secret-values.ts";
import { listRuns } from "../../shared/domain/run/list-runs.ts";
import type { RelatedDeps } from "../../shared/domain/run/related-to-runs.ts";
import { type RetryDeps, retryRun } from "../../shared/domain/run/retry/retry-run.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import type { RunOverridesInput } from "../../shared/domain/run/run-overrides.ts";
import { updateRun } from "../../shared/domain/run/update-run.ts";
import { getStepExpected } from "../../shared/domain/run-progress/get-step-expected.ts";
import { getStepScreenshot } from "../../shared/domain/run-progress/get-step-screenshot.ts";
import type { StepDeps } from "../../shared/domain/run-progress/step-deps.ts";
import {
  type VerificationWarningsDeps,
  type VerifyTrajectoryDeps,
  verificationWarnings,
  verifyTrajectory,
} from "../../shared/domain/trajectory/verify-trajectory.ts";
import { aggregateUsage, type UsageStore } from "../../shared/domain/usage/usage.ts";
import { boundedResponse } from "../../shared/http/bounded-response.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import {
  presentCreatedRuns,
  presentListed,
  presentRun,
  presentRunItem,
} from "../../shared/present/present-run.ts";
import { readHeavy, readIncluded } from "../../shared/present/read-beside-run.ts";
import { pieceLeftHeader, pieceTopHeader } from "../../shared/vocabulary/run-steps.ts";
import { presentUsage } from "./present-usage.ts";
import { heavyFields, listedOutputs, readHeavyOfAll } from "./read-heavy.ts";
import { chainInput, createInput, retryInput, runFilter, updateInput, verifyInput } from "./read-input.ts";

const verificationWarning =
  "the run does the work again, twice in a row: what the trajectory enters, sends or deletes is entered, sent or deleted two times more; with dry_run_until once, up to there";

export interface RunsAppDeps
  extends HttpDeps,
    RelatedDeps,
    Pick<InheritedSecretDeps, "secretOwners" | "secrets">,
    Pick<
      RetryDeps,
      "runs" | "modelConfigurations" | "files" | "attachments" | "inputSources" | "inputChecker"
    > {
  readonly trajectories: VerifyTrajectoryDeps["trajectories"];
  readonly trajectoryReader: VerificationWarningsDeps["trajectoryReader"];
  readonly executions: StepDeps["executions"] & HoldRunDeps["executions"];
  readonly holds: HoldRunDeps["holds"] & ResumeRunDeps["holds"];
  readonly callbacks: ResumeRunDeps["callbacks"];
  readonly usage: Pick<UsageStore, "read">;
  readonly indexedKeys: IndexedKeyStore;
}

export function createRunsApp(deps: RunsAppDeps): Hono<HttpEnv> {
  const present = async (run: Run) => presentRun(run, await readHeavy(deps, run));
  const presentItems = async (runs: readonly Run[], fields: readonly RunField[] | undefined) => {
    if (fields === undefined) return listedOutputs(runs).map(presentListed);
    const heavy = await readHeavyOfAll(deps, runs, fields);
    const nothing = { mainPrompt: null, outputData: null, runMessageHistory: null };
    return runs.map((run, index) => presentRunItem(run, heavy[index] ?? nothing, fields));
  };

  return createCallersApp(deps, runOperations, {
    listRuns: async ({ caller, query }) => {
      const { skip, limit, after, fields, include } = query;
      const input = {
        filter: runFilter(query),
        page: { skip, limit, after },
        heavy: heavyFields(fields),
        isDeep: query.deep_search,
        sortMode: query.sort_mode,
      };
      const page = await listRuns(deps, caller, input);
      const [items, related] = await Promise.all([
        presentItems(page.items, fields),
        readIncluded(deps, caller, page.items, include),
      ]);
      return boundedResponse({ items, total: page.total, skip, limit, ...related });
    },
    createRun: async ({ body, write }) => present(await write(createRun, createInput(body))),
    createRuns: async ({ body, write }) => {
      const input = { ...createInput(body), count: body.count };
      return presentCreatedRuns(await write(createRuns, input));
    },
    createChain: async ({ body, write }) => {
      const { sessionId, runIds } = await write(createChain, chainInput(body));
      return { session_id: sessionId, run_ids: [...runIds] };
    },
    updateRun: async ({ path, body, write }) =>
      present(await write(updateRun, updateInput(path.run_id, body))),
    cancelRun: async ({ path, body, write }) =>
      present(await write(cancelRun, { runId: path.run_id, reason: body.reason })),
    holdRun: async ({ path, body, write }) =>
      present(await write(holdRun, { runId: path.run_id, reason: body.reason, seconds: body.seconds })),
    resumeRun: async ({ path, body, write }) =>
      present(await write(resumeRun, { runId: path.run_id, note: body.note })),
    deleteRun: ({ path, write }) => write(deleteRun, { id: path.run_id }),
    retryRun: async ({ path, body, write }) => present(await write(retryRun, retryInput(path.run_id, body))),
    getRunMetadataKeys: async ({ caller }) => presentKeys(await getIndexedKeys(deps, caller)),
    setRunMetadataKeys: async ({ body, write }) =>
      presentKeys(await write(setIndexedKeys, { names: body.keys })),
    verifyTrajectory: async ({ caller, path, body, write }) => {
      const input = verifyInput(path.trajectory_id, body);
      const warnings = await verificationWarnings(deps, caller, input);
      const run = await write(verifyTrajectory, input);
      return { run: await present(run), warning: verificationWarning, warnings: [...warnings] };
    },
    getRunInputs: async ({ caller, path }) => {
      const inputs = await getRunInputs(deps, caller, { runId: path.run_id });
      return {
        assignment_id: inputs.assignmentId,
        input_values: inputs.inputValues,
        sensitive_input_values: inputs.sensitiveValues,
        overrides: presentOverrides(inputs.overrides),
      };
    },
    aggregateUsage: async ({ caller, query }) => {
      const range = { fromDate: query.from_date, toDate: query.to_date };
      return presentUsage(await aggregateUsage(deps, caller, range), query);
    },
    getRunStepExpected: async ({ c, caller, path }) => {
      const { png, x, y } = await getStepExpected(deps, caller, { runId: path.run_id, index: path.index });
      return c.body(Uint8Array.from(png), 200, {
        "Content-Type": "image/png",
        [pieceLeftHeader]: String(x),
        [pieceTopHeader]: String(y),
      });
    },
    getRunStepScreenshot: async ({ c, caller, path }) => {
      const download = await getStepScreenshot(deps, caller, { runId: path.run_id, index: path.index });
      if (download.kind === "link") return c.redirect(download.link.url, 307);
      return c.body(Uint8Array.from(download.bytes), 200, { "Content-Type": "image/png" });
    },
  });
}

function presentKeys(keys: readonly IndexedKey[]): RunMetadataKeys {
  return { keys: keys.map(({ name, indexedFrom }) => ({ key: name, indexed_from: indexedFrom })) };
}

function presentOverrides(overrides: RunOverridesInput): RunInputs["overrides"] {
  const { mainPrompt, modelMetadata, modelConfigurationId, maxSteps, maxDurationSeconds, maxTokens } =
    overrides;
  const { fallbackModelConfigurationIds: fallbacks } = overrides;
  return {
    ...(mainPrompt != null && { main_prompt: mainPrompt }),
    ...(modelMetadata != null && { model_metadata: modelMetadata }),
    ...(modelConfigurationId != null && { model_configuration_id: modelConfigurationId }),
    ...(fallbacks != null && { fallback_model_configuration_ids: [...fallbacks] }),
    ...(maxSteps != null && { max_steps: maxSteps }),
    ...(maxDurationSeconds != null && { max_duration_seconds: maxDurationSeconds }),
    ...(maxTokens != null && { max_tokens: maxTokens }),
  };
}
