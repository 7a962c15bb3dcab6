import type { AttachmentStore } from "../attachment/attachment-store.ts";
import { isoTimestamp } from "../clock.ts";
import { removeSpilled } from "../spill.ts";
import type { Run } from "./run.ts";
import type { RunDeps } from "./run-deps.ts";

export interface DiscardDeps extends Pick<RunDeps, "files" | "clock" | "logger"> {
  readonly attachments: Pick<AttachmentStore, "find" | "markDeleted">;
}

/** Failures are tolerated: a leftover attachment goes with its run, an object is unnamed. */
export async function discardReplaced(deps: DiscardDeps, before: Run, run: Run): Promise<void> {
  const gone = before.inputAttachmentIds.filter((id) => !run.inputAttachmentIds.includes(id));
  try {
    for (const id of gone) await deleteOwn(deps, before, id);
    await removeSpilled(deps, [before.outputData, before.runMessageHistory]);
  } catch (cause) {
    deps.logger.warn("data that a retried run no longer names was not removed", { cause });
  }
}

/** A chain's files belong to its first run; the others only name them. */
async function deleteOwn({ attachments, clock }: DiscardDeps, run: Run, id: string): Promise<void> {
  const attachment = await attachments.find(run.organizationId, id);
  if (attachment?.runId !== run.id) return;
  await attachments.markDeleted(run.organizationId, id, isoTimestamp(clock.now()));
}
