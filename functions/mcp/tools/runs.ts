import { shownStepsMax } from "../../../shared/contract/assistant/run-tools.ts";
import type { Run } from "../../../shared/contract/run/run.ts";
import type { ToolHandlers } from "../tool-handlers.ts";
import { pictureOf } from "./picture.ts";

type RunTool = "start_run" | "wait_for_run" | "look_at_step" | "hold_run" | "resume_run" | "cancel_run";

/** A hold ends no wait for steps, so that it is looked for between short ones. */
const sliceSeconds = 5;

export const runHandlers: ToolHandlers<RunTool> = {
  start_run: async ({ api }, { idempotency_key: idempotencyKey, ...body }) => {
    const run = await api.call("createRun", {
      body,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    return changed(run);
  },
  wait_for_run: async ({ api }, { run_id, after_index, wait_seconds: waitSeconds }) => {
    const path = { run_id };
    for (let left = waitSeconds; ; left -= sliceSeconds) {
      const wait_seconds = Math.max(0, Math.min(left, sliceSeconds));
      const query = { after_index, wait_seconds, limit: shownStepsMax };
      const page = await api.call("listRunSteps", { path, query });
      const run = page.run ?? (await api.call("getRun", { path }));
      const hasEnded = page.run !== null;
      if (page.items.length === 0 && !hasEnded && run.held === null && left > sliceSeconds) continue;
      const steps = page.items.map(({ index, source, action, status, text, error }) => {
        return { index, source, action, status, text, error };
      });
      const next_after_index = steps.at(-1)?.index ?? after_index;
      return { structured: { run: shown(run), has_ended: hasEnded, steps, next_after_index } };
    }
  },
  look_at_step: async ({ api }, { run_id, index }) => {
    const png = await api.call("getRunStepScreenshot", { path: { run_id, index: String(index) } });
    return { structured: { index }, content: [pictureOf(png)] };
  },
  hold_run: async ({ api }, { run_id, ...body }) =>
    changed(await api.call("holdRun", { path: { run_id }, body })),
  resume_run: async ({ api }, { run_id, ...body }) =>
    changed(await api.call("resumeRun", { path: { run_id }, body })),
  cancel_run: async ({ api }, { run_id, ...body }) =>
    changed(await api.call("cancelRun", { path: { run_id }, body })),
};

interface ChangedRun extends Pick<Run, "id" | "status" | "revision" | "held"> {}

function changed({ id, status, revision, held }: ChangedRun): { readonly structured: { run: ChangedRun } } {
  return { structured: { run: { id, status, revision, held } } };
}

function shown(run: Run) {
  const { workflow_id, machine_id, waiting_reason, progress, output_data, error, error_code } = run;
  const { run: common } = changed(run).structured;
  return { ...common, workflow_id, machine_id, waiting_reason, progress, output_data, error, error_code };
}
