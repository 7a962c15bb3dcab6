import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type LeaseDeps, withLease } from "../idempotency/with-lease.ts";
import { InvalidInput } from "../invalid-input.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { InputFile } from "../run/create/input-files.ts";
import { removeSpilled, type SpillDeps, spill, type UnspillDeps, unspill } from "../spill.ts";
import type { Schedule, ScheduleFile } from "./schedule.ts";

export interface KeepFilesDeps extends SpillDeps, LeaseDeps {
  readonly ids: { uuid7(): string };
}

type KeptFiles = Pick<Schedule, "files" | "contents">;

/** @param kept is undefined when no files are given, and those that are there stay. */
type WriteKept<Result> = (
  scheduleId: string,
  kept: KeptFiles | undefined,
  idempotency: Idempotency | undefined,
) => Promise<Result>;

/**
 * The lease makes a retry after a crash write the same object, which is written before the schedule names it. One that
 * `write` refuses is removed at once; after any other failure it may be named.
 */
export async function keepFiles<Result>(
  deps: KeepFilesDeps,
  place: { readonly organizationId: OrganizationId; readonly scheduleId?: string },
  files: readonly InputFile[] | undefined,
  idempotency: Idempotency | undefined,
  write: WriteKept<Result>,
): Promise<Result> {
  const idOf = (under: Idempotency | undefined) => place.scheduleId ?? under?.ids[0] ?? deps.ids.uuid7();
  if (files === undefined || files.length === 0) {
    return await write(idOf(idempotency), files && { files: [], contents: null }, idempotency);
  }
  return await withLease(deps, idempotency, async (leased) => {
    const id = idOf(leased);
    const { organizationId } = place;
    const objectId = leased?.ids[1] ?? deps.ids.uuid7();
    const contents = await spill(
      deps,
      { organizationId, kind: "schedule", id, field: "contents", objectId },
      files.map(({ content }) => Buffer.from(content).toString("base64")),
    );
    try {
      return await write(id, { files: files.map(described), contents }, leased);
    } catch (error) {
      if (isRefusal(error)) await dropContents(deps, contents);
      throw error;
    }
  });
}

function described({ content, ...file }: InputFile): ScheduleFile {
  return { ...file, sizeBytes: content.byteLength };
}

const refusals: ReadonlySet<ErrorCode> = new Set(["not_found", "limit_reached", "changed_meanwhile"]);

/** Nothing was written before these errors. */
function isRefusal(error: unknown): boolean {
  if (error instanceof InvalidInput) return true;
  return error instanceof DomainError && refusals.has(error.code);
}

/** Failures are tolerated, because an object that nothing names is left to the sweeper. */
export async function dropContents(deps: KeepFilesDeps, contents: Schedule["contents"]): Promise<void> {
  try {
    await removeSpilled(deps, [contents]);
  } catch (cause) {
    deps.logger.warn("an object that nothing names is left to the sweeper", { cause });
  }
}

/** Returns undefined when the contents have been replaced since the schedule was read. */
export async function readFiles(
  deps: UnspillDeps,
  { files, contents }: KeptFiles,
): Promise<readonly InputFile[] | undefined> {
  if (contents === null) return [];
  const texts = (await unspill(deps, contents)) as readonly string[] | null;
  return texts?.flatMap((text, index) => {
    const file = files[index];
    if (file === undefined) return [];
    const { filename, targetPath, cleanupImportsAfterRun } = file;
    return [{ filename, targetPath, cleanupImportsAfterRun, content: Buffer.from(text, "base64") }];
  });
}
