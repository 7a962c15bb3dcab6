import { digitWidth, glyphs, marks, unknownGlyph } from "./glyphs.ts";

export const lineHeight = 18;
const topRoom = 4;
/** The distance from a stroke's middle to where it is invisible is half its width of 1.2 and half a pixel. */
const reach = 1.1;
const gap = 2;
const spaceWidth = 5;
const above = 4;
const rows = 13 + above;
const curveSteps = 6;
const capitalMarkRise = 3;

type Place = readonly [x: number, y: number];

export interface Glyph {
  readonly advance: number;
  readonly columns: number;
  readonly rows: number;
  readonly top: number;
  readonly cover: Uint8Array;
}

function placesOf(digits: string): readonly Place[] {
  return (digits.match(/../g) ?? []).map((two) => [
    Number.parseInt(two.slice(0, 1), 36),
    Number.parseInt(two.slice(1), 36),
  ]);
}

const middle = ([ax, ay]: Place, [bx, by]: Place): Place => [(ax + bx) / 2, (ay + by) / 2];

function bend(from: Place, control: Place, to: Place): readonly Place[] {
  return Array.from({ length: curveSteps }, (_, step) => {
    const t = (step + 1) / curveSteps;
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    return [a * from[0] + b * control[0] + c * to[0], a * from[1] + b * control[1] + c * to[1]];
  });
}

function smooth(controls: readonly Place[], isClosed: boolean): readonly Place[] {
  const [first, last] = [controls[0], controls.at(-1)];
  if (first === undefined || last === undefined) return [];
  const start = isClosed ? middle(last, first) : first;
  const inner = isClosed ? controls : controls.slice(1, -1);
  const line: Place[] = [start];
  for (const [index, control] of inner.entries()) {
    const isLast = index === inner.length - 1;
    const end = isLast ? (isClosed ? start : last) : middle(control, inner[index + 1] ?? last);
    line.push(...bend(line.at(-1) ?? start, control, end));
  }
  return line;
}

function strokesOf(glyph: string): readonly (readonly Place[])[] {
  return glyph.split(" ").map((stroke) => {
    if (stroke.startsWith("~")) return smooth(placesOf(stroke.slice(1)), false);
    return stroke.startsWith("@") ? smooth(placesOf(stroke.slice(1)), true) : placesOf(stroke);
  });
}

function distance([x, y]: Place, [ax, ay]: Place, [bx, by]: Place): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

function strokesOfCharacter(character: string): readonly (readonly Place[])[] {
  const own = glyphs.get(character);
  if (own !== undefined) return strokesOf(own);
  const [base = "", mark = "", more] = character.normalize("NFD");
  const letter = glyphs.get(base === "i" ? "ı" : base);
  const over = marks[mark];
  if (letter === undefined || over === undefined || more !== undefined) return strokesOf(unknownGlyph);
  const strokes = strokesOf(letter);
  const shift = Math.max(...strokes.flat().map(([x]) => x)) / 2 - 2;
  const rise = base === base.toUpperCase() && mark !== "\u0327" ? capitalMarkRise : 0;
  return [...strokes, ...strokesOf(over).map((line) => line.map(([x, y]): Place => [x + shift, y - rise]))];
}

function drawPiece(cover: Uint8Array, columns: number, from: Place, end: Place): void {
  const [left, right] = [Math.min(from[0], end[0]) - reach, Math.max(from[0], end[0]) + reach];
  const [top, bottom] = [Math.min(from[1], end[1]) - reach, Math.max(from[1], end[1]) + reach];
  for (let y = Math.max(-above, Math.floor(top)); y <= Math.min(rows - above - 1, bottom); y += 1) {
    for (let x = Math.max(0, Math.floor(left)); x <= Math.min(columns - 1, right); x += 1) {
      const share = Math.min(1, Math.max(0, reach - distance([x, y], from, end)));
      const at = (y + above) * columns + x;
      cover[at] = Math.max(cover[at] ?? 0, Math.round(255 * share));
    }
  }
}

function rasterize(character: string): Glyph {
  const strokes = strokesOfCharacter(character);
  const right = Math.ceil(Math.max(...strokes.flat().map(([x]) => x)));
  const columns = right + 2;
  const cover = new Uint8Array(columns * rows);
  for (const line of strokes) {
    for (const [index, end] of line.entries()) drawPiece(cover, columns, line[index - 1] ?? end, end);
  }
  const width = /\d/.test(character) ? digitWidth : right + 1;
  return { advance: width + gap, columns, rows, top: topRoom - above, cover };
}

const cache = new Map<string, Glyph>();
const blank: Glyph = { advance: spaceWidth, columns: 0, rows: 0, top: 0, cover: new Uint8Array() };

export function glyphOf(character: string): Glyph {
  if (character === " " || character === "\t") return blank;
  const known = cache.get(character);
  if (known !== undefined) return known;
  const made = rasterize(character);
  cache.set(character, made);
  return made;
}

export function textWidth(text: string, isBold = false): number {
  return [...text].reduce((sum, character) => sum + glyphOf(character).advance + (isBold ? 1 : 0), 0);
}
