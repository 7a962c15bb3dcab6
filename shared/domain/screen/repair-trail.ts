import {
  type Cells,
  countCells,
  decodeCells,
  encodeCells,
  inBoth,
  inEither,
  noCells,
} from "../picture/cells.ts";
import { thumbnail } from "../picture/downscale.ts";
import { cellsThatDiffer } from "../picture/match-thumbnail.ts";
import { isSameSize, type Picture } from "../picture/picture.ts";
import type { RepairTrail, StepTrail } from "../run-step/run-step.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";
import { contextOf, differingCells, type MatchContext, matchElement, type Replay } from "./match-element.ts";

export function newRepairTrail(
  replay: Replay,
  at: number,
  goals: readonly number[],
  screen: Picture | undefined,
): RepairTrail {
  const { elements } = replay.plan.trajectory;
  const cellsOf = (each: number) => {
    const element = elements[each];
    return screen && element && differingCells(screen, element, contextOf(replay, replay.trail, each));
  };
  const all = goals.flatMap((goal) => cellsOf(goal) ?? []);
  const own = elements[at];
  const isSeen =
    screen !== undefined &&
    own !== undefined &&
    matchElement(screen, own, contextOf(replay, replay.trail, at))?.reason === "other_screen";
  return {
    cells: encodeCells(all.reduce(inEither, noCells())),
    differed: isSeen ? countCells(cellsOf(at) ?? noCells()) : null,
    hasActed: false,
    isStepDone: false,
  };
}

export function withChanged(
  repair: RepairTrail,
  before: Picture | undefined,
  after: Picture | undefined,
): RepairTrail {
  if (before === undefined || after === undefined || !isSameSize(before, after)) return repair;
  return addCells(repair, cellsThatDiffer(after, thumbnail(before)));
}

function addCells(repair: RepairTrail, cells: Cells): RepairTrail {
  return { ...repair, cells: encodeCells(inEither(decodeCells(repair.cells), cells)) };
}

/** Differences that the repair met and that remain are left out from now on. */
export function afterRepairTrail(
  screen: Picture,
  element: TrajectoryElement,
  context: MatchContext,
): StepTrail {
  const { repair, leftOut, ...trail } = context.trail;
  const known = leftOut === undefined ? {} : { leftOut };
  if (repair === undefined) return { ...trail, ...known };
  const differing = differingCells(screen, element, context);
  if (differing === undefined) return context.trail;
  const met = inBoth(decodeCells(repair.cells), differing);
  const whole = leftOut === undefined ? met : inEither(met, decodeCells(leftOut));
  return countCells(whole) === 0 ? trail : { ...trail, leftOut: encodeCells(whole) };
}
