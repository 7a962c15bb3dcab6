import { type Caller, requireScope } from "../../access/caller.ts";
import { isoTimestamp } from "../../clock.ts";
import { deriveId } from "../../derive-id.ts";
import type { Idempotency } from "../../idempotency/idempotency.ts";
import type { SecretValues } from "../../secret-store.ts";
import { type Abandon, withSecrets, writeSecret } from "../../secrets/own-secret.ts";
import { requireInputs } from "../inputs/require-inputs.ts";
import type { Run } from "../run.ts";
import type { RunDeps } from "../run-deps.ts";
import { requireCreated } from "./creation-outcome.ts";
import { dropInputFiles, type InputFile, inputAttachments, putInputFiles } from "./input-files.ts";
import { newRun } from "./new-run.ts";
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
}

/**
 * Creates a run that waits for a machine: one transaction, on the condition that everything it names exists.
 *
 * Secrets and files are written before it, so that a crash between leaves unnamed data, never a dangling name.
 *
 * @throws {InvalidInput} for inputs that its known machine could not begin with.
 * @throws {DomainError} `insufficient_scope`, `not_found` for what it names, `session_ended`, `conflict` or
 * `rate_limited` (by the secret store).
 * @throws {AlreadyOnRecord}
 */
export async function createRun(
  deps: RunDeps,
  caller: Caller,
  input: CreateRunInput,
  idempotency?: Idempotency,
): Promise<Run> {
  requireScope(caller, "write");
  const { sensitiveValues = {}, files = [] } = input;
  const isAlone = Object.keys(sensitiveValues).length === 0 && files.length === 0;
  if (isAlone) return await make(deps, caller, input, idempotency, () => {});
  return await withSecrets(deps, idempotency, (leased, abandon) =>
    make(deps, caller, input, leased, abandon),
  );
}

async function make(
  deps: RunDeps,
  { organizationId, userId }: Caller,
  input: CreateRunInput,
  idempotency: Idempotency | undefined,
  abandon: Abandon,
): Promise<Run> {
  const [id, secretId, restId] = idempotency?.ids ?? [deps.ids.uuid7(), deps.ids.uuid7(), deps.ids.uuid7()];
  const { workflowId, poolIds = [], sensitiveValues = {}, files = [] } = input;
  const { session, ...target } = await chooseSession(deps, organizationId, input, restId);
  await requireInputs(deps, organizationId, { ...input, ...target });
  const createdAtMs = deps.clock.now();
  const owner = { organizationId, userId, runId: id, createdAt: isoTimestamp(createdAtMs) };
  const attachments = inputAttachments(files, { ...owner, firstId: deriveId(restId, 1) });
  const place = { organizationId, owner: { kind: "run", id }, id: secretId } as const;
  const secret = await writeSecret(deps, place, sensitiveValues);
  const run = newRun({
    ...{ id, organizationId, userId, workflowId, poolIds, createdAtMs, ...target, ...secret },
    ...(input.inputValues && { inputValues: input.inputValues }),
    sessionAlias: input.sessionAlias ?? null,
    releaseSessionAfter: input.releaseSessionAfter ?? false,
    inputAttachmentIds: attachments.map((attachment) => attachment.id),
  });
  const required = {
    workflowIds: [workflowId],
    machineIds: run.machineId === null ? [] : [run.machineId],
    poolIds,
    sessionIds: session === undefined && run.sessionId !== null ? [run.sessionId] : [],
  };
  await putInputFiles(deps, files, attachments);
  const answer = idempotency && { idempotency, result: run };
  const outcome = await deps.runs.create(
    { organizationId, runs: [run], attachments, session, required },
    answer,
  );
  if (outcome.kind !== "created") {
    abandon(secret.secretName);
    await dropInputFiles(deps, attachments);
  }
  requireCreated(outcome);
  return run;
}
