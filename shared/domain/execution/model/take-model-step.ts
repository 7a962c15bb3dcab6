import { isoTimestamp } from "../../clock.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { recordStep } from "../step/perform-once.ts";
import { away, ends, type StepResult } from "../step/step-result.ts";
import { actOnReply } from "./act-decision.ts";
import { askModel } from "./ask-model.ts";
import { firstModelCursor, goToNext } from "./model-cursor.ts";
import { backToReplay, beginElement } from "./repair.ts";

/** Undefined while the run goes by a trajectory. */
export function modelInUse(invocation: Invocation, cursor: Cursor): ModelCursor | undefined {
  const { model, element } = cursor;
  const { plan } = invocation;
  if (model !== undefined && model.mode !== "replay") return model;
  if (plan.model === null) return undefined;
  if (plan.trajectoryId === null) return { ...firstModelCursor, mode: "task" };
  const next = plan.trajectory.elements[element];
  // What reads or ends needs no action on the screen.
  const isAction = next?.by === "model" && next.action.type !== "read" && next.action.type !== "finish";
  return isAction ? beginElement(invocation, cursor) : undefined;
}

/** Sees the screen, asks the model, or does what it replied: one of them. */
export async function takeModelStep(
  invocation: Invocation,
  cursor: Cursor,
  model: ModelCursor,
): Promise<StepResult> {
  return await backToReplay(invocation, cursor, await oneOf(invocation, cursor, model));
}

async function oneOf(invocation: Invocation, cursor: Cursor, model: ModelCursor): Promise<StepResult> {
  if (model.isBlind) return await seeScreen(invocation, cursor, model);
  const { place } = model;
  return place === null
    ? await askModel(invocation, cursor, model)
    : await actOnReply(invocation, cursor, { ...model, place });
}

/** A step of the service's own, which shows the screen. */
async function seeScreen(invocation: Invocation, cursor: Cursor, model: ModelCursor): Promise<StepResult> {
  const under = await invocation.countTry(cursor, "screenshot");
  if (under.kind === "over") return ends(cursor, under.end);
  const follow = () => goToNext(cursor, { ...model, isBlind: false, lookCount: model.lookCount + 1 });
  if (under.kind === "recorded") return follow();
  const startedAt = isoTimestamp(invocation.deps.clock.now());
  const screen = await invocation.look();
  if (screen === undefined) return away;
  const { width, height } = screen.picture;
  const decided = { turn: model.turn, call: -1, action: 0, isChanged: true, isBlind: false };
  const step = newStep(invocation, cursor, {
    action: { type: "screenshot" },
    source: "service",
    status: "done",
    trail: { ...invocation.trail, element: null },
    startedAt,
    text: model.lookCount === 0 ? (invocation.plan.notReplayed ?? null) : null,
    ...(await invocation.keepPicture(cursor)),
  });
  const row = { ...step, trail: { ...step.trail, decided: { ...decided, seen: { width, height } } } };
  return await recordStep(invocation, row, follow);
}
