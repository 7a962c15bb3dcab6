import { counterShards } from "../../../vocabulary/table.ts";
import type { Caller } from "../../access/caller.ts";

import { createdAtOfId, deriveId } from "../../derive-id.ts";
import type { Run } from "../run.ts";
import type { NewRuns, NewSecret } from "../run-store.ts";
import type { CreateRunInput } from "./create-run.ts";
import { inputAttachments } from "./input-files.ts";
import { newRun, planRuns, type RunSettings } from "./new-run.ts";
import { sensitiveFields } from "./new-secret.ts";
import type { ChosenSession } from "./run-session.ts";

export interface CreateRunsInput extends Omit<CreateRunInput, "sessionAlias"> {
  readonly count: number;
}

/** The plan is deterministic, so that a retry creates the same parts. */
export interface BulkPlan {
  readonly caller: Caller;
  readonly input: CreateRunsInput;
  readonly chosen: ChosenSession;
  readonly settings: RunSettings;
  readonly secret: NewSecret | undefined;
  readonly size: number;
  readonly firstId: string;
  readonly restId: string;
}

/**
 * Ids with the same last digits count in one shard of the counter, which saves a transaction fifteen items. Each part
 * uses the next shard.
 */
export function bulkPart(plan: BulkPlan, number: number): NewRuns {
  const { caller, input, chosen, secret, size } = plan;
  const first = number * size;
  const length = Math.min(size, input.count - first);
  const shard = number % counterShards;
  const made = Array.from({ length }, (_, index) => bulkRun(plan, first + index, shard));
  return planRuns(
    made.map(({ run }) => run),
    {
      organizationId: caller.organizationId,
      attachments: made.flatMap(({ attachments }) => attachments),
      secret,
      session: number === 0 ? chosen.session : undefined,
    },
  );
}

function bulkRun(
  { caller, input, chosen, settings, secret, firstId, restId }: BulkPlan,
  place: number,
  shard: number,
) {
  const { organizationId, userId } = caller;
  const { workflowId, poolIds = [], inputValues = {}, files = [], count } = input;
  const id = deriveId(firstId, counterShards * place + shard);
  const owner = { organizationId, userId, runId: id, createdAt: createdAtOfId(id) };
  const attachments = files.flatMap((file, index) => {
    const nth = place * files.length + index + 1;
    return inputAttachments([file], { ...owner, firstId: deriveId(restId, counterShards * nth + shard) });
  });
  const run: Run = newRun({
    id,
    organizationId,
    userId,
    workflowId,
    poolIds,
    inputValues,
    ...settings,
    ...sensitiveFields(secret),
    isPriority: input.isPriority ?? false,
    metadata: input.metadata ?? {},
    sessionId: chosen.sessionId,
    machineId: chosen.machineId,
    // A session ends with the last of its runs.
    releaseSessionAfter:
      input.releaseSessionAfter === true && (chosen.sessionId === null || place === count - 1),
    inputAttachmentIds: attachments.map((attachment) => attachment.id),
  });
  return { run, attachments };
}
