import { forEachBounded } from "../bounded-parallel.ts";
import type { ExecutionStore } from "../execution/execution-store.ts";
import type { FileStore, ListedObjects } from "../file-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { RunStore } from "../run/run-store.ts";
import { removeSpilled } from "../spill.ts";
import { endAttachment, type FinishAttachmentDeletionDeps } from "./finish-attachment-deletion.ts";
import { finishDeletionOf } from "./finish-deletion.ts";

export interface FinishRunDeletionDeps extends FinishAttachmentDeletionDeps {
  readonly runs: Pick<RunStore, "findDeleted" | "listAttachmentIds" | "remove">;
  readonly executions: Pick<ExecutionStore, "removeAll">;
  readonly files: Pick<
    FileStore,
    "attachmentKey" | "spillKey" | "stepPrefix" | "put" | "get" | "remove" | "list"
  >;
}

export async function finishRunDeletion(
  deps: FinishRunDeletionDeps,
  organizationId: OrganizationId,
  runId: string,
): Promise<boolean> {
  return await finishDeletionOf(deps.runs, organizationId, runId, async (run) => {
    const attachmentIds = await deps.runs.listAttachmentIds(organizationId, runId);
    await forEachBounded(attachmentIds, (id) => endAttachment(deps, organizationId, id));
    await removeStepFiles(deps, organizationId, runId);
    await deps.executions.removeAll(organizationId, runId);
    await removeSpilled(deps, [run.outputData, run.runMessageHistory, run.overrides.mainPrompt]);
  });
}

/** An interrupted execution has left files that no row names, so they are listed. */
export async function removeStepFiles(
  { files }: { readonly files: Pick<FileStore, "stepPrefix" | "list" | "remove"> },
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
