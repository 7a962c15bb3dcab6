import type { Cursor } from "../execution.ts";
import { awaitElement, look, pauseMs, reservedMs } from "../replay/await-element.ts";
import { leaveForLater, leaveForNext } from "../replay/away.ts";
import { isScreenOf, needsNoScreen } from "../replay/recorded-screens.ts";
import type { StepResult } from "../replay/step-result.ts";
import type { World } from "../world.ts";
import { over, resetStep, seenElement } from "./reset-step.ts";
import { freshTrail } from "./trail.ts";

/** How long the first recorded screen is waited for before anything leads back to it, in milliseconds. */
const startMs = 2_000;

/** How long each element of the reset is waited for at most, in milliseconds. */
const resetMs = 5_000;

export type Start =
  /** The trajectory's element is next. */
  | { readonly kind: "over"; readonly cursor: Cursor }
  | { readonly kind: "result"; readonly result: StepResult };

/** Leads back to the first recorded screen, where that is not seen and the trajectory knows how. */
export async function reachStart(world: World, cursor: Cursor): Promise<Start> {
  const { elements, reset = [] } = world.plan.trajectory;
  const [first] = elements;
  const at = cursor.reset?.at;
  const isAtStart = cursor.element === 0 && (cursor.piece === 0 || typeof at === "number");
  if (!isAtStart || at === null || reset.length === 0) return { kind: "over", cursor };
  if (first === undefined || needsNoScreen(world, 0)) return { kind: "over", cursor };
  if (typeof at === "number") return await goOn(world, cursor, at);
  const timeoutMs = Math.min(startMs, first.timeoutMs);
  const awaited = await awaitElement(world, 0, { ...first, timeoutMs }, cursor.waitedMs);
  switch (awaited.kind) {
    case "found":
    case "left_out":
      return { kind: "over", cursor };
    case "away":
      return resulting(await leaveForLater(world, cursor));
    case "pauses":
      return resulting(await leaveForNext(world, { ...cursor, waitedMs: awaited.waitedMs }));
    case "differs":
      return await goOn(world, { ...cursor, waitedMs: 0 }, 0);
  }
}

/** @param from the next element that may be done. */
async function goOn(world: World, cursor: Cursor, from: number): Promise<Start> {
  const { deps, durable, plan } = world;
  const { reset = [] } = plan.trajectory;
  if (cursor.piece > 0) {
    const seen = { at: from, trail: world.trail, match: null };
    return resulting(await resetStep(world, cursor, seen));
  }
  world.trail = freshTrail(world.trail);
  const lookedFromMs = deps.clock.now();
  for (;;) {
    const screen = world.screen ?? (await look(world));
    if (screen === undefined) return resulting(await leaveForLater(world, cursor));
    if (isScreenOf(world, screen.picture, 0)) return { kind: "over", cursor: over(cursor) };
    const waitedMs = cursor.waitedMs + deps.clock.now() - lookedFromMs;
    const seen = seenElement(world, screen.picture, { from, waitedMs });
    if (seen !== undefined) return resulting(await resetStep(world, cursor, seen));
    const waitsMs = Math.min(resetMs, Math.max(0, ...reset.slice(from).map(({ timeoutMs }) => timeoutMs)));
    if (waitedMs >= waitsMs) return { kind: "over", cursor: over(cursor) };
    if (durable.remainingMs() < reservedMs)
      return resulting(await leaveForNext(world, { ...cursor, waitedMs }));
    await deps.clock.sleep(Math.min(pauseMs, waitsMs - waitedMs));
    world.screen = undefined;
  }
}

function resulting(result: StepResult): Start {
  return { kind: "result", result };
}
