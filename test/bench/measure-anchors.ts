import { createPng } from "../../infra/driver/screens/pictures/png.ts";
import { cutAnchor } from "../../shared/domain/picture/cut-anchor.ts";
import { findAnchor, type MatchLimits, matchLimits } from "../../shared/domain/picture/find-anchor.ts";
import type { Picture, Shift } from "../../shared/domain/picture/picture.ts";
import { matchElement } from "../../shared/domain/screen/match-element.ts";
import type { TrajectoryElement } from "../../shared/domain/trajectory/trajectory-element.ts";
import { decodePng } from "../../shared/pictures/decode-png.ts";
import { pngCodec } from "../../shared/pictures/png-codec.ts";
import { type AnchorPair, anchorPairs } from "../support/pictures/anchor-pairs.ts";
import { type BesidePair, besidePairs } from "../support/pictures/beside-pairs.ts";
import { noise as noiseAt } from "../support/pictures/frames.ts";
import {
  aProgram,
  buttonPlace,
  centerOf,
  drawProgram,
  fieldPlace,
  type ProgramState,
} from "../support/pictures/program-screen.ts";
import { type Figure, median, milliseconds } from "./figure.ts";
import { sized } from "./sized.ts";

const pairsMin = sized(2_000, 20);
const besidePairsMin = sized(480, 4);
const rounds = sized(41, 1);
const inPlaceMsMax = 30;
const movedMsMax = 60;
const size = { width: 1920, height: 1080 };
/** Noise may shift a piece by a pixel. */
const offMax = 1;

const unlimited = Number.POSITIVE_INFINITY;

const variants: readonly { readonly name: string; readonly limits: MatchLimits }[] = [
  { name: "as shipped", limits: matchLimits },
  {
    name: "correlation 0.97 alone",
    limits: { ...matchLimits, tileMeanMax: unlimited, tilePixelsMax: unlimited },
  },
  { name: "correlation 0.97 and tiles' means", limits: { ...matchLimits, tilePixelsMax: unlimited } },
  { name: "correlation 0.90", limits: { ...matchLimits, correlationMin: 0.9 } },
  { name: "correlation 0.99", limits: { ...matchLimits, correlationMin: 0.99 } },
  { name: "tiles' limits times 4", limits: { ...matchLimits, tileMeanMax: 12, tilePixelsMax: 12 } },
];

/** Whether recorded anchors are found where they are and nowhere else, on drawn screens; and how long that takes. */
export async function measureAnchors(): Promise<readonly Figure[]> {
  return [...measureThresholds(), ...measureBeside(), ...measureTimes()];
}

interface Counts {
  found: number;
  toFind: number;
  wrong: number;
  readonly wrongCases: Set<string>;
}

function newCounts(): Counts {
  return { found: 0, toFind: 0, wrong: 0, wrongCases: new Set() };
}

function measuredOf({ found, toFind, wrong, wrongCases }: Counts): string {
  const where = wrong === 0 ? "" : ` (${[...wrongCases].join("; ")})`;
  return `${found} of ${toFind}; ${wrong}${where}`;
}

function measureThresholds(): readonly Figure[] {
  const counts = variants.map(newCounts);
  let pairs = 0;
  for (let seed = 1; pairs < pairsMin; seed += 1) {
    for (const pair of anchorPairs(seed)) {
      pairs += 1;
      for (const [at, { limits }] of variants.entries()) {
        const count = counts[at];
        if (count !== undefined) tally(count, pair, limits);
      }
    }
  }
  return variants.map(({ name, limits }, at): Figure => {
    const count = counts[at] ?? newCounts();
    const { found, toFind, wrong } = count;
    const figure = `anchors, ${name}: found of those to be found; false of ${pairs} pairs`;
    const measured = measuredOf(count);
    if (limits !== matchLimits) return { figure, measured, target: "" };
    return { figure, measured, target: "all; 0", isReached: wrong === 0 && found === toFind };
  });
}

function tally(count: Counts, { name, anchor, masks, screen, truth }: AnchorPair, limits: MatchLimits): void {
  const match = findAnchor(screen, anchor, { masks, limits });
  const isRight = match.kind === "found" && isAt(match.movedBy, truth.movedBy);
  if (truth.isRequired) count.toFind += 1;
  if (truth.isRequired && isRight) count.found += 1;
  if (match.kind === "not_found" || isRight) return;
  count.wrong += 1;
  count.wrongCases.add(name);
}

