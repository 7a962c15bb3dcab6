import { type Caller, requireScope } from "../../access/caller.ts";
import type { AttachmentStore } from "../../attachment/attachment-store.ts";
import { isoTimestamp } from "../../clock.ts";
import { deriveId } from "../../derive-id.ts";
import { required } from "../../entity/not-found.ts";
import { ChangedTooOften, DomainError } from "../../errors.ts";
import type { Idempotency } from "../../idempotency/idempotency.ts";
import { withLease } from "../../idempotency/with-lease.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { SecretValues } from "../../secret-store.ts";
import { removeSpilled } from "../../spill.ts";
import { overtaken, untilWritten } from "../../until-written.ts";
import type { CreateRunInput } from "../create/create-run.ts";
import { creationError } from "../create/creation-outcome.ts";
import { dropInputFiles, inputAttachments, putInputFiles } from "../create/input-files.ts";
import { scheduled } from "../create/new-run.ts";
import { newSecret, sensitiveFields } from "../create/new-secret.ts";
import { chooseSession } from "../create/run-session.ts";
import { secretsGone } from "../inputs/get-run-inputs.ts";
import { requireInputs } from "../inputs/require-inputs.ts";
import { runSecretValues } from "../inputs/run-secret-values.ts";
import type { Run } from "../run.ts";
import type { RunDeps } from "../run-deps.ts";
import { isTerminal, requestableStatuses } from "../run-status.ts";
import type { NewSecret, RestartedRun } from "../run-store.ts";

export interface RetryRunInput
  extends Omit<CreateRunInput, "workflowId" | "trajectoryId" | "dryRunUntil" | "overrides" | "metadata"> {
  readonly runId: string;
  readonly reuseSession: boolean;
}

export type RetryDeps = RunDeps & DiscardDeps;

/**
 * Makes one read and one transaction. New files are written before it, the old ones removed after it, so that a crash
 * anywhere leaves unnamed data, never a dangling name.
 * @throws {InvalidInput} for inputs that its known machine could not begin with.
 * @throws {DomainError} `insufficient_scope`, `not_found` for it or what it names, `illegal_transition` unless it has
 * ended, `secrets_gone`, `session_ended`, `conflict`, or `service_unavailable` when it keeps changing.
 * @throws {AlreadyOnRecord}
 */
export async function retryRun(
  deps: RetryDeps,
  caller: Caller,
  input: RetryRunInput,
  idempotency?: Idempotency,
): Promise<Run> {
  requireScope(caller, "write");
  if (!input.files?.length) return await begin(deps, caller, input, idempotency);
  return await withLease(deps, idempotency, (leased) => begin(deps, caller, input, leased));
}

async function begin(
  deps: RetryDeps,
  caller: Caller,
  input: RetryRunInput,
  idempotency: Idempotency | undefined,
): Promise<Run> {
  const { organizationId } = caller;
  const { runId, sensitiveValues } = input;
  const first = required(await deps.runs.find(organizationId, runId), "run", runId);
  await requireRetryable(deps, first, sensitiveValues);
  const [, secretId, restId] = idempotency?.ids ?? ["", deps.ids.uuid7(), deps.ids.uuid7()];
  const attachments = inputAttachments(input.files ?? [], {
    organizationId,
    userId: caller.userId,
    runId,
    createdAt: isoTimestamp(deps.clock.now()),
    firstId: deriveId(restId, 1),
  });
  const secret = sensitiveValues && newSecret(secretId, sensitiveValues);
  await putInputFiles(deps, input.files ?? [], attachments);
  const undo = async () => await dropInputFiles(deps, attachments);
  return await untilWritten(deps, {
    what: "the run",
    first,
    read: () => readAgain(deps, organizationId, input, undo),
    decide: async (before) => {
      const again = await undoing(undo, () =>
        runAgain(deps, before, input, { secret, attachments, sessionId: restId }),
      );
      const { run } = again;
      const restarted = { before, ...again, attachments, secret };
      const outcome = await deps.runs.restart(restarted, idempotency && { idempotency, result: run });
      if (outcome.kind === "changed") return overtaken;
      if (outcome.kind === "restarted") {
        await discardReplaced(deps, before, run);
        return run;
      }
      await undo();
      throw creationError(outcome);
    },
  }).catch(async (error: unknown) => {
    if (error instanceof ChangedTooOften) await undo();
    throw error;
  });
}

