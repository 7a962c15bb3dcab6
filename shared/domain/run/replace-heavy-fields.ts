import { required } from "../entity/not-found.ts";
import { ChangedTooOften } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { withLease } from "../idempotency/with-lease.ts";
import type { Json } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";
import { removeSpilled, type Spilled, spill } from "../spill.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { Run } from "./run.ts";
import { type RunChange, type RunExpectation, refusalOf } from "./run-change.ts";
import type { RunDeps } from "./run-deps.ts";
import { type HeavyField, heavyFields } from "./run-store.ts";
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

/**
 * The new objects are written first and the old ones removed last, so that a crash leaves no dangling name.
 * @throws {DomainError} as `updateRun`. @throws {AlreadyOnRecord}
 */
export async function replaceHeavyFields(
  deps: RunDeps,
  target: Target,
  change: RunChange,
  values: Partial<Readonly<Record<HeavyField, Json>>>,
  idempotency: Idempotency | undefined,
): Promise<Run> {
  // The lease comes before the object, so that a retry writes the same one.
  return await withLease(deps, idempotency, async (leased) => {
    const { organizationId, runId, expected } = target;
    const find = async () => required(await deps.runs.find(organizationId, runId), "run", runId);
    const first = await find();
    const refused = refusalOf(first, change, expected);
    if (refused) return requireUpdatedRun(runId, refused);
    const fields = await spillAll(deps, target, values, leased);
    const discardNew = () => discard(deps, Object.values(fields), {});
    return await untilWritten(deps, {
      what: "the run",
      first,
      read: find,
      decide: async (before) => {
        const options = { ...expected, revision: before.revision, idempotency: leased };
        const outcome = await deps.runs.update(organizationId, runId, { ...change, ...fields }, options);
        if (outcome.kind === "changed") return overtaken;
        if (outcome.kind === "updated") {
          const replaced = keysOf(values).map((field) => before[field]);
          await discard(deps, replaced, fields);
        } else await discardNew();
        return requireUpdatedRun(runId, outcome);
      },
    }).catch(async (error: unknown) => {
      if (error instanceof ChangedTooOften) await discardNew();
      throw error;
    });
  });
}

function keysOf(values: Partial<Readonly<Record<HeavyField, Json>>>): readonly HeavyField[] {
  return heavyFields.filter((field) => values[field] !== undefined);
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

/** Failures are tolerated, because an old object that remains is unnamed. */
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
