import { describe, expect, it } from "vitest";
import type { Action } from "../../../shared/domain/action/action.ts";
import { mayGoOnAt } from "../../../shared/domain/execution/model/reached-goal.ts";
import type { Invocation } from "../../../shared/domain/execution/step/invocation.ts";
import { noTrail } from "../../../shared/domain/execution/step/trail.ts";
import type { RepairTrail } from "../../../shared/domain/run-step/run-step.ts";

const actions: readonly Action[] = [
  { type: "click", x: 1, y: 1 },
  { type: "type", text: "{reference}" },
  { type: "click", x: 2, y: 2 },
  { type: "type", text: "{amount}" },
  { type: "click", x: 3, y: 3 },
];
const begun: RepairTrail = { cells: "", differed: null, hasActed: false, isStepDone: false };

/** Elements at which a repair of one of them may end. */
function goalsOf(own: number, repair: RepairTrail = begun): readonly number[] {
  const elements = actions.map((action) => ({ action, by: "replay", timeoutMs: 0 }));
  const world = {
    plan: { trajectory: { elements } },
    trail: { ...noTrail, repair },
  } as unknown as Invocation;
  return actions.map((_, at) => at).filter((at) => at >= own && mayGoOnAt(world, own, at));
}

describe("a repair", () => {
  it("leaves no text out, whatever the screen shows and a model says", () => {
    expect(goalsOf(1)).toEqual([1]);
    expect(goalsOf(0)).toEqual([0, 1]);
    expect(goalsOf(2)).toEqual([2, 3]);
  });

  it("goes past a text that it has typed itself, and no further than the next one", () => {
    expect(goalsOf(1, { ...begun, hasActed: true, isStepDone: true })).toEqual([1, 2, 3]);
  });
});
