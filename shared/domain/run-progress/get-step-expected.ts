import type { Caller } from "../access/caller.ts";
import { isPointing } from "../action/action.ts";
import { DomainError } from "../errors.ts";
import type { Plan } from "../plan/plan.ts";
import { planOfRun } from "../plan/plan-file.ts";
import type { RunStep } from "../run-step/run-step.ts";
import type { RecordedPiece } from "../trajectory/trajectory-element.ts";
import { requireRun, requireStep, type StepDeps } from "./step-deps.ts";

export function hasExpected({ match, trail }: Pick<RunStep, "match" | "trail">): boolean {
  if (trail.missed !== undefined) return true;
  const isOfElement = trail.element !== null || trail.reset !== undefined;
  return isOfElement && match !== null && match.reason !== "nothing_recorded";
}

export interface ExpectedPiece {
  readonly png: Uint8Array;
  /** Its place on the recorded screen, in pixels. */
  readonly x: number;
  readonly y: number;
}

/** The run's plan decides, so later changes of the trajectory do not matter. @throws {DomainError} `not_found` */
export async function getStepExpected(
  deps: StepDeps,
  caller: Caller,
  { runId, index }: { readonly runId: string; readonly index: number },
): Promise<ExpectedPiece> {
  const run = await requireRun(deps, caller, runId);
  const step = await requireStep(deps, run, index);
  if (!hasExpected(step)) {
    throw new DomainError("not_found", `step ${index} looked for no piece of a recorded screen`);
  }
  const plan = await planOfRun(deps, run, step);
  const piece = plan && pieceOf(plan, step);
  if (piece === undefined) {
    throw new DomainError("not_found", `what step ${index} looked for has expired`);
  }
  return { png: Buffer.from(piece.png, "base64"), x: piece.x, y: piece.y };
}

/** Returns the missing piece. Text without a guard is typed at the last anchor before it. */
function pieceOf(
  { trajectory }: Plan,
  { match, trail: { element, reset, missed } }: Pick<RunStep, "match" | "trail">,
): RecordedPiece | undefined {
  if (missed !== undefined) return trajectory.expect[missed];
  const elements = reset === undefined ? trajectory.elements : (trajectory.reset ?? []);
  const at = reset ?? element ?? 0;
  const looked = elements[at];
  if (looked === undefined) return undefined;
  if (!isPointing(looked.action) && looked.guard !== undefined) return looked.guard;
  const anchored = isPointing(looked.action)
    ? looked
    : elements.slice(0, at).findLast(({ anchor }) => anchor !== undefined);
  return match?.reason === "point_differs" ? anchored?.guard : anchored?.anchor;
}
