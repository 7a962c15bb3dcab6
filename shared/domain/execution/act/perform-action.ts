import { actionKinds } from "../../action/action.ts";
import type { Acted } from "../../desktop/desktop.ts";
import type { FilledAction } from "../../filling/fill-action.ts";
import type { Picture } from "../../picture/picture.ts";
import type { RunStep, SavedValue, StepTrail } from "../../run-step/run-step.ts";
import { type SentStep, trailAfter } from "../../screen/typed-text.ts";
import { type AwaitedText, awaitTyped } from "../screen/await-typed.ts";
import type { Invocation } from "../step/invocation.ts";
import {
  type Activity,
  type Attempt,
  type EffectResult,
  type Outcome,
  performOnce,
} from "../step/perform-once.ts";
import { settleMs } from "../step/screen.ts";
import { away, pauses, type StepResult } from "../step/step-result.ts";

export type ScreenBefore = Pick<SentStep, "before" | "isBeforeStored">;

export interface DesktopActivity
  extends Pick<Activity<Acted>, "step" | "isUnderWay" | "follow">,
    Pick<SentStep, "element"> {
  readonly filled: FilledAction;
  readonly before: ScreenBefore | undefined;
  /** This work replaces the desktop's. It changes nothing, and may be repeated. */
  readonly idle?: () => Promise<Acted>;
  readonly meanwhile?: () => void;
  readonly judge: (seen: SeenAction) => Outcome | StepResult;
}

export interface SeenAction {
  readonly status: "done" | "failed" | "unknown";
  readonly error: string | null;
  readonly typed: Exclude<AwaitedText, "away" | "pauses">;
  readonly sent: SentStep;
  readonly after: Picture | undefined;
  readonly trail: StepTrail;
  readonly saved: SavedValue | "too_large" | undefined;
}

export async function performAction(invocation: Invocation, activity: DesktopActivity): Promise<StepResult> {
  const { step, isUnderWay, element, filled, follow, idle } = activity;
  if (isUnderWay) invocation.goOnWithin(step);
  const before = activity.before ?? (await storedBefore(invocation, step));
  const sent: SentStep = { element, step, filled, ...before };
  const act = async (attempt: Attempt) => {
    const action = attempt.repeat ? step.action : filled.sent;
    const acting = invocation.desktop.act(action, { ...attempt, settleMs });
    activity.meanwhile?.();
    return await acting;
  };
  const wait = async ({ allowed }: Attempt): Promise<Acted> =>
    (await allowed) === false || idle === undefined ? { kind: "away" } : await idle();
  return await performOnce(invocation, {
    step,
    isUnderWay,
    recovery: idle === undefined ? "ask" : "again",
    effect: idle === undefined ? act : wait,
    judge: async (became) => await judge(invocation, activity, sent, became),
    follow,
  });
}

async function judge(
  invocation: Invocation,
  { element, filled, judge: judged }: DesktopActivity,
  sent: SentStep,
  became: EffectResult<Acted>,
): Promise<Outcome | StepResult> {
  const { kind: status } = became;
  // Visible secrets must be known before any picture is kept; the row says `sending` until then.
  const needsLook = status === "unknown" || (status === "done" && filled.hasSecret);
  const given = status === "unknown" ? undefined : became.look;
  const look = given ?? (needsLook ? await invocation.desktop.look(settleMs) : undefined);
  if (look === undefined && needsLook) return away;
  if (look !== undefined || status !== "failed") invocation.see(look);
  // Later pieces of a text may lie outside the visible field. Text that may have been typed can appear late.
  const isAwaited = status === "done" ? filled.piece === 0 : status === "unknown";
  const typed =
    element.action.type === "type" && isAwaited
      ? await awaitTyped(invocation, sent, element.timeoutMs)
      : "typed";
  if (typed === "away") return away;
  if (typed === "pauses") return pauses;
  const after = look && invocation.screen?.picture;
  const outcome = judged({
    status,
    error: status === "failed" ? await invocation.withoutSecrets(became.error) : null,
    typed,
    sent,
    after,
    trail: trailAfter(sent, after),
    saved: status === "done" ? await savedValue(invocation, sent, became.text) : undefined,
  });
  if (outcome.kind !== "outcome" || invocation.screen === undefined) return outcome;
  return { ...outcome, ...(await invocation.keepPicture(sent.step, outcome.trail)) };
}

async function storedBefore(invocation: Invocation, { pictureKey }: RunStep): Promise<ScreenBefore> {
  const stored = pictureKey === null ? undefined : await invocation.findPicture(pictureKey);
  return { before: stored?.picture, isBeforeStored: true };
}

export const savedCharactersMax = 65_536;

async function savedValue(
  invocation: Invocation,
  { element: { action } }: SentStep,
  text: string | undefined,
): Promise<SavedValue | "too_large" | undefined> {
  if (text === undefined || !actionKinds[action.type].saves || !("save_as" in action)) return undefined;
  const value = await invocation.withoutSecrets(text);
  return value.length > savedCharactersMax ? "too_large" : { name: String(action.save_as), value };
}
