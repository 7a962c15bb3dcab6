import type { Trajectory } from "../../../../../shared/contract/trajectory/trajectory.ts";

type Pieces = NonNullable<Trajectory["expect"]>;
export type ExpectedPiece = Pieces[number];

/** The part of the last recorded screen that a run's error names by its place; undefined if it names none. */
export function missedPiece(errors: readonly string[], expect: Pieces): ExpectedPiece | undefined {
  const named = /of the last recorded screen \((\d+) x (\d+) pixels at (\d+), (\d+)\)/.exec(errors.join(" "));
  const [width, height, x, y] = (named ?? []).slice(1).map(Number);
  return expect.find(
    (piece) => piece.width === width && piece.height === height && piece.x === x && piece.y === y,
  );
}
