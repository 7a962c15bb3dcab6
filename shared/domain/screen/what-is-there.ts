import { isKeyboard, wordsFor } from "../action/action.ts";
import { type Cells, cellsInAll, countCells, hasMostCells, largestPart } from "../picture/cells.ts";
import { findAnchor, searchPixels } from "../picture/find-anchor.ts";
import { greyOf } from "../picture/grey-plane.ts";
import { isSameThumbnail } from "../picture/match-thumbnail.ts";
import { frameOf, holds, type Picture, type Rectangle, shifted } from "../picture/picture.ts";
import { pictureOf } from "../picture/picture-codec.ts";
import type { StepMatch } from "../run-step/run-step.ts";
import type { RecordedPiece, TrajectoryElement } from "../trajectory/trajectory-element.ts";
import { contextOf, differingCells, type MatchContext, type Replay } from "./match-element.ts";

/** A search for a lost piece, to report its new place, ends this many pixels from its old one. */
const farPixels = 640;

/** A piece with this correlation is the recorded one with another look. */
const likeMin = 0.85;

/** The text is for people, and follows "step 3 (click Save): ". */
export function whatIsThere(
  replay: Replay,
  screen: Picture | undefined,
  at: number,
  element: TrajectoryElement,
  { reason, score }: Pick<StepMatch, "reason" | "score">,
): string {
  const name = element.action.target ?? (isKeyboard(element.action) ? "the field for it" : "what it acts on");
  if (reason === "nothing_recorded") return `no picture of ${name} was recorded`;
  if (reason === "too_flat") return `what was recorded of ${name} cannot be told from its surroundings`;
  if (reason === "ambiguous") return `two places look like ${name}`;
  if (screen === undefined) return `${name} is not where it was recorded`;
  const context = contextOf(replay, replay.trail, at);
  if (reason === "wrong_size") return wrongSize(screen, context);
  const piece = element.anchor ?? element.guard;
  const isThere = reason === "other_screen" || score >= likeMin;
  const cells = differingCells(screen, element, context);
  const around = cells && aroundIt(replay, at, { cells, screen, context, isThere });
  if (reason === "other_screen") return `${name} is there, but ${around ?? "the screen around it differs"}`;
  const and = around === undefined ? "" : `; ${around}`;
  if (reason === "point_differs") return `what is beside ${name} is there, but not ${name}${and}`;
  const own = piece && itself(screen, piece, score, context);
  if (own !== undefined) return `${name} is there, but ${own}${and}`;
  const far = element.anchor && farAway(screen, element.anchor, context);
  if (far !== undefined) {
    return `${name} is not where it was recorded but ${far}, and is followed up to ${searchPixels} pixels`;
  }
  return `${name} is not to be seen: ${around ?? "the screen is the recorded one but for that place"}`;
}

function wrongSize({ width, height }: Picture, { recordedSize }: MatchContext): string {
  const recorded = recordedSize && `, and was recorded with ${recordedSize.width} x ${recordedSize.height}`;
  return `the display is not of the recorded size: it has ${width} x ${height} pixels${recorded ?? ""}`;
}

/** An earlier screen is still visible if this many times fewer cells differ from it. */
const stillFactor = 4;

interface Seen {
  readonly screen: Picture;
  readonly context: MatchContext;
  readonly cells: Cells;
  readonly isThere: boolean;
}

function aroundIt(
  { plan }: Pick<Replay, "plan">,
  at: number,
  { cells, screen, context, isThere }: Seen,
): string | undefined {
  if (isSameThumbnail(cells)) return undefined;
  const before = plan.trajectory.elements.slice(0, at).findLastIndex((element) => {
    const own = differingCells(screen, element, context);
    return own !== undefined && countCells(own) * stillFactor <= countCells(cells);
  });
  const earlier = plan.trajectory.elements[before];
  if (earlier !== undefined) {
    return `the screen is still that of element ${before + 1} (${wordsFor(earlier.action)})`;
  }
  return differenceIn(cells, isThere);
}

/** A part is a window if this share of its rectangle differs. */
const filledMin = 0.75;

/** One part is the difference if it has this share of all differing cells. */
const partMin = 0.6;

function differenceIn(cells: Cells, isThere: boolean): string {
  const count = countCells(cells);
  if (hasMostCells(count)) {
    const nothing = isThere ? "nothing else" : "nothing";
    return `${nothing} is as it was recorded: another program is in front, or the theme is another one`;
  }
  const part = largestPart(cells);
  const isWindow = part !== undefined && part.filled >= filledMin && part.count >= partMin * count;
  if (!isWindow) return `${percent(count)} of the screen differs from the recorded one`;
  return isThere
    ? `another window covers ${percent(part.count)} of the screen where the recording had none`
    : `${percent(part.count)} of the screen, in one part, shows another window or page`;
}

function percent(count: number): string {
  return `${Math.max(1, Math.round((100 * count) / cellsInAll))} %`;
}

/** A larger difference of mean grey is another brightness. */
const dimmedBy = 0.12;

function itself(
  screen: Picture,
  recorded: RecordedPiece,
  score: number,
  { codec, trail: { movedBy } }: MatchContext,
): string | undefined {
  if (score < likeMin) return undefined;
  const place = shifted(frameOf(recorded), movedBy);
  const [now, then] = [holds(screen, place) ? meanOf(screen, place) : undefined, pieceMean(codec, recorded)];
  if (now !== undefined && now < then * (1 - dimmedBy)) return "is darker than recorded, as behind a dialog";
  if (now !== undefined && now > then * (1 + dimmedBy))
    return "is lighter than recorded, as if it were disabled";
  return "looks different from what was recorded: another text, selected or disabled";
}

function pieceMean(codec: MatchContext["codec"], recorded: RecordedPiece): number {
  const piece = pictureOf(codec, recorded.png);
  return meanOf(piece, { x: 0, y: 0, width: piece.width, height: piece.height });
}

function meanOf(picture: Picture, part: Rectangle): number {
  const { values } = greyOf(picture, part);
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function farAway(
  screen: Picture,
  recorded: RecordedPiece,
  { codec, trail: { masks, movedBy } }: MatchContext,
): string | undefined {
  const { x, y } = recorded;
  const piece = pictureOf(codec, recorded.png);
  const found = findAnchor(screen, { x, y, piece }, { masks, movedBy, radius: farPixels });
  if (found.kind !== "found") return undefined;
  const { dx, dy } = found.movedBy;
  const across = dx === 0 ? [] : [`${Math.abs(dx)} pixels to the ${dx > 0 ? "right" : "left"}`];
  const down = dy === 0 ? [] : [`${Math.abs(dy)} pixels ${dy > 0 ? "below" : "above"}`];
  return [...across, ...down].join(" and ");
}
