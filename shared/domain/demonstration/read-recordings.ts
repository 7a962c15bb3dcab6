import { type Caller, requireScope } from "../access/caller.ts";
import { downloadFile, type FileDownload } from "../download-file.ts";
import { DomainError } from "../errors.ts";
import type { FileStore } from "../file-store.ts";
import type { Page, PageRequest } from "../page.ts";
import type { RunStep } from "../run-step/run-step.ts";
import type { RecordingNamed } from "./change-recording.ts";
import type { Recording } from "./recording.ts";
import { requireRecording } from "./recording-deps.ts";
import type { RecordingFilter, RecordingStore } from "./recording-store.ts";

interface ReadDeps {
  readonly recordings: Pick<RecordingStore, "find" | "list" | "listSteps" | "findStep">;
}

/** @throws {DomainError} `insufficient_scope` or `search_too_broad`. */
export async function listRecordings(
  { recordings }: ReadDeps,
  caller: Caller,
  { filter, page }: { readonly filter: RecordingFilter; readonly page: PageRequest },
): Promise<Page<Recording>> {
  requireScope(caller, "read");
  return await recordings.list(caller.organizationId, filter, page);
}

/** @throws {DomainError} `insufficient_scope` or `not_found`. */
export async function getRecording(
  deps: ReadDeps,
  caller: Caller,
  { recordingId }: RecordingNamed,
): Promise<Recording> {
  requireScope(caller, "read");
  return await requireRecording(deps, caller, recordingId);
}

/** Lists oldest first. @throws {DomainError} `insufficient_scope` or `not_found`. */
export async function listRecordedSteps(
  deps: ReadDeps,
  caller: Caller,
  { recordingId, page }: RecordingNamed & { readonly page: PageRequest },
): Promise<Page<RunStep>> {
  const { organizationId, id } = await getRecording(deps, caller, { recordingId });
  return await deps.recordings.listSteps(organizationId, id, page);
}

/** @throws {DomainError} `insufficient_scope`, or `not_found` that names what is missing. */
export async function getRecordedScreenshot(
  deps: ReadDeps & { readonly files: Pick<FileStore, "size" | "get" | "presignGet"> },
  caller: Caller,
  { recordingId, index }: RecordingNamed & { readonly index: number },
): Promise<FileDownload> {
  const { organizationId, id } = await getRecording(deps, caller, { recordingId });
  const step = await deps.recordings.findStep(organizationId, id, index);
  const key = step?.pictureKey ?? undefined;
  const download = key === undefined ? undefined : await downloadFile(deps.files, key);
  if (download !== undefined) return download;
  const why =
    step === undefined
      ? `the recording has no step ${index}`
      : key === undefined
        ? `step ${index} has no screenshot: the desktop gave none`
        : `the screenshot of step ${index} has expired`;
  throw new DomainError("not_found", why);
}
