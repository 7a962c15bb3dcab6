import type { Attachment } from "../../attachment/attachment.ts";
import { deriveId } from "../../derive-id.ts";
import type { FileStore } from "../../file-store.ts";
import type { Logger } from "../../logger.ts";
import type { OrganizationId } from "../../organization-id.ts";

export interface InputFile {
  readonly filename: string;
  readonly content: Uint8Array;
  readonly targetPath: string | null;
  readonly cleanupImportsAfterRun: boolean;
}

export interface InputFileOwner {
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly runId: string;
  readonly createdAt: string;
  readonly firstId: string;
}

const contentType = "application/octet-stream";

export function inputAttachments(
  files: readonly InputFile[],
  { firstId, ...owner }: InputFileOwner,
): readonly Attachment[] {
  return files.map((file, index) => ({
    ...owner,
    id: deriveId(firstId, index),
    type: "input",
    filename: file.filename,
    contentType,
    sizeBytes: file.content.byteLength,
    targetPath: file.targetPath,
    cleanupImportsAfterRun: file.cleanupImportsAfterRun,
    expiresAt: null,
    updatedAt: owner.createdAt,
    deletedAt: null,
    revision: 1,
  }));
}

export async function putInputFiles(
  deps: { readonly files: Pick<FileStore, "attachmentKey" | "put"> },
  files: readonly InputFile[],
  attachments: readonly Attachment[],
): Promise<void> {
  await Promise.all(
    attachments.map(async ({ organizationId, runId, id }, index) => {
      const key = deps.files.attachmentKey(organizationId, runId, id);
      await deps.files.put(key, files[index]?.content ?? new Uint8Array(), contentType);
    }),
  );
}

export async function dropInputFiles(
  deps: { readonly files: Pick<FileStore, "attachmentKey" | "remove">; readonly logger: Logger },
  attachments: readonly Attachment[],
): Promise<void> {
  try {
    for (const { organizationId, runId, id } of attachments) {
      await deps.files.remove(deps.files.attachmentKey(organizationId, runId, id));
    }
  } catch (cause) {
    deps.logger.warn("a file that no attachment names is left to the sweeper", { cause });
  }
}
