import type { OrganizationId } from "../access/organization-id.ts";
import type { FileStore } from "../file-store.ts";
import type { RunStore } from "../run/run-store.ts";
import type { SecretStore } from "../secret-store.ts";
import { removeSpilled } from "../spill.ts";
import { forEachBounded } from "./bounded-parallel.ts";
import { endAttachment, type FinishAttachmentDeletionDeps } from "./finish-attachment-deletion.ts";

export interface FinishRunDeletionDeps extends FinishAttachmentDeletionDeps {
  readonly runs: Pick<RunStore, "findDeleted" | "listAttachmentIds" | "remove">;
  readonly files: Pick<FileStore, "attachmentKey" | "spillKey" | "put" | "get" | "remove">;
  readonly secrets: Pick<SecretStore, "remove">;
}

/**
 * Finishes a run's deletion: removes its attachments with their files, its heavy fields, its row, and its secret once
 * no other run of the same request uses it.
 *
 * Every step is idempotent and the row goes last, so an interrupted deletion can start from the top. If this stops
 * right after removing the row, the sweeper removes an unused secret.
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
  const isLastUse = await deps.runs.remove(organizationId, runId);
  if (isLastUse && run.secretName !== null) await deps.secrets.remove(run.secretName);
  return true;
}
