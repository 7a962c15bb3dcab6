import type { RunStep, SavedValue, StepTrail } from "../../run-step/run-step.ts";
import type { Acted, Slow } from "../desktop.ts";
import type { ExecutionJob } from "../execution.ts";
import type { Invocation } from "./invocation.ts";
import { durationOf } from "./new-step.ts";
import { settleMs } from "./screen.ts";
import { away, ended, type StepResult } from "./step-result.ts";

/** One try of an effect. */
export interface Attempt {
  /** The same for each try of a step: a driver does it once while it remembers. */
  readonly actionId: string;
  /** Asks what became of it, and does nothing. */
  readonly repeat: boolean;
  /** Resolves to whether the intent is on record: nothing is done before it resolves, nor unless to true. */
  readonly allowed?: Promise<boolean>;
}

/** The result of an effect, where that can be judged. */
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

/** An action that is done at most once, and its judgement. */
export interface Activity<Effect extends Acted | Slow> {
  /** The step as its intent is recorded. */
  readonly step: RunStep;
  /** Whether the intent is on record already: an invocation ended between it and the outcome. */
  readonly isUnderWay: boolean;
  /** Recovery: the driver is asked what became of the effect, or it is tried again, whole. */
  readonly recovery: "ask" | "again";
  readonly effect: (attempt: Attempt) => Promise<Effect>;
  /** @returns a result where nothing can be recorded yet: the row says `sending` until it can. */
  readonly judge: (became: EffectResult<Effect>) => Promise<Outcome | StepResult>;
  /** Where the step leads, by its row: the same whenever that is read. */
  readonly follow: (row: RunStep) => StepResult | Promise<StepResult>;
}

/**
 * Puts the intent on record, then lets the effect happen, then puts the outcome on record. Recovery starts from whichever
 * was written last: after the outcome the row is followed, between intent and outcome the effect is recovered here.
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
      // Nothing was done by this call. What an earlier one did is not known.
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

/** A call is begun first, since it makes two calls of its own before it sends anything; it waits for the intent's record. */
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

/** A driver's memory of a picture is short: the screen is seen anew where it has none. */
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

/** Records a step that sends nothing, whole, and follows it. */
export async function recordStep(
  invocation: Invocation,
  step: RunStep,
  follow: (row: RunStep) => StepResult,
  saved?: SavedValue,
): Promise<StepResult> {
  const row = { ...step, durationMs: step.durationMs ?? durationOf(invocation, step) };
  return (await invocation.record(row, saved)) ? follow(row) : ended;
}
