import { isoTimestamp } from "../../clock.ts";
import type { JsonObject } from "../../json.ts";
import type { Acted } from "../desktop.ts";
import { triesOver } from "../engine/tries.ts";
import type { Cursor, SavedValue } from "../execution.ts";
import { actionIdOf, leaveForLater } from "../replay/away.ts";
import { newStep } from "../replay/new-step.ts";
import { outcome } from "../replay/settle-step.ts";
import type { StepResult } from "../replay/step-result.ts";
import { readSecrets } from "../texts/read-secrets.ts";
import { redact } from "../texts/redact.ts";
import type { World } from "../world.ts";

export interface ServiceStep {
  readonly action: JsonObject;
  /** May be done again under the same action id, which a driver does once while it remembers. */
  readonly work: (actionId: string) => Promise<Acted>;
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
  world: World,
  cursor: Cursor,
  { action, work, saved }: ServiceStep,
): Promise<ServiceStepDone> {
  const { deps, job, durable } = world;
  const { executions } = deps;
  const under = await executions.countTry({ ...job, index: cursor.index });
  if (under.kind === "recorded" && under.step.status !== "sending") {
    const { status, error } = under.step;
    return status === "done" ? { kind: "done" } : { kind: "failed", error: error ?? "it failed" };
  }
  const end = triesOver(world, under, cursor, String(action.type));
  if (end !== undefined) return { kind: "result", result: { kind: "end", end, cursor } };
  const step = newStep(world, cursor, {
    ...{ action, source: "service", match: null, trail: world.trail },
    startedAt: isoTimestamp(deps.clock.now()),
  });
  if (!(await executions.recordSending(step, durable.arn)))
    return { kind: "result", result: { kind: "ended" } };
  const acted = await work(actionIdOf(step));
  switch (acted.kind) {
    case "away":
      await executions.withdraw(step);
      return { kind: "result", result: await leaveForLater(world, cursor) };
    case "uncertain":
    case "unknown":
      // Its row still says `sending`: the next try does it again, whole.
      return { kind: "result", result: await leaveForLater(world, cursor) };
    case "failed": {
      const error = redact(acted.error, await readSecrets(world));
      await executions.recordOutcome(step, { ...outcome(world, step, "failed"), error });
      return { kind: "failed", error };
    }
    case "done": {
      const value = acted.text === undefined ? undefined : saved?.(acted.text);
      await executions.recordOutcome(step, {
        ...outcome(world, step, "done"),
        text: acted.note ?? null,
        saved: value,
      });
      if (value) world.saved.set(value.name, value.value);
      return { kind: "done" };
    }
  }
}
