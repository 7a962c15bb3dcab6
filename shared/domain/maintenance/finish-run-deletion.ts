import { forEachBounded } from "../bounded-parallel.ts";
import type { ExecutionStore } from "../execution/execution-store.ts";
import type { FileStore, ListedObjects } from "../file-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { RunStore } from "../run/run-store.ts";
import { removeSpilled } from "../spill.ts";
import { endAttachment, type FinishAttachmentDeletionDeps } from "./finish-attachment-deletion.ts";

export interface FinishRunDeletionDeps extends FinishAttachmentDeletionDeps {
  readonly runs: Pick<RunStore, "findDeleted" | "listAttachmentIds" | "remove">;
  readonly executions: Pick<ExecutionStore, "removeAll">;
  readonly files: Pick<
    FileStore,
    "attachmentKey" | "spillKey" | "stepPrefix" | "put" | "get" | "remove" | "list"
  >;
}

/**
 * Finishes a run's deletion: removes its attachments with their files, its steps with their pictures, its heavy fields,
 * its row, and its secret with the last run of the request that uses it.
 *
 * Every step is idempotent and the row goes last, so an interrupted deletion can start from the top.
 *
 * @returns false when there was nothing left to do.
 */
export async function finishRunDeletion(
  deps: FinishRunDeletionDeps,
  organizationId: OrganizationId,
  runId: string,
): Promise<boolean> {
  const run = await deps.runs.findDeleted(organizationId, runId);
  if (!run) return false;
  const attachmentIds = await deps.runs.listAttachmentIds(organizationId, runId);
  await forEachBounded(attachmentIds, (id) => endAttachment(deps, organizationId, id));
  await removeStepFiles(deps, organizationId, runId);
  await deps.executions.removeAll(organizationId, runId);
  await removeSpilled(deps, [run.outputData, run.runMessageHistory, run.overrides.mainPrompt]);
  await deps.runs.remove(organizationId, runId);
  return true;
}

/** By their listing: an execution that was interrupted has left some that no row names. */
async function removeStepFiles(
  { files }: FinishRunDeletionDeps,
  organizationId: OrganizationId,
  runId: string,
): Promise<void> {
  const prefix = files.stepPrefix(organizationId, runId);
  for (let after: string | undefined = prefix; after !== undefined; ) {
    const { objects, nextAfter }: ListedObjects = await files.list(prefix, after);
    await forEachBounded(objects, ({ key }) => files.remove(key));
    after = nextAfter;
  }
}
