import type { Acted, Slow } from "../../desktop/desktop.ts";
import type { RunStep, SavedValue, StepTrail } from "../../run-step/run-step.ts";
import type { ExecutionJob } from "../execution.ts";
import type { Invocation } from "./invocation.ts";
import { durationOf } from "./new-step.ts";
import { settleMs } from "./screen.ts";
import { away, ended, type StepResult } from "./step-result.ts";

export interface Attempt {
  /** All tries of a step have the same id: a driver acts once while it remembers. */
  readonly actionId: string;
  readonly repeat: boolean;
  /** Nothing may be done before this resolves to true, which means that the intent is on record. */
  readonly allowed?: Promise<boolean>;
}

export type EffectResult<Effect extends Acted | Slow> = Exclude<
  Effect,
  { readonly kind: "away" | "uncertain" }
>;

export interface Outcome {
  readonly kind: "outcome";
  readonly status: "done" | "failed" | "unknown";
  readonly error?: string | null;
  readonly text?: string | null;
  readonly screenshot?: RunStep["screenshot"];
  readonly pictureKey?: RunStep["pictureKey"];
  readonly trail: StepTrail;
  readonly saved?: SavedValue | undefined;
}

export interface Activity<Effect extends Acted | Slow> {
  readonly step: RunStep;
  /** True if an invocation ended between intent and outcome. */
  readonly isUnderWay: boolean;
  /** Recovery queries the driver for the outcome, or repeats the whole effect. */
  readonly recovery: "ask" | "again";
  readonly effect: (attempt: Attempt) => Promise<Effect>;
  /** @returns a result if the outcome cannot be recorded yet; the row says `sending` until then. */
  readonly judge: (became: EffectResult<Effect>) => Promise<Outcome | StepResult>;
  /** The result depends only on the row, so every read of the row gives the same one. */
  readonly follow: (row: RunStep) => StepResult | Promise<StepResult>;
}

/**
 * Records the intent, lets the effect happen, then records the outcome. Recovery starts from whichever was written
 * last: after the outcome the row is followed, between the two the effect is recovered here.
 */
export async function performOnce<Effect extends Acted | Slow>(
  invocation: Invocation,
  activity: Activity<Effect>,
): Promise<StepResult> {
  const { step, recovery } = activity;
  const isAsked = activity.isUnderWay && recovery === "ask";
  const acted = isAsked ? await ask(invocation, activity) : await intendAndAct(invocation, activity);
  if (acted === undefined) return ended;
  switch (acted.kind) {
    case "away":
      // This call did nothing, while the effect of an earlier one is unknown.
      if (!isAsked) await invocation.withdrawIntent(step);
      return away;
    case "uncertain":
      return away;
    case "unknown":
      if (recovery === "ask" && !isAsked)
        throw new Error("the desktop does not know an action that was sent");
  }
  const judged = await activity.judge(acted as EffectResult<Effect>);
  if (judged.kind !== "outcome") return judged;
  const { kind: _kind, saved, ...outcome } = judged;
  const recorded = { ...nothing, ...outcome, match: step.match, durationMs: durationOf(invocation, step) };
  await invocation.recordOutcome(step, { ...recorded, ...(saved && { saved }) });
  return await activity.follow({ ...step, ...recorded });
}

const nothing = { error: null, text: null, screenshot: null, pictureKey: null };

/** The effect makes two calls before it sends anything, so it begins first and waits for the intent's record. */
async function intendAndAct<Effect extends Acted | Slow>(
  invocation: Invocation,
  { step, effect }: Activity<Effect>,
): Promise<Effect | undefined> {
  const allowed = Promise.withResolvers<boolean>();
  const acting = effect({ actionId: actionIdOf(step), repeat: false, allowed: allowed.promise });
  allowed.resolve(invocation.recordIntent(step));
  const [isOurs, acted] = await Promise.allSettled([allowed.promise, acting]);
  if (isOurs.status === "rejected") throw isOurs.reason;
  if (!isOurs.value) return undefined;
  if (acted.status === "rejected") throw acted.reason;
  return acted.value;
}

/** A driver forgets pictures soon, so a missing one is taken again. */
async function ask<Effect extends Acted | Slow>(
  invocation: Invocation,
  { step, effect }: Activity<Effect>,
): Promise<Effect> {
  const acted = await effect({ actionId: actionIdOf(step), repeat: true });
  const isBare = acted.kind === "done" && acted.look === undefined;
  return isBare ? { ...acted, look: await invocation.desktop.look(settleMs) } : acted;
}

function actionIdOf({
  assignmentId,
  index,
}: Pick<ExecutionJob, "assignmentId"> & { readonly index: number }): string {
  return `${assignmentId}-${index}`;
}

export async function recordStep(
  invocation: Invocation,
  step: RunStep,
  follow: (row: RunStep) => StepResult,
  saved?: SavedValue,
): Promise<StepResult> {
  const row = { ...step, durationMs: step.durationMs ?? durationOf(invocation, step) };
  return (await invocation.record(row, saved)) ? follow(row) : ended;
}
