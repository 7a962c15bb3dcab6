import { counterShards } from "../../../vocabulary/table.ts";
import { type Caller, requireScope } from "../../access/caller.ts";

import { createdAtOfId, deriveId } from "../../derive-id.ts";
import type { Idempotency } from "../../idempotency/idempotency.ts";
import { withLease } from "../../idempotency/with-lease.ts";
import type { SecretValues } from "../../secret-store.ts";
import type { Run } from "../run.ts";
import type { RunDeps } from "../run-deps.ts";
import type { CreateRunInput } from "./create-run.ts";
import { requireCreated } from "./creation-outcome.ts";
import { dropInputFiles, inputAttachments, putInputFiles } from "./input-files.ts";
import { defaultSettings, newRun, planRuns, type RunSettings } from "./new-run.ts";
import { chainSecret, newSecret } from "./new-secret.ts";
import { chooseSession } from "./run-session.ts";

/** A step's values take precedence over the shared ones. References name earlier steps. */
interface ChainStepInput
  extends Pick<Run, "workflowId" | "continueOnFailure">,
    Pick<CreateRunInput, "sessionAlias" | "inputValues" | "sensitiveValues"> {}

export interface CreateChainInput
  extends Pick<
    CreateRunInput,
    | "inputValues"
    | "sensitiveValues"
    | "files"
    | "machineId"
    | "poolIds"
    | "sessionId"
    | "isPriority"
    | "metadata"
  > {
  /** A chain is one transaction: 44 steps and files in all, 30 with metadata. */
  readonly steps: readonly ChainStepInput[];
  readonly keepsSession: boolean;
}

export interface CreatedChain {
  readonly sessionId: string;
  readonly runIds: readonly string[];
}

/**
 * The first step's run owns the files; the others name them. Ids with the same last digits count in one shard of the
 * counter, which saves the transaction fifteen items.
 * @throws {DomainError} `insufficient_scope`, `not_found` for what it names, `session_ended` or `conflict`.
 * @throws {AlreadyOnRecord}
 */
export async function createChain(
  deps: RunDeps,
  caller: Caller,
  input: CreateChainInput,
  idempotency?: Idempotency,
): Promise<CreatedChain> {
  requireScope(caller, "write");
  const { sensitiveValues = {}, files = [], steps } = input;
  const secretValues = chainSecret(
    sensitiveValues,
    steps.map((step) => step.sensitiveValues ?? {}),
  );
  if (files.length === 0) return await make(deps, caller, input, secretValues, idempotency);
  return await withLease(deps, idempotency, (leased) => make(deps, caller, input, secretValues, leased));
}

async function make(
  deps: RunDeps,
  { organizationId, userId }: Caller,
  input: CreateChainInput,
  secretValues: SecretValues,
  idempotency: Idempotency | undefined,
): Promise<CreatedChain> {
  const [firstId, secretId, restId] = idempotency?.ids ?? [
    deps.ids.uuid7(),
    deps.ids.uuid7(),
    deps.ids.uuid7(),
  ];
  const { steps, files = [], sessionId, machineId, poolIds = [], metadata = {} } = input;
  const { isPriority = false } = input;
  const wish = { sessionId, startSession: sessionId === undefined, machineId, poolIds };
  const { session, ...chosen } = await chooseSession(deps, organizationId, wish, restId);
  const workflowIds = [...new Set(steps.map(({ workflowId }) => workflowId))];
  const settings = await deps.inputSources.settings(organizationId, workflowIds);
  const owner = { organizationId, userId, runId: firstId, createdAt: createdAtOfId(firstId) };
  const attachments = files.flatMap((file, index) =>
    inputAttachments([file], { ...owner, firstId: deriveId(restId, counterShards * (index + 1)) }),
  );
  const secret = newSecret(secretId, secretValues);
  const common = {
    organizationId,
    userId,
    poolIds,
    metadata,
    isPriority,
    ...chosen,
    chainId: deriveId(restId, 1),
    chainKeepsSession: input.keepsSession,
    inputAttachmentIds: attachments.map(({ id }) => id),
  };
  const runs = chainRuns(input, { firstId, secretId, settings }, common);
  await putInputFiles(deps, files, attachments);
  const result = { sessionId: chosen.sessionId ?? restId, runIds: runs.map(({ id }) => id) };
  const plan = planRuns(runs, { organizationId, attachments, secret, session });
  const outcome = await deps.runs.create(plan, idempotency && { idempotency, result });
  if (outcome.kind !== "created") await dropInputFiles(deps, attachments);
  requireCreated(outcome);
  return result;
}

type Common = Omit<Parameters<typeof newRun>[0], "id" | "workflowId" | keyof RunSettings>;

interface ChainIds {
  readonly firstId: string;
  readonly secretId: string;
  readonly settings: ReadonlyMap<string, RunSettings>;
}

function chainRuns(
  { steps, inputValues, sensitiveValues, keepsSession }: CreateChainInput,
  { firstId, secretId, settings }: ChainIds,
  common: Common,
): readonly Run[] {
  const chainRunIds: Record<string, string> = {};
  return steps.map((step, place) => {
    const { workflowId, continueOnFailure, sessionAlias } = step;
    const id = deriveId(firstId, counterShards * place);
    const sensitiveAliases = Object.keys({ ...sensitiveValues, ...step.sensitiveValues });
    const run = newRun({
      ...common,
      id,
      workflowId,
      continueOnFailure,
      sensitiveAliases,
      ...(settings.get(workflowId) ?? defaultSettings),
      inputValues: { ...inputValues, ...step.inputValues },
      secretId: sensitiveAliases.length === 0 ? null : secretId,
      sessionAlias: sessionAlias ?? null,
      chainStep: place,
      chainRunIds: { ...chainRunIds },
      releaseSessionAfter: !keepsSession && place === steps.length - 1,
    });
    if (sessionAlias !== undefined) chainRunIds[sessionAlias] = id;
    return run;
  });
}
