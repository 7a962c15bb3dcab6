import { dayMs } from "../../../vocabulary/time.ts";
import { notInFileNames } from "../../../vocabulary/unprintable.ts";
import { isoTimestamp } from "../../clock.ts";
import { deriveId } from "../../derive-id.ts";
import type { Acted, ListedFile, Slow } from "../../desktop/desktop.ts";
import type { JsonObject } from "../../json.ts";
import { failure, type RunEnding } from "../../run/run-ending.ts";
import type { Cursor, ExecutionJob } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { ends, type StepResult } from "../step/step-result.ts";
import { nextFile, type ServiceStep, serviceStep } from "./service-step.ts";

const exportedMax = 20;
const unfit = () => new RegExp(`[${notInFileNames}]`, "gu");
const exportedBytesMax = 104_857_600;

const listName = "exports/taken";

interface TakenList extends JsonObject {
  readonly names: readonly string[];
  readonly isWhole: boolean;
}

export async function takeNextFile(
  invocation: Invocation,
  cursor: Cursor,
  end: RunEnding,
): Promise<StepResult> {
  const { exports } = invocation.plan.files;
  const { at, taken } = cursor.files;
  const name = at === 0 ? undefined : takenList(invocation).names[at - 1];
  if (exports === null || (at > 0 && name === undefined)) return ends(cursor, end);
  const path = name === undefined ? exports : `${exports}/${name}`;
  const todo: Omit<ServiceStep, "follow"> =
    name === undefined
      ? {
          action: { type: "list_files", path },
          work: async () => await listExports(invocation, path),
          saved: savedList,
        }
      : {
          action: { type: "read_file", path },
          work: async (actionId) => await takeFile(invocation, { path, name, at: taken, actionId }),
        };
  return await serviceStep(invocation, cursor, {
    ...todo,
    follow: async (error) => {
      if (error === undefined) return nextFile(cursor, name === undefined ? {} : { taken: taken + 1 });
      const words = `the exported ${await invocation.withoutSecrets(path)} could not be fetched: ${error}`;
      return ends(cursor, failure("file_failed", words));
    },
  });
}

function savedList(text: string) {
  return { name: listName, value: JSON.parse(text) as TakenList };
}

export function takenList({ saved }: Invocation): TakenList {
  return (saved.get(listName) as TakenList | undefined) ?? { names: [], isWhole: false };
}

async function listExports({ desktop }: Invocation, path: string): Promise<Acted> {
  const listed = await desktop.listFiles(path);
  if (listed.kind !== "files") return listed;
  const shown = listed.files
    .filter(({ name }) => !name.startsWith("."))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const fit = shown.filter((file) => reasonToLeave(file) === undefined);
  const names = fit.slice(0, exportedMax).map(({ name }) => name);
  const leftOut = shown.filter(({ name }) => !names.includes(name));
  const list: TakenList = { names, isWhole: leftOut.length === 0 };
  return { kind: "done", text: JSON.stringify(list), ...(leftOut.length > 0 && { note: noteOf(leftOut) }) };
}

function reasonToLeave({ isFolder, sizeBytes }: ListedFile): string | undefined {
  if (isFolder) return "a folder";
  return sizeBytes > exportedBytesMax ? "larger than 100 MB" : undefined;
}

const noteCharactersMax = 2_000;

function noteOf(leftOut: readonly ListedFile[]): string {
  const named = leftOut.map(
    (file) => `${file.name} (${reasonToLeave(file) ?? `more than ${exportedMax} files`})`,
  );
  return `left on the desktop: ${named.join(", ")}`.slice(0, noteCharactersMax);
}

interface TakenFile {
  readonly path: string;
  readonly name: string;
  readonly at: number;
  readonly actionId: string;
}

/** The attachment's id derives from its place, so that a repetition creates no second one. */
async function takeFile(
  invocation: Invocation,
  { path, name, at, actionId }: TakenFile,
): Promise<Acted | Slow> {
  const { deps, job, plan, desktop } = invocation;
  const { organizationId, runId } = job;
  const id = outputId(job, at);
  const key = deps.files.attachmentKey(organizationId, runId, id);
  const taken = await desktop.takeFile({ path, key }, actionId);
  if (taken.kind !== "taken") return taken;
  // The sweeper removes an object that no attachment names.
  if (taken.sizeBytes > exportedBytesMax) return { kind: "failed", error: "it has more than 100 MB" };
  if ((await deps.attachments.find(organizationId, id)) !== undefined) return { kind: "done" };
  const nowMs = deps.clock.now();
  const createdAt = isoTimestamp(nowMs);
  const outcome = await deps.attachments.create({
    id,
    organizationId,
    runId,
    userId: plan.files.userId,
    type: "output",
    revision: 1,
    // Systems differ in what a name may hold; an attachment's has to fit all.
    filename: (await invocation.withoutSecrets(name)).replaceAll(unfit(), "_"),
    contentType: "application/octet-stream",
    sizeBytes: taken.sizeBytes,
    targetPath: null,
    cleanupImportsAfterRun: false,
    expiresAt: isoTimestamp(nowMs + deps.attachmentDays * dayMs),
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
  });
  return outcome.kind === "created"
    ? { kind: "done" }
    : { kind: "failed", error: "the run was deleted meanwhile" };
}

export function outputIds(job: ExecutionJob, { files }: Cursor): readonly string[] {
  return Array.from({ length: files.taken }, (_, at) => outputId(job, at));
}

function outputId({ assignmentId }: Pick<ExecutionJob, "assignmentId">, at: number): string {
  return deriveId(assignmentId, at + 1);
}
