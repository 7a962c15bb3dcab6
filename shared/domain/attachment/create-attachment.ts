import { dayMs } from "../../vocabulary/time.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { PresignedRequest } from "../file-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { withLease } from "../idempotency/with-lease.ts";
import type { Attachment } from "./attachment.ts";
import type { AttachmentDeps } from "./attachment-deps.ts";
import { inputsMax, type RefusedAttachment } from "./attachment-store.ts";

export interface CreateAttachmentInput
  extends Pick<
    Attachment,
    "runId" | "type" | "filename" | "contentType" | "targetPath" | "cleanupImportsAfterRun"
  > {
  /** The content, or the size of an upload. */
  readonly file: Uint8Array | Pick<Attachment, "sizeBytes">;
  /** Null means never; undefined means the deployment's lifetime of attachments. */
  readonly expiresAt: string | null | undefined;
}

/** A run whose file is still to be uploaded waits this long for it. */
export const uploadSeconds = 900;

/** A repeat under the same Idempotency-Key gets a fresh link for a day. */
const uploadDueMs = dayMs + uploadSeconds * 1_000;

/** Writes the content first. @throws {DomainError} `not_found` for the run, `run_already_running` or `limit_reached` */
export async function createAttachment(
  deps: AttachmentDeps & { readonly attachmentDays: number },
  caller: Caller,
  input: CreateAttachmentInput,
  idempotency?: Idempotency,
): Promise<Attachment> {
  requireScope(caller, "write");
  const { file, expiresAt, ...fields } = input;
  const content = file instanceof Uint8Array ? file : undefined;
  const { organizationId, userId } = caller;
  const make = async (leased: Idempotency | undefined): Promise<Attachment> => {
    const nowMs = deps.clock.now();
    const createdAt = isoTimestamp(nowMs);
    const attachment: Attachment = {
      ...fields,
      id: leased?.ids[0] ?? deps.ids.uuid7(),
      organizationId,
      userId,
      sizeBytes: file instanceof Uint8Array ? file.byteLength : file.sizeBytes,
      expiresAt: expiresAt === undefined ? isoTimestamp(nowMs + deps.attachmentDays * dayMs) : expiresAt,
      createdAt,
      updatedAt: createdAt,
      deletedAt: null,
      revision: 1,
    };
    const key = deps.files.attachmentKey(organizationId, attachment.runId, attachment.id);
    if (content !== undefined) await deps.files.put(key, content, attachment.contentType);
    const uploadDueAtMs = content === undefined ? nowMs + uploadDueMs : undefined;
    const outcome = await deps.attachments.create(attachment, leased, uploadDueAtMs);
    if (outcome.kind === "created") return attachment;
    if (content !== undefined) await deps.files.remove(key);
    throw attachmentError(outcome.kind, attachment.runId);
  };
  // The lease precedes the file, so that a retry writes it to the same place.
  return content === undefined ? await make(idempotency) : await withLease(deps, idempotency, make);
}

function attachmentError(kind: RefusedAttachment["kind"], runId: string): DomainError {
  const details = { run_id: runId };
  switch (kind) {
    case "run_not_found":
      return new DomainError("not_found", `there is no run ${runId}`, { details });
    case "run_under_way": {
      const error = `the run ${runId} is running: its input files are those that it had before`;
      return new DomainError("run_already_running", error, { details });
    }
    case "too_many_inputs":
      return new DomainError("limit_reached", `a run has at most ${inputsMax} input files`, { details });
  }
}

/** The link is created at each call, and never stored. */
export async function presignAttachmentUpload(
  deps: Pick<AttachmentDeps, "files">,
  attachment: Attachment,
): Promise<PresignedRequest> {
  const { organizationId, runId, id, sizeBytes } = attachment;
  return await deps.files.presignPut(deps.files.attachmentKey(organizationId, runId, id), {
    expiresInSeconds: uploadSeconds,
    contentLength: sizeBytes,
  });
}
