import { isoTimestamp } from "../../clock.ts";
import { firstModelCursor } from "../../conversation/conversation-cursor.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { recordStep } from "../step/perform-once.ts";
import { away, ends, type StepResult } from "../step/step-result.ts";
import { goToNext, requireModel, withModel } from "./model-cursor.ts";
import { beginElement } from "./repair.ts";

export function beginModel(invocation: Invocation, cursor: Cursor): Cursor | undefined {
  const { plan } = invocation;
  if (plan.model === null) return undefined;
  if (plan.trajectoryId === null) {
    return withModel(cursor, { ...firstModelCursor, mode: "task" }, "see_screen");
  }
  const next = plan.trajectory.elements[cursor.element];
  // Reading and ending need no action on the screen.
  const isAction = next?.by === "model" && next.action.type !== "read" && next.action.type !== "finish";
  return isAction ? beginElement(invocation, cursor) : undefined;
}

export async function seeScreen(invocation: Invocation, cursor: Cursor): Promise<StepResult> {
  const { model } = requireModel(cursor);
  const under = await invocation.countTry(cursor, "screenshot");
  if (under.kind === "over") return ends(cursor, under.end);
  const follow = () => goToNext(cursor, { ...model, lookCount: model.lookCount + 1 });
  if (under.kind === "recorded") return follow();
  const startedAt = isoTimestamp(invocation.deps.clock.now());
  const screen = await invocation.look();
  if (screen === undefined) return away;
  const { width, height } = screen.picture;
  const seen = { width, height };
  const decided = { turn: model.turn, call: -1, action: 0, isChanged: true, isBlind: false, seen };
  const step = newStep(invocation, cursor, {
    action: { type: "screenshot" },
    source: "service",
    status: "done",
    trail: { ...invocation.trail, element: null, decided },
    startedAt,
    text: model.lookCount === 0 ? (invocation.plan.notReplayed ?? null) : null,
    ...(await invocation.keepPicture(cursor)),
  });
  return await recordStep(invocation, step, follow);
}
