import { isoTimestamp } from "../../clock.ts";
import type { DecidedStep } from "../../run-step/run-step.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import { look } from "../screen/await-element.ts";
import { leaveForLater } from "../step/away.ts";
import type { Invocation } from "../step/invocation.ts";
import { keepPicture } from "../step/keep-picture.ts";
import { newStep } from "../step/new-step.ts";
import type { StepResult } from "../step/step-result.ts";
import { countTry, triesOver } from "../step/tries.ts";
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
  const { deps } = invocation;
  const under = await countTry(invocation, cursor);
  const over = triesOver(invocation, under, cursor, "screenshot");
  if (over !== undefined) return { kind: "end", end: over, cursor };
  const after = { ...model, isBlind: false, lookCount: model.lookCount + 1 };
  if (under.kind === "recorded") return goToNext(cursor, after);
  const startedAtMs = deps.clock.now();
  const screen = await look(invocation);
  if (screen === undefined) return await leaveForLater(invocation, cursor);
  const { width, height } = screen.picture;
  const kept = await keepPicture(invocation, cursor);
  const step = newStep(invocation, cursor, {
    action: { type: "screenshot" },
    source: "service",
    match: null,
    status: "done",
    trail: { ...invocation.trail, element: null },
    startedAt: isoTimestamp(startedAtMs),
    text: model.lookCount === 0 ? (invocation.plan.notReplayed ?? null) : null,
  });
  const seen = { width, height };
  const decided: DecidedStep = {
    turn: model.turn,
    call: -1,
    action: 0,
    isChanged: true,
    isBlind: false,
    seen,
  };
  invocation.trail = { ...step.trail, decided };
  const durationMs = deps.clock.now() - startedAtMs;
  const isOurs = await deps.executions.recordStep({ ...step, ...kept, trail: invocation.trail, durationMs });
  return isOurs ? goToNext(cursor, after) : { kind: "ended" };
}