/** Measures clicks found by the piece at the point, as shipped, and by the anchor beside it alone. */
function measureBeside(): readonly Figure[] {
  const [guarded, alone] = [newCounts(), newCounts()];
  let pairs = 0;
  for (let seed = 1; pairs < besidePairsMin; seed += 1) {
    for (const pair of besidePairs(seed)) {
      pairs += 1;
      tallyBeside(guarded, pair, pair.element);
      const { guard: _, ...element } = pair.element;
      tallyBeside(alone, pair, element);
    }
  }
  return [guarded, alone].map((count): Figure => {
    const what = count === guarded ? "as shipped" : "without the piece at the point";
    const figure = `anchors beside the point, ${what}: found of those to be found; false of ${pairs} pairs`;
    const { found, toFind, wrong } = count;
    const measured = measuredOf(count);
    if (count === alone) return { figure, measured, target: "" };
    return { figure, measured, target: "all; 0", isReached: wrong === 0 && found === toFind };
  });
}

function tallyBeside(count: Counts, pair: BesidePair, element: TrajectoryElement): void {
  const trail = { element: null, movedBy: { dx: 0, dy: 0 }, masks: [], painted: [] };
  const context = { codec: pngCodec, trail, recordedSize: pair.size, lastAnchored: undefined };
  const match = matchElement(pair.screen, element, context);
  const isFound = match?.isFound === true;
  const isRight = isFound && isAt(match.movedBy, pair.movedBy);
  if (pair.isRequired) count.toFind += 1;
  if (pair.isRequired && isRight) count.found += 1;
  if (!isFound || isRight) return;
  count.wrong += 1;
  count.wrongCases.add(pair.name);
}

function isAt(movedBy: Shift, truth: Shift | null): boolean {
  if (truth === null) return false;
  return Math.abs(movedBy.dx - truth.dx) <= offMax && Math.abs(movedBy.dy - truth.dy) <= offMax;
}

function measureTimes(): readonly Figure[] {
  const program = aProgram({ size });
  const moved = { ...program, movedBy: { dx: 37, dy: -24 } };
  return [
    ...(["Save", "Reference"] as const).flatMap((target) =>
      timesOf("windows", target, program, moved, drawProgram),
    ),
    ...timesOf("a photograph behind windows", "Save", program, moved, drawOnPhotograph),
  ];
}

function timesOf(
  what: string,
  target: "Save" | "Reference",
  program: ProgramState,
  moved: ProgramState,
  draw: (state: ProgramState) => Picture,
): readonly Figure[] {
  const recorded = draw(program);
  const place = target === "Save" ? buttonPlace(program, target) : fieldPlace(program, target);
  const anchor = cutAnchor(recorded, centerOf(place));
  if (anchor === null) throw new Error(`${target} has no anchor of its own`);
  const { width, height } = anchor.piece;
  return [
    { name: "at its place", png: pngOf(recorded), msMax: inPlaceMsMax, movedBy: program.movedBy },
    { name: "moved", png: pngOf(draw(moved)), msMax: movedMsMax, movedBy: moved.movedBy },
  ].map(({ name, png, msMax, movedBy }): Figure => {
    const decoding: number[] = [];
    const whole: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now();
      const screen = decodePng(png);
      const decoded = performance.now();
      const match = findAnchor(screen, anchor);
      whole.push(performance.now() - start);
      decoding.push(decoded - start);
      if (match.kind !== "found" || !isAt(match.movedBy, movedBy)) throw new Error("it is not found");
    }
    const p50 = median(whole);
    const figure = `${width} x ${height} on 1920 x 1080, ${what}, ${name}, p50: decoding and finding; decoding alone`;
    const measured = `${milliseconds(p50)}; ${milliseconds(median(decoding))}`;
    // For a photograph zlib alone takes most of that time.
    if (draw === drawOnPhotograph) return { figure, measured, target: "" };
    return { figure, measured, target: `at most ${msMax} ms`, isReached: p50 <= msMax };
  });
}

/** Encodes a picture as the reference driver does. */
function pngOf({ width, height, data }: Picture): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
    pixels[to] = data[from + 2] ?? 0;
    pixels[to + 1] = data[from + 1] ?? 0;
    pixels[to + 2] = data[from] ?? 0;
  }
  return createPng({ width, height, pixels });
}

/** Fills the visible desktop with gradients and grain, which PNG cannot compress away. */
function drawOnPhotograph(state: ProgramState): Picture {
  const picture = drawProgram(state);
  const { width, data } = picture;
  const [red = 0, green = 0, blue = 0] = data;
  for (let at = 0; at < data.length; at += 3) {
    if (data[at] !== red || data[at + 1] !== green || data[at + 2] !== blue) continue;
    const x = (at / 3) % width;
    const y = Math.floor(at / 3 / width);
    const grain = noiseAt(x, y);
    data[at] = red + (x >> 5) + (grain & 7);
    data[at + 1] = green + (y >> 5) + ((grain >> 8) & 7);
    data[at + 2] = blue + ((x + y) >> 6) + ((grain >> 16) & 7);
  }
  return picture;
}
