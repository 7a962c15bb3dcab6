import { longTransferMsMax } from "../../../vocabulary/drivers.ts";
import { isoTimestamp } from "../../clock.ts";
import type { SavedValue } from "../../run-step/run-step.ts";
import { outcome } from "../act/settle-step.ts";
import type { Acted, Slow } from "../desktop.ts";
import type { Cursor } from "../execution.ts";
import { actionIdOf, leaveForLater } from "../step/away.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { withoutSecrets } from "../step/read-secrets.ts";
import type { StepResult } from "../step/step-result.ts";
import { countTry, releaseTry, triesOver } from "../step/tries.ts";

export interface ServiceStep {
  /** Of a file that the desktop has named, the path may hold anything. */
  readonly action: { readonly type: string; readonly path: string };
  /** May be done again under the same action id, which a driver does once while it remembers. */
  readonly work: (actionId: string) => Promise<Acted | Slow>;
  /** Of what came back. */
  readonly saved?: (text: string) => SavedValue;
}

export type ServiceStepDone =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: string }
  /** Not over, or for the whole run. */
  | { readonly kind: "result"; readonly result: StepResult };

/** A step of the service's own, on record like any other: files. Its picture is none. */
export async function serviceStep(
  invocation: Invocation,
  cursor: Cursor,
  { action, work, saved }: ServiceStep,
): Promise<ServiceStepDone> {
  const { deps, durable } = invocation;
  const { executions } = deps;
  const under = await countTry(invocation, cursor);
  if (under.kind === "recorded" && under.step.status !== "sending") {
    const { status, error } = under.step;
    return status === "done" ? { kind: "done" } : { kind: "failed", error: error ?? "it failed" };
  }
  const end = triesOver(invocation, under, cursor, action.type);
  if (end !== undefined) return { kind: "result", result: { kind: "end", end, cursor } };
  const step = newStep(invocation, cursor, {
    action: { ...action, path: await withoutSecrets(invocation, action.path) },
    source: "service",
    match: null,
    trail: invocation.trail,
    startedAt: isoTimestamp(deps.clock.now()),
  });
  if (!(await executions.recordSending(step, durable.arn, invocation.tries)))
    return { kind: "result", result: { kind: "ended" } };
  const failed = async (error: string): Promise<ServiceStepDone> => {
    await executions.recordOutcome(step, { ...outcome(invocation, step, "failed"), error });
    return { kind: "failed", error };
  };
  const acted = await work(actionIdOf(step));
  switch (acted.kind) {
    case "away":
      await executions.withdraw(step);
      return { kind: "result", result: await leaveForLater(invocation, cursor) };
    case "uncertain":
    case "unknown":
      // Its row still says `sending`: the next try does it again, whole.
      return { kind: "result", result: await leaveForLater(invocation, cursor) };
    case "slow": {
      const waitedMs = cursor.waitedMs + acted.waitedMs;
      const error = reasonToGiveUp(acted, waitedMs);
      if (error !== undefined) return await failed(error);
      await releaseTry(invocation, cursor);
      const next = { ...cursor, waitedMs };
      return { kind: "result", result: { kind: "next", cursor: next, waitSeconds: 1, yields: false } };
    }
    case "failed":
      return await failed(await withoutSecrets(invocation, acted.error));
    case "done": {
      const value = acted.text === undefined ? undefined : saved?.(acted.text);
      await executions.recordOutcome(step, {
        ...outcome(invocation, step, "done"),
        text: acted.note === undefined ? null : await withoutSecrets(invocation, acted.note),
        saved: value,
      });
      if (value) invocation.saved.set(value.name, value.value);
      return { kind: "done" };
    }
  }
}

/** A driver that does not go on begins anew each time: a second try is for a bad moment. */
function reasonToGiveUp({ goesOn, waitedMs: callMs }: Slow, waitedMs: number): string | undefined {
  if (goesOn)
    return waitedMs < longTransferMsMax
      ? undefined
      : `it was still on its way after ${longTransferMsMax / 60_000} minutes`;
  if (waitedMs <= callMs) return undefined;
  return `it takes longer than the ${callMs / 1_000} s of a call, and the machine's driver does not name long_transfers among its capabilities`;
}
