import { transactionItemsMax } from "../../../vocabulary/table.ts";
import { type Caller, requireScope } from "../../access/caller.ts";
import { DomainError } from "../../errors.ts";
import type { Idempotency } from "../../idempotency/idempotency.ts";
import { type JsonObject, jsonBytes } from "../../json.ts";
import type { Metadata } from "../../metadata/metadata.ts";
import type { OrganizationId } from "../../organization-id.ts";
import { inlineBytesMax } from "../../spill.ts";
import { requireInputs } from "../inputs/require-inputs.ts";
import { dropOverrides, requireOverrides, withOverrides } from "../override-run.ts";
import type { Run } from "../run.ts";
import type { RunDeps } from "../run-deps.ts";
import { noOverrides } from "../run-overrides.ts";
import { bulkPart, type CreateRunsInput } from "./bulk-part.ts";
import { creationError } from "./creation-outcome.ts";
import { dropInputFiles, putInputFiles } from "./input-files.ts";
import { defaultSettings, type RunSettings } from "./new-run.ts";
import { newSecret } from "./new-secret.ts";
import { type ChosenSession, chooseSession } from "./run-session.ts";

export interface CreatedRuns {
  readonly common: Run;
  readonly runs: readonly Pick<Run, "id" | "inputAttachmentIds" | "releaseSessionAfter">[];
  readonly failedCount: number;
  readonly errors: readonly string[];
}

/** The response must be ready within the 29 s that a call may take. */
const beginningMs = 20_000;

interface Progress {
  /** Once a part may exist, the ids on record must be kept. */
  isUnderWay: boolean;
}

/**
 * The parts, each in one transaction, follow one another, because they write the same rows. Under an Idempotency-Key
 * each part leaves a mark, so that a retry creates only the missing parts. After a refused part the earlier ones stay.
 * @throws {InvalidInput} as `createRun`.
 * @throws {DomainError} as `createRun` when nothing could be created; `request_in_progress` when the time is over under
 * an Idempotency-Key, since the same request continues from there.
 * @throws {AlreadyOnRecord}
 */
export async function createRuns(
  deps: RunDeps,
  caller: Caller,
  input: CreateRunsInput,
  idempotency?: Idempotency,
): Promise<CreatedRuns> {
  requireScope(caller, "write");
  const leased = idempotency && (await deps.idempotencyRecords.lease(idempotency));
  const progress: Progress = { isUnderWay: leased?.repeat ?? false };
  try {
    return await makeParts(deps, caller, input, leased, progress);
  } catch (error) {
    await settle(deps, leased, progress);
    throw error;
  }
}

async function makeParts(
  deps: RunDeps,
  caller: Caller,
  input: CreateRunsInput,
  leased: Idempotency | undefined,
  progress: Progress,
): Promise<CreatedRuns> {
  const { organizationId } = caller;
  const [firstId, secretId, restId] = leased?.ids ?? [deps.ids.uuid7(), deps.ids.uuid7(), deps.ids.uuid7()];
  const { files = [], poolIds = [], inputValues = {}, sensitiveValues = {}, metadata = {}, count } = input;
  const { overrides = {} } = input;
  const beganAtMs = deps.clock.now();
  const chosen = await sessionOf(deps, organizationId, input, restId, leased);
  const settings =
    leased?.repeat === true
      ? await settingsOf(deps, organizationId, input.workflowId)
      : await requireInputs(deps, organizationId, { ...input, ...chosen });
  if (leased?.repeat !== true) await requireOverrides(deps, organizationId, overrides);
  const secret = newSecret(secretId, sensitiveValues);
  const sensitiveAliases = Object.keys(sensitiveValues);
  const required = 1 + poolIds.length + Number(chosen.machineId !== null) + Number(chosen.sessionId !== null);
  const attachments = files.length;
  const size = runsPerTransaction({ required, attachments, inputValues, sensitiveAliases, metadata });
  const plan = { caller, input, chosen, settings, secret, size, firstId, restId };
  const made: CreatedRuns["runs"][number][] = [];
  const errors: string[] = [];
  let common: Run | undefined;
  for (let number = 0; number * size < count; number += 1) {
    if (deps.clock.now() - beganAtMs > beginningMs) {
      const problem = `the time was over when ${made.length} of ${count} runs were made`;
      if (leased) throw new DomainError("request_in_progress", problem, { retryAfterSeconds: 1 });
      errors.push(problem);
      break;
    }
    const bare = bulkPart(plan, number);
    const runs = await Promise.all(bare.runs.map((run) => withOverrides(deps, run, overrides)));
    const part = { ...bare, runs };
    common ??= part.runs[0];
    await putInputFiles(
      deps,
      part.runs.flatMap(() => files),
      part.attachments,
    );
    const after = [...made, ...part.runs.map(ofItsOwn)];
    const isLast = after.length === count;
    const answer =
      isLast && leased
        ? { idempotency: leased, result: createdRuns(common, after, count, errors) }
        : undefined;
    const wasUnderWay = progress.isUnderWay;
    progress.isUnderWay = true;
    // The ids belong to this idempotency record alone, so that the mark cannot be another request's.
    const mark = leased && { idempotencyId: firstId, number };
    const outcome = await deps.runs.create({ ...part, part: mark }, answer);
    const refused = creationError(outcome);
    if (refused !== undefined) {
      await dropInputFiles(deps, part.attachments);
      await dropOverrides(deps, runs);
      progress.isUnderWay = wasUnderWay;
      if (made.length === 0) throw refused;
      errors.push(refused.message);
      break;
    }
    made.push(...part.runs.map(ofItsOwn));
    if (isLast && outcome.kind === "created") return createdRuns(common, made, count, errors);
  }
  const result = createdRuns(common, made, count, errors);
  if (leased) await deps.idempotencyRecords.complete(leased, result);
  return result;
}

