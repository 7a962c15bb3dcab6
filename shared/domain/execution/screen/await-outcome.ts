import { isSameSize } from "../../picture/picture.ts";
import { fillIn, nobodyGave } from "../../placeholder/fill-in.ts";
import type { StepTrail } from "../../run-step/run-step.ts";
import { contextOf, matchPiece } from "../../screen/match-element.ts";
import type { RecordedPiece } from "../../trajectory/trajectory-element.ts";
import type { Invocation } from "../step/invocation.ts";
import { leftMs, sleepWithin } from "../step/time-left.ts";

const outcomeTimeoutMs = 10_000;
const pauseMs = 500;

export interface Missing {
  readonly words: string;
  readonly trail: Pick<StepTrail, "missed">;
}

export type MissingOutcome = "away" | Missing | undefined;

export async function awaitOutcome(invocation: Invocation): Promise<MissingOutcome> {
  const { deps, plan } = invocation;
  const { expect } = plan.trajectory;
  const fromMs = deps.clock.now();
  for (;;) {
    const missing = await missingScreen(invocation, expect);
    if (missing === "away") return "away";
    if (missing === undefined) break;
    if (deps.clock.now() - fromMs >= outcomeTimeoutMs) return missing;
    // The next step ends the run, whose time is over.
    if (leftMs(invocation) === 0) return "away";
    await sleepWithin(invocation, pauseMs);
    invocation.forgetScreen();
  }
  return await missingFile(invocation);
}

async function missingFile({ plan, saved, desktop }: Invocation): Promise<MissingOutcome> {
  for (const check of plan.trajectory.checks) {
    if (check.kind !== "file") continue;
    const path = fillIn(check.path, { inputs: plan.inputValues, saved, aliases: new Set() });
    if (path.kind === "missing") {
      return { words: nobodyGave("the path of a file to check", path.name), trail: {} };
    }
    const isThere = await desktop.hasFile(path.shown);
    if (isThere === undefined) return "away";
    if (!isThere) return { words: `the file ${path.shown} is not there`, trail: {} };
  }
  return undefined;
}

async function missingScreen(
  invocation: Invocation,
  expect: readonly RecordedPiece[],
): Promise<MissingOutcome> {
  if (expect.length === 0) return undefined;
  const screen = await invocation.lastScreen();
  if (screen === undefined) return "away";
  const { trajectory, trajectoryId } = invocation.plan;
  const context = contextOf(invocation, invocation.trail, trajectory.elements.length);
  const isAsRecorded = isSameSize(screen.picture, context.recordedSize ?? screen.picture);
  // A replay on another display has diverged; a model's work there just looks different.
  if (trajectoryId === null && !isAsRecorded) return undefined;
  const at = expect.findIndex((piece) => !matchPiece(screen.picture, piece, context).isFound);
  const piece = expect[at];
  return piece && { words: wordsOf(piece, { at, of: expect.length }), trail: { missed: at } };
}

function wordsOf(
  { x, y, width, height }: RecordedPiece,
  { at, of }: { readonly at: number; readonly of: number },
): string {
  return `part ${at + 1} of ${of} of the last recorded screen (${width} x ${height} pixels at ${x}, ${y}) is not to be seen; if that part shows a value of the recording's run, remove it from the trajectory's expect`;
}
