import type { Caller } from "../access/caller.ts";
import type { PresignedRequest } from "../file-store.ts";
import type { ComputerDeps } from "./computer-deps.ts";
import { getDesktop } from "./get-desktop.ts";
import { fileLinkSeconds } from "./read-file.ts";

/** An upload, recorded under an Idempotency-Key; its link is created at each call. */
export interface Upload {
  readonly uploadId: string;
  readonly sizeBytes: number;
}

/** A place in the bucket for a client's file in transit to a desktop; kept for a day. */
export async function createUpload(
  deps: ComputerDeps,
  caller: Caller,
  input: { readonly machineId: string; readonly sizeBytes: number; readonly uploadId?: string },
): Promise<Upload> {
  await getDesktop(deps, caller, input.machineId, "act");
  return { uploadId: input.uploadId ?? deps.ids.uuid7(), sizeBytes: input.sizeBytes };
}

export function presignUpload(
  deps: Pick<ComputerDeps, "files">,
  caller: Caller,
  upload: Upload,
): Promise<PresignedRequest> {
  return deps.files.presignPut(deps.files.uploadKey(caller.organizationId, upload.uploadId), {
    contentLength: upload.sizeBytes,
    expiresInSeconds: fileLinkSeconds,
  });
}
