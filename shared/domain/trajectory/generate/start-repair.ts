import type { RunStep } from "../../execution/execution.ts";

/**
 * The steps in which a model brought back the first recorded screen, after which the replay went on: they lead to the
 * work and are none of it. None where the model went on alone.
 */
export function startRepair(steps: readonly RunStep[]): ReadonlySet<RunStep> {
  const begun = steps.findIndex(isReplayed);
  const first = steps[begun];
  const next = first?.trail.element === 0 ? first.trail.next : undefined;
  if (next?.kind !== "model" || next.goals === null) return new Set();
  const after = steps.slice(begun + 1);
  const end = after.findIndex(isReplayed);
  return new Set(end < 0 ? [] : after.slice(0, end));
}

function isReplayed({ source }: RunStep): boolean {
  return source === "replay";
}