/** The write reports a missing workflow. */
async function settingsOf(
  deps: RunDeps,
  organizationId: OrganizationId,
  workflowId: string,
): Promise<RunSettings> {
  const settings = await deps.inputSources.settings(organizationId, [workflowId]);
  return settings.get(workflowId) ?? defaultSettings;
}

/** In a retry, creating the missing parts shows that the session has ended. */
async function sessionOf(
  deps: RunDeps,
  organizationId: OrganizationId,
  input: CreateRunsInput,
  newId: string,
  leased: Idempotency | undefined,
): Promise<ChosenSession> {
  try {
    return await chooseSession(deps, organizationId, input, newId);
  } catch (error) {
    const isEnded = error instanceof DomainError && error.code === "session_ended";
    if (!leased?.repeat || !isEnded) throw error;
    return { sessionId: input.sessionId ?? null, session: undefined, machineId: input.machineId ?? null };
  }
}

function ofItsOwn({ id, inputAttachmentIds, releaseSessionAfter }: Run) {
  return { id, inputAttachmentIds, releaseSessionAfter };
}

function createdRuns(
  common: Run | undefined,
  runs: CreatedRuns["runs"],
  count: number,
  errors: readonly string[],
): CreatedRuns {
  if (common === undefined) throw new Error("a bulk makes at least one run");
  return {
    common: { ...common, overrides: noOverrides, inputValues: {}, sensitiveAliases: [], secretId: null },
    runs,
    failedCount: count - runs.length,
    errors,
  };
}

/** Once parts may exist, the ids stay on record, so that a retry continues with them. */
async function settle(deps: RunDeps, leased: Idempotency | undefined, progress: Progress): Promise<void> {
  try {
    if (leased)
      await (progress.isUnderWay
        ? deps.idempotencyRecords.suspend(leased)
        : deps.idempotencyRecords.release(leased));
  } catch (cause) {
    deps.logger.warn("a lease was not released; it expires by itself", { cause });
  }
}

/** A transaction takes 4 MB; the rest is ample for the runs' other fields. */
const inputBytesMax = 3_145_728;

/** The largest size of 20 pools, 20 files, names, and an inline prompt. */
const otherBytes = 6_144 + inlineBytesMax;

/** A run, and its place in a queue; with metadata its row in the index, too. */
const itemsPerRun = 2;

/** An attachment, and its row beside the run. */
const itemsPerAttachment = 2;

/** Idempotency record, mark, session and its place, pool set, two counters, uses of a secret, and two to spare. */
const itemsBeside = 10;

function runsPerTransaction(each: {
  readonly required: number;
  readonly attachments: number;
  readonly inputValues: JsonObject;
  readonly sensitiveAliases: readonly string[];
  readonly metadata: Metadata;
}): number {
  const { required, attachments, inputValues, sensitiveAliases, metadata } = each;
  const free = transactionItemsMax - itemsBeside - required;
  const rows = Object.keys(metadata).length > 0 ? 1 : 0;
  const byItems = Math.floor(free / (itemsPerRun + rows + attachments * itemsPerAttachment));
  const bytes = [inputValues, sensitiveAliases, metadata].map(jsonBytes).reduce((a, b) => a + b, otherBytes);
  return Math.max(1, Math.min(byItems, Math.floor(inputBytesMax / bytes)));
}
