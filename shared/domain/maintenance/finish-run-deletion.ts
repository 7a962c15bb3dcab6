import type { OrganizationId } from "../access/organization-id.ts";
import type { FileStore } from "../file-store.ts";
import type { RunStore } from "../run/run-store.ts";
import { removeSpilled } from "../spill.ts";
import { forEachBounded } from "./bounded-parallel.ts";
import { endAttachment, type FinishAttachmentDeletionDeps } from "./finish-attachment-deletion.ts";

export interface FinishRunDeletionDeps extends FinishAttachmentDeletionDeps {
  readonly runs: Pick<RunStore, "findDeleted" | "listAttachmentIds" | "remove">;
  readonly files: Pick<FileStore, "attachmentKey" | "spillKey" | "put" | "get" | "remove">;
}

/**
 * Finishes a run's deletion: removes its attachments with their files, its heavy fields, its row, and its secret with
 * the last run of the request that uses it.
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
  await removeSpilled(deps, [run.outputData, run.runMessageHistory]);
  await deps.runs.remove(organizationId, runId);
  return true;
}
