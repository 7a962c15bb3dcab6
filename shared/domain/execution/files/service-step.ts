import { longTransferMsMax } from "../../../vocabulary/drivers.ts";
import type { Acted, Slow } from "../../desktop/desktop.ts";
import type { RunStep, SavedValue } from "../../run-step/run-step.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { type EffectResult, type Outcome, performOnce } from "../step/perform-once.ts";
import { advanced, away, ends, next, type StepResult } from "../step/step-result.ts";

export interface ServiceStep {
  /** The desktop has named the path, which may hold a secret. */
  readonly action: { readonly type: string; readonly path: string };
  /** The driver acts once on the same action id while it remembers; later the work may be repeated. */
  readonly work: (actionId: string) => Promise<Acted | Slow>;
  readonly saved?: (text: string) => SavedValue;
  readonly follow: (error: string | undefined) => StepResult | Promise<StepResult>;
}

export async function serviceStep(
  invocation: Invocation,
  cursor: Cursor,
  { action, work, saved, ...step }: ServiceStep,
): Promise<StepResult> {
  const follow = ({ status, error }: RunStep) =>
    step.follow(status === "done" ? undefined : (error ?? "it failed"));
  const under = await invocation.countTry(cursor, action.type);
  if (under.kind === "over") return ends(cursor, under.end);
  const isUnderWay = under.kind === "recorded";
  if (isUnderWay && under.step.status !== "sending") return await follow(under.step);
  const path = await invocation.withoutSecrets(action.path);
  return await performOnce<Acted | Slow>(invocation, {
    step: newStep(invocation, cursor, { action: { ...action, path }, source: "service" }),
    isUnderWay,
    recovery: "again",
    effect: async ({ actionId, allowed }) =>
      (await allowed) === false ? { kind: "away" } : await work(actionId),
    judge: async (became) => await judge(invocation, cursor, became, saved),
    follow,
  });
}

async function judge(
  invocation: Invocation,
  cursor: Cursor,
  became: EffectResult<Acted | Slow>,
  saved: ServiceStep["saved"],
): Promise<Outcome | StepResult> {
  const { trail } = invocation;
  switch (became.kind) {
    case "unknown":
      return away;
    case "slow": {
      const waitedMs = cursor.waitedMs + became.waitedMs;
      const error = reasonToGiveUp(became, waitedMs);
      if (error !== undefined) return { kind: "outcome", status: "failed", error, trail };
      await invocation.releaseTry(cursor);
      return next({ ...cursor, waitedMs }, 1);
    }
    case "failed": {
      const error = await invocation.withoutSecrets(became.error);
      return { kind: "outcome", status: "failed", error, trail };
    }
    case "done": {
      const { text, note } = became;
      return {
        kind: "outcome",
        status: "done",
        text: note === undefined ? null : await invocation.withoutSecrets(note),
        trail,
        saved: text === undefined ? undefined : saved?.(text),
      };
    }
  }
}

/** A driver without long transfers restarts each time; one second try covers a short failure. */
function reasonToGiveUp({ goesOn, waitedMs: callMs }: Slow, waitedMs: number): string | undefined {
  if (goesOn)
    return waitedMs < longTransferMsMax
      ? undefined
      : `it was still on its way after ${longTransferMsMax / 60_000} minutes`;
  if (waitedMs <= callMs) return undefined;
  return `it takes longer than the ${callMs / 1_000} s of a call, and the machine's driver does not name long_transfers among its capabilities`;
}

export function nextFile(
  cursor: Cursor,
  counted: Partial<Pick<Cursor["files"], "put" | "taken">> = {},
): StepResult {
  const files = { ...cursor.files, ...counted, at: cursor.files.at + 1 };
  return next({ ...advanced(cursor, { piece: cursor.piece }), files });
}
