import type { Idempotency } from "../idempotency/idempotency.ts";
import { withLease } from "../idempotency/with-lease.ts";
import type { Json } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";
import { removeSpilled, type Spilled, spill } from "../spill.ts";
import type { Run } from "./run.ts";
import { type RunChange, type RunExpectation, refusalOf } from "./run-change.ts";
import { type RunDeps, runNotFound } from "./run-deps.ts";
import type { HeavyField, UpdateRunOutcome } from "./run-store.ts";
import { requireUpdatedRun } from "./update-outcome.ts";

interface Target {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  readonly expected: RunExpectation;
}

const attributeNames: Readonly<Record<HeavyField, string>> = {
  outputData: "output_data",
  runMessageHistory: "run_message_history",
};

/** Reads of a run before the caller has to retry. */
const attemptsMax = 4;

/**
 * Changes a run together with its heavy fields: writes the new objects, then the run that names them, then removes the
 * old ones. A crash anywhere leaves an unnamed object, never a dangling name.
 *
 * @throws {DomainError} as `updateRun`.
 * @throws {AlreadyOnRecord}
 */
export async function replaceHeavyFields(
  deps: RunDeps,
  target: Target,
  change: RunChange,
  values: Partial<Readonly<Record<HeavyField, Json>>>,
  idempotency: Idempotency | undefined,
): Promise<Run> {
  // Leased before an object is written, so that a retry writes the same ones.
  return await withLease(deps, idempotency, async (leased) => {
    const { organizationId, runId, expected } = target;
    let before = await deps.runs.find(organizationId, runId);
    if (before === undefined) throw runNotFound(runId);
    const refused = refusalOf(before, change, expected);
    if (refused) return requireUpdatedRun(runId, refused);
    const fields = await spillAll(deps, target, values, leased);
    let outcome: UpdateRunOutcome = { kind: "changed" };
    for (let attempt = 0; attempt < attemptsMax && outcome.kind === "changed"; attempt += 1) {
      before = attempt === 0 ? before : await deps.runs.find(organizationId, runId);
      if (before === undefined) throw runNotFound(runId);
      const options = { ...expected, revision: before.revision, idempotency: leased };
      outcome = await deps.runs.update(organizationId, runId, { ...change, ...fields }, options);
    }
    const replaced = outcome.kind === "updated" ? before : { ...before, ...fields };
    await discard(
      deps,
      keysOf(values).map((field) => replaced[field]),
      outcome.kind === "updated" ? fields : {},
    );
    return requireUpdatedRun(runId, outcome);
  });
}

function keysOf(values: Partial<Readonly<Record<HeavyField, Json>>>): readonly HeavyField[] {
  return (["outputData", "runMessageHistory"] as const).filter((field) => values[field] !== undefined);
}

async function spillAll(
  deps: RunDeps,
  { organizationId, runId }: Target,
  values: Partial<Readonly<Record<HeavyField, Json>>>,
  leased: Idempotency | undefined,
): Promise<Partial<Record<HeavyField, Spilled | null>>> {
  const fields: Partial<Record<HeavyField, Spilled | null>> = {};
  for (const field of keysOf(values)) {
    const value = values[field] ?? null;
    const objectId = leased?.ids[1] ?? deps.ids.uuid7();
    const place = { organizationId, kind: "run", id: runId, field: attributeNames[field], objectId };
    fields[field] = value === null ? null : await spill(deps, place, value);
  }
  return fields;
}

/** Failures are tolerated: an old object that remains is unnamed. */
async function discard(
  deps: RunDeps,
  old: readonly (Spilled | null)[],
  kept: Partial<Record<HeavyField, Spilled | null>>,
): Promise<void> {
  const keptKeys = Object.values(kept).map((field) => field?.kind === "object" && field.key);
  try {
    await removeSpilled(
      deps,
      old.filter((field) => field?.kind === "object" && !keptKeys.includes(field.key)),
    );
  } catch (cause) {
    deps.logger.warn("an object that nothing names is left to the sweeper", { cause });
  }
}
