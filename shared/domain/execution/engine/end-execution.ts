import { isoTimestamp } from "../../clock.ts";
import { outputOf } from "../../filling/output.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { ModelTokens } from "../../model/model-tokens.ts";
import { replayedContent } from "../../plan/make-plan.ts";
import type { RunChange } from "../../run/run-change.ts";
import type { RunEnding } from "../../run/run-ending.ts";
import { type Spilled, spill } from "../../spill.ts";
import { overtaken, untilWritten } from "../../until-written.ts";
import type { Cursor } from "../execution.ts";
import { outputIds } from "../files/take-files.ts";
import type { Invocation } from "../step/invocation.ts";
import { tryLastPicture } from "../step/last-picture.ts";
import { heldSeconds } from "./stand-still.ts";
import { type Elsewhere, tryElsewhere } from "./try-elsewhere.ts";

/** A failed run gets a last picture in time; one whose start was not reached may go to another machine instead. */
export async function endExecution(
  invocation: Invocation,
  end: RunEnding,
  cursor: Cursor,
): Promise<
  { readonly kind: "ended" | "over" | "rescheduled" } | { readonly kind: "held"; readonly seconds: number }
> {
  const { deps, job } = invocation;
  const elsewhere: Elsewhere =
    end.errorCode === "start_not_reached" ? await tryElsewhere(deps, job) : { kind: "ends" };
  if (elsewhere.kind === "rescheduled") return elsewhere;
  const picture = end.status === "error" ? await pictureOfEnd(invocation, cursor) : null;
  const output = end.status === "success" ? await keptOutput(invocation) : null;
  const change: RunChange = {
    status: end.status,
    errorCode: end.errorCode,
    error: [
      ...(end.error === null ? [] : [end.error]),
      ...(elsewhere.sentence === undefined ? [] : [elsewhere.sentence]),
      ...(picture === null ? [] : [`the screenshot of step ${picture} shows the desktop at the end`]),
    ],
    outputData: output,
    outputAttachmentIds: outputIds(job, cursor),
    usageMetadata: usageOf(cursor),
    modelTokens: tokensOf(invocation, cursor),
    endedAt: isoTimestamp(deps.clock.now()),
  };
  // Verification is recorded first, because no invocation follows the run's end.
  if (end.status === "success") await recordVerified(invocation);
  const { organizationId, runId, assignmentId } = job;
  const outcome = await deps.runs.update(organizationId, runId, change, {
    assignmentId,
    mustRun: true,
    mustBeFree: true,
  });
  if (outcome.kind === "held") return { kind: "held", seconds: await heldSeconds(deps, job) };
  deps.logger.info("run carried out", {
    organization_id: organizationId,
    run_id: runId,
    assignment_id: assignmentId,
    status: end.status,
    error_code: end.errorCode,
    replayed_steps: cursor.replayed,
    outcome: outcome.kind,
  });
  return { kind: outcome.kind === "updated" ? "ended" : "over" };
}

async function pictureOfEnd(invocation: Invocation, cursor: Cursor): Promise<number | null> {
  return cursor.leave === undefined ? await tryLastPicture(invocation, cursor) : cursor.leave.picture;
}

function usageOf({ replayed, model }: Cursor): JsonObject {
  const { agentic = 0, repaired = 0, tokens = [] } = model ?? {};
  const sum = (of: 0 | 1 | 2) => tokens.reduce((total, each) => total + each[of], 0);
  return {
    agentic_steps: agentic,
    replayed_steps: replayed,
    repaired_steps: repaired,
    input_tokens: sum(0),
    output_tokens: sum(1),
    cached_tokens: sum(2),
  };
}

function tokensOf({ plan }: Invocation, { model }: Cursor): readonly ModelTokens[] {
  return (model?.tokens ?? []).flatMap(([inputTokens, outputTokens, cachedTokens], at) => {
    const choice = plan.model?.choices[at];
    if (choice === undefined || inputTokens + outputTokens === 0) return [];
    const { provider, model: name } = choice;
    return [{ provider, model: name, inputTokens, outputTokens, cachedTokens }];
  });
}

/** The object has the assignment's name, so that a second try writes the same one. */
async function keptOutput(invocation: Invocation): Promise<Spilled | null> {
  const output = outputOf(invocation);
  const value: Json = output.kind === "filled" ? output.value : null;
  if (value === null) return null;
  const { organizationId, runId: id, assignmentId: objectId } = invocation.job;
  return await spill(
    invocation.deps,
    { organizationId, kind: "run", id, field: "output_data", objectId },
    value,
  );
}

/** An unchanged trajectory is verified by whole replays with other inputs, and may become main. Idempotent. */
async function recordVerified({ deps, job, plan }: Invocation): Promise<void> {
  const { verifies, trajectoryId } = plan;
  if (verifies === null || trajectoryId === null) return;
  const { organizationId } = job;
  await untilWritten(deps, {
    what: "the trajectory",
    read: () => deps.trajectories.find(organizationId, trajectoryId),
    decide: async (before) => {
      if (before === undefined || replayedContent(before) !== verifies.content) return undefined;
      const main = before.isApproved
        ? await deps.trajectories.findMain(organizationId, before.workflowId)
        : undefined;
      const now = isoTimestamp(deps.clock.now());
      const isMain = before.isApproved && main === undefined;
      const change = { verifiedAt: now, updatedAt: now, ...(isMain && { isMain }) };
      const { kind } = await deps.trajectories.updateAsRead(before, change);
      // No run uses the trajectories of a deleted workflow.
      return kind === "changed" ? overtaken : undefined;
    },
  });
}
