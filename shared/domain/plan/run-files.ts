import { type Attachment, isVisible } from "../attachment/attachment.ts";
import type { AttachmentStore } from "../attachment/attachment-store.ts";
import { uploadSeconds } from "../attachment/create-attachment.ts";
import type { Clock } from "../clock.ts";
import type { FileStore } from "../file-store.ts";
import { transfersFolder } from "../placeholder/transfer-path.ts";
import type { Run } from "../run/run.ts";
import type { Workflow } from "../workflow/workflow.ts";

export interface RunFiles {
  readonly userId: string;
  readonly inputs: readonly InputFile[];
  /** The run's own folder for exports; null for a workflow without them. */
  readonly exports: string | null;
}

export interface InputFile {
  readonly filename: string;
  readonly key: string;
  readonly path: string;
  readonly isRemoved: boolean;
  readonly awaitedUntilMs: number;
}

export type PlannedFiles =
  | { readonly kind: "files"; readonly files: RunFiles }
  | { readonly kind: "gone"; readonly error: string };

export interface PlanFilesDeps {
  readonly attachments: Pick<AttachmentStore, "find">;
  readonly files: Pick<FileStore, "attachmentKey">;
  readonly clock: Pick<Clock, "now">;
}

/** A chain's steps name the files of its first one. */
export async function planFiles(
  { attachments, files, clock }: PlanFilesDeps,
  { organizationId, id, attempt, userId, inputAttachmentIds }: Run,
  { includesFileExports }: Workflow,
): Promise<PlannedFiles> {
  const found = await Promise.all(
    inputAttachmentIds.map(async (one) => await attachments.find(organizationId, one)),
  );
  const inputs: InputFile[] = [];
  for (const [at, attachment] of found.entries()) {
    if (attachment === undefined || !isVisible(attachment, clock.now())) {
      return { kind: "gone", error: `the input file ${inputAttachmentIds[at]} is not there any more` };
    }
    const { filename, runId, cleanupImportsAfterRun: isRemoved, createdAt } = attachment;
    const awaitedUntilMs = Date.parse(createdAt) + uploadSeconds * 1_000;
    const key = files.attachmentKey(organizationId, runId, attachment.id);
    inputs.push({ filename, key, path: pathOf(attachment), isRemoved, awaitedUntilMs });
  }
  const exports = includesFileExports ? `${transfersFolder}/exports-${id}-${attempt}` : null;
  return { kind: "files", files: { userId, inputs, exports } };
}

/** A target that ends with a slash is a folder. */
function pathOf({ targetPath, filename }: Attachment): string {
  if (targetPath === null) return `${transfersFolder}/${filename}`;
  return /[\\/]$/.test(targetPath) ? targetPath + filename : targetPath;
}

export function stepsBeforeActions({ inputs, exports }: RunFiles): number {
  return inputs.length + (exports === null ? 0 : 1);
}
