import { isoTimestamp } from "../../clock.ts";
import type { DecidedStep } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import { countTry, triesOver } from "../engine/tries.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import { look } from "../replay/await-element.ts";
import { leaveForLater } from "../replay/away.ts";
import { keepPicture } from "../replay/keep-picture.ts";
import { newStep } from "../replay/new-step.ts";
import type { StepResult } from "../replay/step-result.ts";
import type { World } from "../world.ts";
import { actOnReply } from "./act-decision.ts";
import { askModel } from "./ask-model.ts";
import { firstModelCursor, goToNext } from "./model-cursor.ts";
import { backToReplay, beginElement } from "./repair.ts";

/** Undefined while the run goes by a trajectory. */
export function modelInUse(world: World, cursor: Cursor): ModelCursor | undefined {
  const { model, element } = cursor;
  const { plan } = world;
  if (model !== undefined && model.mode !== "replay") return model;
  if (plan.model === null) return undefined;
  if (plan.trajectoryId === null) return { ...firstModelCursor, mode: "task" };
  const next = plan.trajectory.elements[element];
  // What reads or ends needs no action on the screen.
  const isAction = next?.by === "model" && next.action.type !== "read" && next.action.type !== "finish";
  return isAction || isDoubted(next, model) ? beginElement(world, cursor) : undefined;
}

/** Whether a text stood on the recorded screen, and this run's screen has turned out to be another one. */
function isDoubted(element: TrajectoryElement | undefined, model: ModelCursor | undefined): boolean {
  return element?.isFromScreen === true && model !== undefined && model.repairs > 0;
}

/** Sees the screen, asks the model, or does what it replied: one of them. */
export async function takeModelStep(world: World, cursor: Cursor, model: ModelCursor): Promise<StepResult> {
  return await backToReplay(world, cursor, await oneOf(world, cursor, model));
}

async function oneOf(world: World, cursor: Cursor, model: ModelCursor): Promise<StepResult> {
  if (model.isBlind) return await seeScreen(world, cursor, model);
  const { place } = model;
  return place === null
    ? await askModel(world, cursor, model)
    : await actOnReply(world, cursor, { ...model, place });
}

/** A step of the service's own, which shows the screen. */
async function seeScreen(world: World, cursor: Cursor, model: ModelCursor): Promise<StepResult> {
  const { deps } = world;
  const under = await countTry(world, cursor);
  const over = triesOver(world, under, cursor, "screenshot");
  if (over !== undefined) return { kind: "end", end: over, cursor };
  const after = { ...model, isBlind: false, looks: model.looks + 1 };
  if (under.kind === "recorded") return goToNext(cursor, after);
  const startedAtMs = deps.clock.now();
  const screen = await look(world);
  if (screen === undefined) return await leaveForLater(world, cursor);
  const { width, height } = screen.picture;
  const kept = await keepPicture(world, cursor);
  const step = newStep(world, cursor, {
    action: { type: "screenshot" },
    source: "service",
    match: null,
    status: "done",
    trail: { ...world.trail, element: null },
    startedAt: isoTimestamp(startedAtMs),
    text: model.looks === 0 ? (world.plan.notReplayed ?? null) : null,
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
  world.trail = { ...step.trail, decided };
  const durationMs = deps.clock.now() - startedAtMs;
  const isOurs = await deps.executions.recordStep({ ...step, ...kept, trail: world.trail, durationMs });
  return isOurs ? goToNext(cursor, after) : { kind: "ended" };
}
