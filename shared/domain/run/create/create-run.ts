import { type Caller, requireScope } from "../../access/caller.ts";
import { createdAtOfId, deriveId } from "../../derive-id.ts";
import { DomainError } from "../../errors.ts";
import type { Idempotency } from "../../idempotency/idempotency.ts";
import { withLease } from "../../idempotency/with-lease.ts";
import type { SecretValues } from "../../secret-store.ts";
import { requireInputs } from "../inputs/require-inputs.ts";
import { dropOverrides, requireOverrides, withOverrides } from "../override-run.ts";
import type { Run } from "../run.ts";
import type { RunDeps } from "../run-deps.ts";
import type { RunOverridesInput } from "../run-overrides.ts";
import type { NewRuns, RunStore } from "../run-store.ts";
import { requireCreated } from "./creation-outcome.ts";
import { dropInputFiles, type InputFile, inputAttachments, putInputFiles } from "./input-files.ts";
import { newRun, planRuns } from "./new-run.ts";
import { newSecret, sensitiveFields } from "./new-secret.ts";
import { chooseSession } from "./run-session.ts";

export interface CreateRunInput extends Pick<Run, "workflowId"> {
  readonly machineId?: string;
  readonly poolIds?: readonly string[];
  readonly inputValues?: Run["inputValues"];
  readonly sensitiveValues?: SecretValues;
  readonly files?: readonly InputFile[];
  readonly sessionId?: string;
  readonly startSession?: boolean;
  readonly sessionAlias?: string;
  readonly releaseSessionAfter?: boolean;
  readonly isPriority?: boolean;
  readonly metadata?: Run["metadata"];
  readonly trajectoryId?: string;
  readonly dryRunUntil?: number;
  readonly scheduleId?: string;
  /** @default the time of the creation */
  readonly queuedAt?: string;
  readonly overrides?: RunOverridesInput;
}

/**
 * Files are written first, so that a crash leaves unnamed data, never a dangling name.
 * @throws {InvalidInput} for inputs that its known machine could not begin with.
 * @throws {DomainError} `insufficient_scope`, `not_found` for what it names, `session_ended` or `conflict`.
 * @throws {AlreadyOnRecord}
 */
export async function createRun(
  deps: RunDeps,
  caller: Caller,
  input: CreateRunInput,
  idempotency?: Idempotency,
): Promise<Run> {
  requireScope(caller, "write");
  if (!input.files?.length) return await make(deps, caller, input, idempotency);
  return await withLease(deps, idempotency, (leased) => make(deps, caller, input, leased));
}

async function make(
  deps: RunDeps,
  caller: Caller,
  input: CreateRunInput,
  idempotency: Idempotency | undefined,
): Promise<Run> {
  const [id, secretId, restId] = idempotency?.ids ?? [deps.ids.uuid7(), deps.ids.uuid7(), deps.ids.uuid7()];
  const { run, plan, drop } = await prepareRun(deps, caller, input, { id, secretId, restId });
  const outcome = await deps.runs.create(plan, idempotency && { idempotency, result: run });
  if (outcome.kind !== "created") await drop();
  requireCreated(outcome);
  return run;
}

export interface PrepareRunDeps extends Omit<RunDeps, "runs" | "idempotencyRecords" | "ids"> {
  readonly runs: Pick<RunStore, "findSession">;
}

export interface PreparedRun {
  readonly run: Run;
  readonly plan: NewRuns;
  /** Removes what was put into the bucket for a run that is not created. */
  readonly drop: () => Promise<void>;
}

/**
 * Does everything but the write. The same ids make the same run.
 * @throws {InvalidInput} @throws {DomainError} as `createRun`.
 */
export async function prepareRun(
  deps: PrepareRunDeps,
  { organizationId, userId }: Pick<Caller, "organizationId" | "userId">,
  input: CreateRunInput,
  { id, secretId, restId }: { readonly id: string; readonly secretId: string; readonly restId: string },
): Promise<PreparedRun> {
  const { workflowId, poolIds = [], sensitiveValues = {}, files = [] } = input;
  const { session, ...target } = await chooseSession(deps, organizationId, input, restId);
  const settings = await requireInputs(deps, organizationId, { ...input, ...target });
  if (input.trajectoryId !== undefined && settings.executor === "worker") {
    throw new DomainError(
      "conflict",
      "the workflow's runs are carried out by workers: the service verifies what it carries out itself",
    );
  }
  const { overrides = {} } = input;
  await requireOverrides(deps, organizationId, overrides);
  const owner = { organizationId, userId, runId: id, createdAt: createdAtOfId(id) };
  const attachments = inputAttachments(files, { ...owner, firstId: deriveId(restId, 1) });
  const secret = newSecret(secretId, sensitiveValues);
  const made = newRun({
    id,
    organizationId,
    userId,
    workflowId,
    poolIds,
    ...settings,
    ...target,
    ...sensitiveFields(secret),
    ...(input.inputValues && { inputValues: input.inputValues }),
    trajectoryId: input.trajectoryId ?? null,
    dryRunUntil: input.dryRunUntil ?? null,
    scheduleId: input.scheduleId ?? null,
    sessionAlias: input.sessionAlias ?? null,
    releaseSessionAfter: input.releaseSessionAfter ?? false,
    isPriority: input.isPriority ?? false,
    metadata: input.metadata ?? {},
    inputAttachmentIds: attachments.map((attachment) => attachment.id),
    queuedAt: input.queuedAt,
  });
  const run = await withOverrides(deps, made, overrides);
  await putInputFiles(deps, files, attachments);
  return {
    run,
    plan: planRuns([run], { organizationId, attachments, secret, session }),
    drop: async () => {
      await dropInputFiles(deps, attachments);
      await dropOverrides(deps, [run]);
    },
  };
}
