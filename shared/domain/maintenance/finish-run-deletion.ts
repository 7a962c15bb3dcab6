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
 * Does what a run's deletion left for later: its attachments with their files, its heavy fields, its row, and its
 * secret once no other run of the same request uses it.
 *
 * Every step can be done again, and until the row goes whoever finds it can begin from the top. A secret whose last
 * use went with the row is the sweeper's should this end right there.
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
