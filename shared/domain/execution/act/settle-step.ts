import type { SavingAction } from "../../action/action.ts";
import type { RunStep, SavedValue, StepNext } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Acted } from "../desktop.ts";
import type { Cursor } from "../execution.ts";
import type { StepOutcome } from "../execution-store.ts";
import { settleMs } from "../screen/await-element.ts";
import { awaitTyped } from "../screen/await-typed.ts";
import type { SentStep } from "../screen/sent-step.ts";
import { trailAfter } from "../screen/typed-text.ts";
import { leaveForLater, leaveForNext } from "../step/away.ts";
import type { FilledAction } from "../step/fill-action.ts";
import type { Invocation } from "../step/invocation.ts";
import { keepPicture } from "../step/keep-picture.ts";
import { readSecrets } from "../step/read-secrets.ts";
import { redact } from "../step/redact.ts";
import { Screen } from "../step/screen.ts";
import { wordsFor } from "../step/shown-action.ts";
import {
  type Failure,
  failure,
  type NextOfReplay,
  placeAfter,
  type StepResult,
} from "../step/step-result.ts";

/** What follows from what became of an action. */
export async function settleStep(
  invocation: Invocation,
  cursor: Cursor,
  sent: SentStep,
): Promise<StepResult> {
  const { executions } = invocation.deps;
  const { acted, step, element } = sent;
  switch (acted.kind) {
    case "away":
      await executions.withdraw(step);
      return await leaveForLater(invocation, cursor);
    case "uncertain":
      // Its row still says `sending`: the next try asks what became of it.
      return await leaveForLater(invocation, cursor);
    case "failed": {
      const error = redact(acted.error, await readSecrets(invocation));
      const words = `the desktop refused step ${cursor.index} (${wordsFor(element.action)}): ${error}`;
      return await end(invocation, cursor, sent, failure("step_failed", words));
    }
    case "done":
      return await done(invocation, cursor, sent, acted);
  }
}

async function done(
  invocation: Invocation,
  cursor: Cursor,
  sent: SentStep,
  { text, look }: Extract<Acted, { kind: "done" }>,
): Promise<StepResult> {
  const { deps } = invocation;
  const { element, step, filled } = sent;
  const seen = look ?? (filled.hasSecret ? await invocation.desktop.look(settleMs) : undefined);
  // Where a secret is shown has to be known before any picture is kept; its row says `sending` until then.
  if (seen === undefined && filled.hasSecret) return await leaveForLater(invocation, cursor);
  invocation.screen = seen && new Screen(deps.pictures, seen);
  // Further pieces of a text may lie where the field does not show them.
  const isToBeSeen = element.action.type === "type" && cursor.piece === 0;
  const typed = isToBeSeen ? await awaitTyped(invocation, sent, element.timeoutMs) : "typed";
  // Its row says `sending` until then: the next try asks what became of it, and looks anew.
  if (typed === "away") return await leaveForLater(invocation, cursor);
  if (typed === "pauses") return await leaveForNext(invocation, cursor);
  invocation.trail = trailAfter(sent, invocation.screen?.picture);
  if (typed !== "typed") {
    const why =
      typed === "resized"
        ? "typed, and the display is of another size since"
        : `changed nothing on the screen within ${element.timeoutMs / 1_000} s: the field that it types into is not the recorded one`;
    return await end(invocation, cursor, sent, failure("replay_diverged", `step ${cursor.index} ${why}`));
  }
  const saved = await savedValue(invocation, element, text);
  if (saved === "too_large") {
    const words = `what step ${cursor.index} would save has more than ${savedCharactersMax} characters`;
    return await end(invocation, cursor, sent, failure("step_failed", words));
  }
  const kept = await keepPicture(invocation, step);
  const next = nextAfter(cursor, filled);
  await deps.executions.recordOutcome(step, {
    ...outcome(invocation, step, "done", next),
    ...kept,
    ...(saved && { saved }),
  });
  if (saved) invocation.saved.set(saved.name, saved.value);
  return { kind: "next", cursor: placeAfter(cursor, next), waitSeconds: 0, yields: false };
}

export function nextAfter(
  { piece }: Cursor,
  { pieces }: Pick<FilledAction, "pieces">,
): NextOfReplay | undefined {
  return piece + 1 < pieces ? { kind: "piece" } : undefined;
}

async function end(
  invocation: Invocation,
  cursor: Cursor,
  { step }: SentStep,
  ending: Failure,
): Promise<StepResult> {
  const kept = await keepPicture(invocation, step);
  const { errorCode } = ending;
  await invocation.deps.executions.recordOutcome(step, {
    ...outcome(invocation, step, "failed", { kind: "end", errorCode }),
    ...kept,
    error: ending.error,
  });
  return { kind: "end", end: ending, cursor };
}

/** @param next unless the next element comes. */
export function outcome(
  invocation: Invocation,
  step: RunStep,
  status: StepOutcome["status"],
  next?: StepNext,
): StepOutcome {
  return {
    status,
    error: null,
    text: null,
    match: step.match,
    screenshot: null,
    pictureKey: null,
    durationMs: Math.max(0, invocation.deps.clock.now() - Date.parse(step.startedAt)),
    trail: { ...invocation.trail, ...(next && { next }) },
  };
}

/** Larger ones are for files. */
const savedCharactersMax = 65_536;

async function savedValue(
  invocation: Invocation,
  { action }: TrajectoryElement,
  text: string | undefined,
): Promise<SavedValue | "too_large" | undefined> {
  if (text === undefined || !("save_as" in action)) return undefined;
  const { save_as: name } = action as SavingAction;
  const value = redact(text, await readSecrets(invocation));
  return value.length > savedCharactersMax ? "too_large" : { name, value };
}
