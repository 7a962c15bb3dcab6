import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Json } from "../json.ts";
import { replaceHeavyFields } from "./replace-heavy-fields.ts";
import type { Run } from "./run.ts";
import type { RunChange, RunExpectation } from "./run-change.ts";
import type { RunDeps } from "./run-deps.ts";
import { isTerminal } from "./run-status.ts";
import type { HeavyField } from "./run-store.ts";
import { illegalTransition, requireUpdatedRun } from "./update-outcome.ts";

export interface UpdateRunInput extends Omit<RunChange, HeavyField> {
  readonly runId: string;
  readonly assignmentId?: string;
  /** Null clears the field. */
  readonly outputData?: Json;
  readonly runMessageHistory?: Json;
}

/**
 * A worker's key may change a run only while it is running, under its assignment; a user's key may cancel one, or change
 * its metadata alone, without it. Makes one conditional write; output, message history and metadata take one read before.
 * @throws {DomainError} `insufficient_scope`, `not_found`, `illegal_transition`, `assignment_mismatch` or `conflict`.
 * @throws {AlreadyOnRecord}
 */
export async function updateRun(
  deps: RunDeps,
  caller: Caller,
  input: UpdateRunInput,
  idempotency?: Idempotency,
): Promise<Run> {
  requireScope(caller, "write", "worker");
  const isUser = caller.scopes.includes("write");
  const { runId, assignmentId, outputData, runMessageHistory, ...fields } = input;
  const { organizationId } = caller;
  if (fields.status === "running" || fields.status === "scheduling") {
    const run = await deps.runs.find(organizationId, runId);
    throw run === undefined ? notFound("run", runId) : illegalTransition(run);
  }
  const ends = fields.status !== undefined && isTerminal(fields.status) && fields.endedAt === undefined;
  const change: RunChange = { ...fields, ...(ends && { endedAt: isoTimestamp(deps.clock.now()) }) };
  const expected: RunExpectation = {
    assignmentId,
    mustRun: !isUser,
    ofAnyAssignment: isUser && assignmentId === undefined && isUsers(input),
  };
  if (outputData === undefined && runMessageHistory === undefined) {
    const outcome = await deps.runs.update(organizationId, runId, change, { ...expected, idempotency });
    return requireUpdatedRun(runId, outcome);
  }
  const heavy = {
    ...(outputData === undefined ? {} : { outputData }),
    ...(runMessageHistory === undefined ? {} : { runMessageHistory }),
  };
  const target = { organizationId, runId, expected };
  return await replaceHeavyFields(deps, target, change, heavy, idempotency);
}

/** A user needs no proof of an assignment for what no worker reports. */
function isUsers({ runId: _, metadata, ...reported }: UpdateRunInput): boolean {
  if (reported.status === "cancelled") return true;
  return metadata !== undefined && Object.values(reported).every((value) => value === undefined);
}
