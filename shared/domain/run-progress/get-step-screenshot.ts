import type { Caller } from "../access/caller.ts";
import { downloadFile, type FileDownload } from "../download-file.ts";
import { DomainError } from "../errors.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { requireRun, requireStep, type StepDeps } from "./step-deps.ts";

/** @throws {DomainError} `not_found` that names what is missing: run, step or picture. */
export async function getStepScreenshot(
  deps: StepDeps,
  caller: Caller,
  { runId, index }: { readonly runId: string; readonly index: number },
): Promise<FileDownload> {
  const step = await requireStep(deps, await requireRun(deps, caller, runId), index);
  // The key of a step without its own picture is that of the previous one.
  if (step.screenshot === null || step.pictureKey === null) {
    throw new DomainError("not_found", withoutPicture(step));
  }
  const download = await downloadFile(deps.files, step.pictureKey);
  if (download === undefined) {
    throw new DomainError("not_found", `the screenshot of step ${index} has expired`);
  }
  return download;
}

function withoutPicture({ index, status }: RunStep): string {
  return status === "sending"
    ? `step ${index} has no screenshot yet: it is on its way to the desktop`
    : `step ${index} has no screenshot: the run's workflow keeps none, or the desktop gave none`;
}
