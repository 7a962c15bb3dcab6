import { deriveId } from "../../../shared/domain/derive-id.ts";
import { attachmentWrites } from "../../../shared/storage/attachment/attachment-item.ts";
import { runKey } from "../../../shared/storage/table/keys.ts";
import { anAttachment } from "../builders/entities.ts";
import type { ExecutionWorld } from "./execution-world.ts";

export interface GivenFile {
  readonly filename: string;
  readonly content: string;
  readonly targetPath?: string;
  readonly isRemoved?: boolean;
}

export async function giveFiles(
  { stores, run, organizationId }: ExecutionWorld,
  given: readonly GivenFile[],
): Promise<readonly string[]> {
  const ids = given.map((_, at) => deriveId(run.id, at + 1));
  for (const [at, { filename, content, targetPath = null, isRemoved = false }] of given.entries()) {
    const attachment = anAttachment({
      organizationId,
      runId: run.id,
      id: ids[at] ?? "",
      filename,
      targetPath,
      type: "input",
      cleanupImportsAfterRun: isRemoved,
    });
    // The run is running already, so the rows are written past the store.
    await stores.table.transact({ attachment: attachmentWrites(attachment) });
    const key = stores.files.attachmentKey(organizationId, run.id, attachment.id);
    await stores.files.put(key, new TextEncoder().encode(content), attachment.contentType);
  }
  await stores.table.update(runKey(organizationId, run.id), { set: { input_attachment_ids: ids } });
  return ids;
}
