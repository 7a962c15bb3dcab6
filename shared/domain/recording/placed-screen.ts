import { thumbnail } from "../picture/downscale.ts";
import { shiftPicture } from "../picture/edit-picture.ts";
import { type Picture, reversed, type Shift } from "../picture/picture.ts";

export interface PlacedScreen {
  readonly picture: Picture;
  /** Parts that do not move with the window stay in their places. */
  readonly small: Picture;
  /** The index of the step whose picture it is; absent where that is not on record. */
  readonly index?: number;
}

const alikeMax = 12;

/** @param still is the set of cells that stay when the window moves. */
export function placedScreen(screen: Picture, movedBy: Shift, still: readonly boolean[] = []): PlacedScreen {
  const asSeen = thumbnail(screen);
  if (movedBy.dx === 0 && movedBy.dy === 0) return { picture: screen, small: asSeen };
  const picture = shiftPicture(screen, reversed(movedBy));
  const small = thumbnail(picture);
  const data = small.data.map((value, at) => (still[Math.floor(at / 3)] ? (asSeen.data[at] ?? 0) : value));
  return { picture, small: { ...small, data } };
}

export function stillCells(recorded: Picture, screen: Picture, movedBy: Shift): readonly boolean[] {
  const [moved, asSeen] = [placedScreen(screen, movedBy).small, thumbnail(screen)];
  const isAlike = (one: Picture, cell: number) =>
    [0, 1, 2].every((color) => {
      const at = 3 * cell + color;
      return Math.abs((one.data[at] ?? 0) - (recorded.data[at] ?? 0)) <= alikeMax;
    });
  const cells = Array.from({ length: recorded.width * recorded.height }, (_, cell) => cell);
  return cells.map((cell) => isAlike(asSeen, cell) && !isAlike(moved, cell));
}