async function readAgain(
  deps: RetryDeps,
  organizationId: OrganizationId,
  { runId, sensitiveValues }: RetryRunInput,
  undo: () => Promise<void>,
): Promise<Run> {
  return await undoing(undo, async () => {
    const run = required(await deps.runs.find(organizationId, runId), "run", runId);
    await requireRetryable(deps, run, sensitiveValues);
    return run;
  });
}

async function undoing<Result>(undo: () => Promise<void>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await undo();
    throw error;
  }
}

interface Beside {
  readonly secret: NewSecret | undefined;
  readonly attachments: readonly { readonly id: string }[];
  readonly sessionId: string;
}

/** A named machine or named pools replace the previous target. */
async function runAgain(
  deps: RetryDeps,
  before: Run,
  input: RetryRunInput,
  { secret, attachments, sessionId: newId }: Beside,
): Promise<Pick<RestartedRun, "run" | "session">> {
  const { inputValues, startSession, sessionAlias, releaseSessionAfter } = input;
  const { isPriority = before.isPriority } = input;
  const isElsewhere = input.machineId !== undefined || input.poolIds !== undefined;
  const poolIds = isElsewhere ? (input.poolIds ?? []) : before.poolIds;
  const staysInSession = input.reuseSession && startSession !== true;
  const sessionId = input.sessionId ?? (staysInSession ? (before.sessionId ?? undefined) : undefined);
  const beforeNamed = isElsewhere ? undefined : (before.namedMachineId ?? undefined);
  const machineId = input.machineId ?? (startSession === true ? beforeNamed : undefined);
  const choice = { sessionId, startSession, machineId, poolIds, isPriority };
  const { session, ...chosen } = await chooseSession(deps, before.organizationId, choice, newId);
  const named = chosen.machineId ?? beforeNamed ?? null;
  const run: Run = {
    ...before,
    ...(input.sensitiveValues && sensitiveFields(secret)),
    ...(inputValues && { inputValues }),
    ...(sessionAlias !== undefined && { sessionAlias }),
    ...(releaseSessionAfter !== undefined && { releaseSessionAfter }),
    ...(input.files && { inputAttachmentIds: attachments.map(({ id }) => id) }),
    isPriority,
    sessionId: chosen.sessionId,
    machineId: named,
    namedMachineId: named,
    poolIds,
    ...scheduled(isoTimestamp(deps.clock.now())),
    attempt: before.attempt + 1,
    revision: before.revision + 1,
  };
  await requireInputs(deps, before.organizationId, run);
  return { run, session };
}

/** @throws {DomainError} `illegal_transition` unless it has ended, or `secrets_gone` naming the aliases. */
async function requireRetryable(
  deps: Pick<RunDeps, "runs" | "logger">,
  run: Run,
  sent: SecretValues | undefined,
): Promise<void> {
  const { status, sensitiveAliases } = run;
  if (!isTerminal(status)) {
    const allowed = requestableStatuses(status);
    throw new DomainError(
      "illegal_transition",
      `a run is done again once it has ended; this one is ${status} and can become ${allowed.join(", ")}`,
      { details: { status, allowed } },
    );
  }
  if (sent !== undefined || sensitiveAliases.length === 0) return;
  if ((await runSecretValues(deps, run)) === undefined) throw secretsGone(sensitiveAliases);
}

interface DiscardDeps extends Pick<RunDeps, "files" | "clock" | "logger"> {
  readonly attachments: Pick<AttachmentStore, "find" | "markDeleted">;
}

/** Failures are tolerated: a leftover attachment is deleted with its run, and an object is unnamed. */
async function discardReplaced(deps: DiscardDeps, before: Run, run: Run): Promise<void> {
  const gone = before.inputAttachmentIds.filter((id) => !run.inputAttachmentIds.includes(id));
  try {
    for (const id of gone) await deleteOwn(deps, before, id);
    await removeSpilled(deps, [before.outputData, before.runMessageHistory]);
  } catch (cause) {
    deps.logger.warn("data that a retried run no longer names was not removed", { cause });
  }
}

/** A chain's files belong to its first run; the others only name them. */
async function deleteOwn({ attachments, clock }: DiscardDeps, run: Run, id: string): Promise<void> {
  const attachment = await attachments.find(run.organizationId, id);
  if (attachment?.runId !== run.id) return;
  await attachments.markDeleted(run.organizationId, id, isoTimestamp(clock.now()));
}
