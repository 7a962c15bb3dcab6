import type { RunField } from "../../shared/contract/run/run.ts";
import { mapBounded } from "../../shared/domain/bounded-parallel.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import type { HeavyField } from "../../shared/domain/run/run-store.ts";
import { bytesInBucket, type UnspillDeps } from "../../shared/domain/spill.ts";
import { responseBytesMax, responseTooLarge } from "../../shared/http/bounded-response.ts";
import type { HeavyValues, ListedRun } from "../../shared/present/present-run.ts";
import { readHeavy } from "../../shared/present/read-beside-run.ts";

/** @throws {DomainError} `answer_too_large` before it reads values that would not fit the response. */
export async function readHeavyOfAll(
  deps: UnspillDeps,
  given: readonly Run[],
  fields: readonly RunField[],
): Promise<readonly HeavyValues[]> {
  // The rows have the prompts, or name their objects, whatever the fields are.
  const runs = fields.includes("main_prompt") ? given : given.map(withoutPrompt);
  const bytes = bytesInBucket(
    runs.flatMap((run) => [run.overrides.mainPrompt, run.outputData, run.runMessageHistory]),
  );
  if (bytes > responseBytesMax) throw responseTooLarge(bytes);
  return await mapBounded(runs, (run) => readHeavy(deps, run));
}

function withoutPrompt(run: Run): Run {
  return { ...run, overrides: { ...run.overrides, mainPrompt: null } };
}

const listedBytesMax = 2_097_152;

/** Omits outputs that are not in their rows, or do not fit. */
export function listedOutputs(runs: readonly Run[]): readonly ListedRun[] {
  let left = listedBytesMax;
  return runs.map((run) => {
    const { outputData: output } = run;
    if (output === null) return { run, outputData: null, isOmitted: false };
    if (output.kind === "inline") left -= Buffer.byteLength(JSON.stringify(output.value));
    if (output.kind === "object" || left < 0) return { run, outputData: null, isOmitted: true };
    return { run, outputData: output.value, isOmitted: false };
  });
}

/** A list request that names no fields returns the outputs. */
export function heavyFields(fields: readonly RunField[] = ["output_data"]): readonly HeavyField[] {
  return [
    ...(fields.includes("output_data") ? (["outputData"] as const) : []),
    ...(fields.includes("run_message_history") ? (["runMessageHistory"] as const) : []),
  ];
}
