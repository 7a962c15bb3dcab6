import { exportsName } from "../../../vocabulary/placeholders.ts";
import type { InputFile } from "../../plan/run-files.ts";
import { failure } from "../../run/run-ending.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { ended, ends, next, type StepResult } from "../step/step-result.ts";
import { nextFile, serviceStep } from "./service-step.ts";

/** Existing files are replaced, pending uploads are awaited. Undefined means that all files are there. */
export async function putNextFile(invocation: Invocation, cursor: Cursor): Promise<StepResult | undefined> {
  const { inputs, exports } = invocation.plan.files;
  const { at } = cursor.files;
  if (exports !== null && at === 0) return await makeExports(invocation, cursor, exports);
  const file = inputs[exports === null ? at : at - 1];
  if (file === undefined) return undefined;
  const { path, key, filename } = file;
  if (await isAwaited(invocation, file)) return await awaitUpload(invocation, cursor);
  return await serviceStep(invocation, cursor, {
    action: { type: "write_file", path },
    work: async (actionId) => await invocation.desktop.putFile({ path, key }, actionId),
    follow: (error) =>
      error === undefined
        ? nextFile(cursor, { put: cursor.files.put + 1 })
        : ends(cursor, failure("file_failed", `the file ${filename} could not be put at ${path}: ${error}`)),
  });
}

const uploadPauseSeconds = 5;

async function isAwaited({ deps }: Invocation, { key, awaitedUntilMs }: InputFile): Promise<boolean> {
  return deps.clock.now() < awaitedUntilMs && (await deps.files.size(key)) === undefined;
}

async function awaitUpload({ deps, job }: Invocation, cursor: Cursor): Promise<StepResult> {
  const { execution } = await deps.executions.readState(job);
  return execution === undefined ? ended : next(cursor, uploadPauseSeconds);
}

/** Later texts can name the folder by the desktop's own path, because they may be typed into a program. */
async function makeExports(invocation: Invocation, cursor: Cursor, path: string): Promise<StepResult> {
  return await serviceStep(invocation, cursor, {
    action: { type: "make_folder", path },
    work: async (actionId) => await invocation.desktop.makeFolder(path, actionId),
    saved: (whole) => ({ name: exportsName, value: whole }),
    follow: (error) => {
      if (error === undefined) return nextFile(cursor);
      const words = `the folder for the run's exports could not be made at ${path}: ${error}`;
      return ends(cursor, failure("file_failed", words));
    },
  });
}
