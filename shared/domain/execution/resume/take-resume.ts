import { conversationOf, firstModelCursor } from "../../conversation/conversation-cursor.ts";
import type { Resumption } from "../../run/hold/hold-store.ts";
import { failure } from "../../run/run-ending.ts";
import type { RunStep, StepNext } from "../../run-step/run-step.ts";
import { isScreenOf, nextScreens } from "../../screen/recorded-screens.ts";
import type { Cursor } from "../execution.ts";
import { requireModel, withModel } from "../model/model-cursor.ts";
import { beginRepair, repairOf } from "../model/repair.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { recordStep } from "../step/perform-once.ts";
import { away, ends, next, type StepResult } from "../step/step-result.ts";

/**
 * The first step after a hold: the screen is seen anew, and the note of whoever gave the run back is its text. A replay
 * goes on where one of the next recorded screens is seen, and a model is told.
 */
export async function takeResume(invocation: Invocation, cursor: Cursor): Promise<StepResult> {
  const { deps, job, plan } = invocation;
  const { organizationId, runId, assignmentId } = job;
  const [execution, last] = await Promise.all([
    deps.executions.find(organizationId, runId),
    deps.executions.findLastStep(organizationId, runId),
  ]);
  if (execution?.assignmentId !== assignmentId) return { kind: "ended" };
  const { resumed } = execution;
  if (resumed === null) throw new Error("a run goes on that nobody has resumed");
  const own = last?.assignmentId === assignmentId ? last : undefined;
  // An interrupted invocation has recorded the step.
  if (own && isResumption(own) && Date.parse(own.startedAt) >= Date.parse(resumed.resumedAt)) {
    invocation.goOnWithin(own);
    return follow(invocation, cursor, own);
  }
  const index = Math.max(cursor.index, 1 + (last?.index ?? 0));
  const at: Cursor = { ...cursor, index };
  if (isOver(cursor)) return next(going(at, index - cursor.index));
  if (resumed.isExpired === true && plan.workflow.onHoldTimeout !== "resume") {
    return ends(going(at, index - cursor.index), failure("hold_timed_out", timedOut));
  }
  const screen = await invocation.look();
  if (screen === undefined) return away;
  const step = newStep(invocation, at, {
    action: { type: "resume", ...(resumed.isExpired === true && { is_expired: true }) },
    source: "service",
    status: "done",
    text: await noteOf(invocation, cursor, resumed),
    durationMs: 0,
    trail: { ...invocation.trail, element: null, ...whereNext(invocation, cursor) },
    ...(await invocation.keepPicture(at)),
  });
  return await recordStep(invocation, step, (row) => follow(invocation, cursor, row));
}

/** A note that the model has not been given, since the run was held again at once, is part of this one. */
async function noteOf(
  invocation: Invocation,
  { model }: Cursor,
  { note }: Pick<Resumption, "note">,
): Promise<string | null> {
  const { organizationId, runId } = invocation.job;
  const { executions } = invocation.deps;
  const before = model?.resumed && (await executions.findStep(organizationId, runId, model.resumed));
  const notes = [before ? before.text : null, note].filter((each) => each !== null);
  return notes.length === 0 ? null : await invocation.withoutSecrets(notes.join("\n"));
}

const timedOut =
  "the run was held, and nobody resumed it in time; on_hold_timeout of its workflow can be resume";

function isResumption({ source, action }: RunStep): boolean {
  return source === "service" && action.type === "resume";
}

/** The run's work is done, and only its files and its desktop are seen to. */
function isOver({ files, leave }: Cursor): boolean {
  return files.end !== null || leave !== undefined;
}

/** What a person did, and the resumption, do not count for max_steps. */
function going({ interrupted, unowned = 0, ...cursor }: Cursor, steps: number): Cursor {
  return { ...cursor, phase: interrupted ?? "replay", unowned: unowned + steps, waitedMs: 0, awayMs: 0 };
}

function isReplaying({ interrupted, model, reset }: Cursor): boolean {
  const isOfTrajectory = interrupted === "replay" || model?.mode === "element" || model?.mode === "repair";
  return isOfTrajectory && typeof reset?.at !== "number";
}

function whereNext(invocation: Invocation, cursor: Cursor): { readonly next?: StepNext } {
  const screen = invocation.screen?.picture;
  const { plan } = invocation;
  if (screen === undefined || !isReplaying(cursor) || plan.trajectory.elements.length === 0) return {};
  const { element, piece } = cursor;
  const goals = nextScreens(invocation, piece > 0 ? element + 1 : element);
  const seen = goals.find((at) => isScreenOf(invocation, screen, at));
  if (seen !== undefined) return { next: { kind: "replay", element: seen } };
  // The rest of a text must not go into whatever has the focus now.
  if (piece === 0) return {};
  return repairOf(invocation, cursor, screen) ?? { next: { kind: "end", errorCode: "replay_diverged" } };
}

function follow(invocation: Invocation, before: Cursor, row: RunStep): StepResult {
  const after: Cursor = { ...going(before, row.index + 1 - before.index), index: row.index + 1, piece: 0 };
  const following = row.trail.next;
  const { model = firstModelCursor } = after;
  switch (following?.kind) {
    case "replay": {
      const replaying = { ...conversationOf(model), mode: "replay" } as const;
      const cursor = { ...after, element: following.element };
      return next(after.model === undefined ? cursor : withModel(cursor, replaying));
    }
    case "model":
      return beginRepair({ ...after, index: row.index }, following);
    case "end":
      return ends(
        after,
        failure("replay_diverged", "the run was resumed on another screen than the recorded ones"),
      );
  }
  switch (before.interrupted) {
    case "see_screen":
    case "ask_model":
    case "act_on_reply": {
      if (model.mode === "element") {
        return next(withModel(after, { ...conversationOf(model), mode: "replay" }));
      }
      invocation.goOnWithin(row);
      const asked = { ...requireModel(after).model, place: null, idle: 0, resumed: row.index };
      return next(withModel(after, asked, "ask_model"));
    }
    default:
      return next(after);
  }
}
